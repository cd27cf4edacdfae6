/*-------------------------------------------------------------------------
 *
 * wire.c
 *		The binary form of a filter: a payload between a magic and a
 *		checksum.
 *
 *-------------------------------------------------------------------------
 */
#include "core/wire.h"

#include <string.h>

const char *
bf_wire_validate(BfFilterType type, const uint8_t *wire, size_t len, BfChecksum checksum,
				 BfHeader *header)
{
	const uint8_t *payload = wire + BF_WIRE_MAGIC_BYTES;
	size_t		payload_len = len - BF_WIRE_AROUND;
	const char *reason;
	uint32_t	crc;
	int			i;

	if (len < BF_WIRE_AROUND || memcmp(wire, bf_wire_magic(type), BF_WIRE_MAGIC_BYTES) != 0)
		return type == BF_COUNTING ? "it does not start like a counting_bloomfilter" :
			"it does not start like a bloomfilter";
	reason = bf_validate(type, payload, payload_len, header);
	if (reason != NULL)
		return reason;
	crc = checksum(payload, payload_len);
	for (i = 0; i < BF_WIRE_CRC_BYTES; i++)
		if (payload[payload_len + (size_t) i] != (uint8_t) (crc >> (8 * i)))
			return "wrong checksum";
	return NULL;
}

void
bf_wire_finish(BfFilterType type, uint8_t *wire, size_t payload_len, BfChecksum checksum)
{
	uint8_t    *payload = wire + BF_WIRE_MAGIC_BYTES;
	uint32_t	crc = checksum(payload, payload_len);
	int			i;

	memcpy(wire, bf_wire_magic(type), BF_WIRE_MAGIC_BYTES);
	for (i = 0; i < BF_WIRE_CRC_BYTES; i++)
		payload[payload_len + (size_t) i] = (uint8_t) (crc >> (8 * i));
}
