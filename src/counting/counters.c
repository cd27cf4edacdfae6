/*-------------------------------------------------------------------------
 *
 * counters.c
 *		Operations on all counters of dense filters.
 *
 * The loops over bytes are written so that the compiler vectorizes them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "counting/counters.h"

/* Blocks between two checks for interrupts: 4 MiB, about a millisecond. */
#define INTERRUPT_BLOCKS	16384

/* The number of blocks to process before the next check for interrupts. */
static uint32_t
next_blocks(uint32_t left)
{
	CHECK_FOR_INTERRUPTS();
	return Min(left, INTERRUPT_BLOCKS);
}

void
bf_counters_add(uint8_t *ours, const uint8_t *theirs, uint32_t n)
{
	while (n > 0)
	{
		uint32_t	blocks = next_blocks(n);
		size_t		bytes = (size_t) blocks * BF_COUNTER_BLOCK_BYTES;
		size_t		i;

		for (i = 0; i < bytes; i++)
		{
			uint8_t		low = (uint8_t) ((ours[i] & 15) + (theirs[i] & 15));
			uint8_t		high = (uint8_t) ((ours[i] >> 4) + (theirs[i] >> 4));

			low = Min(low, BF_MAX_COUNT);
			high = Min(high, BF_MAX_COUNT);
			ours[i] = (uint8_t) (low | high << 4);
		}
		ours += bytes;
		theirs += bytes;
		n -= blocks;
	}
}

bool
bf_counters_subtract(uint8_t *ours, const uint8_t *theirs, uint32_t n)
{
	uint8_t		too_low = 0;

	while (n > 0 && too_low == 0)
	{
		uint32_t	blocks = next_blocks(n);
		size_t		bytes = (size_t) blocks * BF_COUNTER_BLOCK_BYTES;
		size_t		i;

		for (i = 0; i < bytes; i++)
		{
			uint8_t		low = ours[i] & 15;
			uint8_t		high = ours[i] >> 4;
			uint8_t		minus_low = low == BF_MAX_COUNT ? 0 : theirs[i] & 15;
			uint8_t		minus_high = high == BF_MAX_COUNT ? 0 : theirs[i] >> 4;

			too_low |= (low < minus_low) | (high < minus_high);
			low = (uint8_t) (low - minus_low) & 15;
			high = (uint8_t) (high - minus_high) & 15;
			ours[i] = (uint8_t) (low | high << 4);
		}
		ours += bytes;
		theirs += bytes;
		n -= blocks;
	}
	return too_low == 0;
}

void
bf_counters_to_bits(const uint8_t *counters, uint8_t *bits, uint32_t n)
{
	uint32_t	i;

	for (i = 0; i < n; i++)
	{
		if (i % INTERRUPT_BLOCKS == 0)
			CHECK_FOR_INTERRUPTS();
		bf_counter_block_bits(counters, bits);
		counters += BF_COUNTER_BLOCK_BYTES;
		bits += BF_BLOCK_BYTES;
	}
}

uint64_t
bf_counters_stuck(const uint8_t *counters, uint32_t n)
{
	uint64_t	stuck = 0;
	uint32_t	i;

	for (i = 0; i < n; i++)
	{
		if (i % INTERRUPT_BLOCKS == 0)
			CHECK_FOR_INTERRUPTS();
		stuck += (uint64_t) bf_counter_block_stuck(counters);
		counters += BF_COUNTER_BLOCK_BYTES;
	}
	return stuck;
}
