/* wire.h: declarations of wire.c */
#ifndef BF_WIRE_H
#define BF_WIRE_H

#include "core/format.h"

/* The bytes around a payload. */
#define BF_WIRE_AROUND		(BF_WIRE_MAGIC_BYTES + BF_WIRE_CRC_BYTES)

/*
 * Computes the CRC-32C of so many bytes; the server and the clients have
 * different implementations.
 */
typedef uint32_t (*BfChecksum) (const uint8_t *bytes, size_t len);

/*
 * Validate the binary form of a filter of the type; the payload starts at
 * BF_WIRE_MAGIC_BYTES.  Returns NULL, or the reason why it cannot be read.
 */
extern const char *bf_wire_validate(BfFilterType type, const uint8_t *wire, size_t len,
									BfChecksum checksum, BfHeader *header);

/* Write the magic and the checksum around a payload that is in place. */
extern void bf_wire_finish(BfFilterType type, uint8_t *wire, size_t payload_len,
						   BfChecksum checksum);

#endif							/* BF_WIRE_H */
