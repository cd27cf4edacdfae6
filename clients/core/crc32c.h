/*-------------------------------------------------------------------------
 *
 * crc32c.h
 *		CRC-32C (Castagnoli); the server has its own implementation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CRC32C_H
#define BF_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Call this once, before the other functions. */
extern void bf_crc32c_init(void);

/*
 * The checksum of all bytes so far: crc is that of the bytes before these, or
 * 0 if there are none.
 */
extern uint32_t bf_crc32c_extend(uint32_t crc, const uint8_t *bytes, size_t len);

/* The checksum of these bytes. */
extern uint32_t bf_crc32c(const uint8_t *bytes, size_t len);

#endif							/* BF_CRC32C_H */
