/*-------------------------------------------------------------------------
 *
 * crc32c.c
 *		CRC-32C (Castagnoli); the server has its own implementation.
 *
 * Processes eight bytes at a time, each with its own table: Kounavis, Berry,
 * "A Systematic Approach to Building High Performance Software-based CRC
 * Generators", 2005 ("slicing by 8").
 *
 *-------------------------------------------------------------------------
 */
#include "crc32c.h"

#include "core/block.h"

/* The polynomial 0x1EDC6F41, its bits in reverse order. */
#define POLYNOMIAL	UINT32_C(0x82F63B78)

#define SLICES		8

/* tables[i][byte]: the checksum of the byte with i zero bytes after it. */
static uint32_t tables[SLICES][256];

void
bf_crc32c_init(void)
{
	int			byte;
	int			i;

	for (byte = 0; byte < 256; byte++)
	{
		uint32_t	crc = (uint32_t) byte;

		for (i = 0; i < 8; i++)
			crc = crc >> 1 ^ ((crc & 1) != 0 ? POLYNOMIAL : 0);
		tables[0][byte] = crc;
	}
	for (i = 1; i < SLICES; i++)
		for (byte = 0; byte < 256; byte++)
			tables[i][byte] = tables[i - 1][byte] >> 8 ^ tables[0][tables[i - 1][byte] & 255];
}

uint32_t
bf_crc32c_extend(uint32_t crc, const uint8_t *bytes, size_t len)
{
	crc = ~crc;
	for (; len >= SLICES; bytes += SLICES, len -= SLICES)
	{
		uint64_t	word = bf_load_u64(bytes) ^ crc;
		int			i;

		crc = 0;
		for (i = 0; i < SLICES; i++)
			crc ^= tables[SLICES - 1 - i][word >> (8 * i) & 255];
	}
	for (; len > 0; bytes++, len--)
		crc = crc >> 8 ^ tables[0][(crc ^ *bytes) & 255];
	return ~crc;
}

uint32_t
bf_crc32c(const uint8_t *bytes, size_t len)
{
	return bf_crc32c_extend(0, bytes, len);
}
