/*-------------------------------------------------------------------------
 *
 * wire.h
 *		The binary form of a filter: a payload between a magic and a
 *		checksum.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_WIRE_H
#define BF_WIRE_H

#include "core/format.h"

/* The bytes around a payload. */
#define BF_WIRE_AROUND		(BF_WIRE_MAGIC_BYTES + BF_WIRE_CRC_BYTES)

/* The CRC-32C of so many bytes, by whatever means there are. */
typedef uint32_t (*BfChecksum) (const uint8_t *bytes, size_t len);

/*
 * Validate the binary form of a filter of the type, whose payload starts behind
 * BF_WIRE_MAGIC_BYTES.  Returns NULL, or the reason why it cannot be read.
 */
extern const char *bf_wire_validate(BfFilterType type, const uint8_t *wire, size_t len,
									BfChecksum checksum, BfHeader *header);

/* Write what is around a payload of that length, which is in its place. */
extern void bf_wire_finish(BfFilterType type, uint8_t *wire, size_t payload_len,
						   BfChecksum checksum);

#endif							/* BF_WIRE_H */
