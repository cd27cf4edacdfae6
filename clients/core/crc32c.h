/*-------------------------------------------------------------------------
 *
 * crc32c.h
 *		CRC-32C (Castagnoli), which the server has of its own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CRC32C_H
#define BF_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* To be called once, before any other. */
extern void bf_crc32c_init(void);

/*
 * The checksum of all bytes so far, whose part before these has the one that
 * is given: 0 if there is none.
 */
extern uint32_t bf_crc32c_extend(uint32_t crc, const uint8_t *bytes, size_t len);

/* That of these bytes. */
extern uint32_t bf_crc32c(const uint8_t *bytes, size_t len);

#endif							/* BF_CRC32C_H */
