/*-------------------------------------------------------------------------
 *
 * counters.h
 *		Blocks of counters: the rotated split block of block.h with a four-bit
 *		counter in place of each bit.
 *
 * Adding a value raises the counters of its bits by one, removing it lowers
 * them by one.  A bit of the bloomfilter is set if its counter is not zero
 * (Fan, Cao, Almeida and Broder, "Summary Cache: A Scalable Wide-Area Web
 * Cache Sharing Protocol", 2000; in blocks: Putze, Sanders, Singler, 2007).
 *
 * A counter that reaches 15 is stuck: it stays 15 for ever.  How often its
 * values were added is no longer known, and lowering it could lose one of
 * them.  In a filter as full as planned, a counter counts Poisson(k n / 512 B)
 * values and gets stuck with a probability of 2e-15 or less (Fan et al.,
 * section V.C), so that in practice only values that are added again and again
 * bring this about.
 *
 * A block is 512 counters, 256 bytes: counter i is in byte i div 2, in the
 * lower half if i is even, else in the upper half.  For k > 8, both rounds may
 * choose the same bit of a word; the value then has one counter for both.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COUNTERS_H
#define BF_COUNTERS_H

#include "core/block.h"

#define BF_COUNTER_BLOCK_BYTES	256

/* The largest count: a counter with this count is stuck. */
#define BF_MAX_COUNT	15

/* As large as the largest bloomfilter, 512 MiB. */
#define BF_MAX_COUNTER_BLOCKS	(BF_MAX_BLOCKS / (BF_COUNTER_BLOCK_BYTES / BF_BLOCK_BYTES))

/* The sum of two counts. */
static inline int
bf_add_counts(int a, int b)
{
	return a + b < BF_MAX_COUNT ? a + b : BF_MAX_COUNT;
}

/*
 * May the count a be lowered by b?  A stuck counter may be lowered by
 * anything, and stays stuck.
 */
static inline bool
bf_may_subtract_count(int a, int b)
{
	return a == BF_MAX_COUNT || a >= b;
}

static inline int
bf_subtract_counts(int a, int b)
{
	return a == BF_MAX_COUNT ? a : a - b;
}

static inline int
bf_counter_get(const uint8_t *block, unsigned i)
{
	return block[i / 2] >> (4 * (i % 2)) & 15;
}

static inline void
bf_counter_set(uint8_t *block, unsigned i, int count)
{
	unsigned	shift = 4 * (i % 2);

	block[i / 2] = (uint8_t) ((block[i / 2] & ~(15u << shift)) | (unsigned) count << shift);
}

/* Start loading a block's cache lines, which will be written soon. */
static inline void
bf_counter_block_prefetch(const uint8_t *block)
{
	BF_PREFETCH(block);
	BF_PREFETCH(block + 64);
	BF_PREFETCH(block + 128);
	BF_PREFETCH(block + 192);
}

/* The byte at which the block of counters of the hash starts. */
static inline size_t
bf_counter_block_offset(uint64_t hash, uint32_t blocks)
{
	return (size_t) bf_block_index(hash, blocks) * BF_COUNTER_BLOCK_BYTES;
}

/*
 * The hash's counters in its block, without repetitions.  Returns their
 * number, at most k.
 */
static inline int
bf_counters_of_hash(uint64_t hash, int k, uint16_t counters[BF_MAX_HASHES])
{
	uint64_t	g = bf_block_round1(hash);
	unsigned	start = bf_block_start(hash);
	int			n = 0;
	int			i;

	for (i = 0; i < k && i < BF_BLOCK_WORDS; i++)
	{
		unsigned	word = (start + (unsigned) i) & 7;

		counters[n++] = (uint16_t) (64 * word + bf_block_bit(g, word));
	}
	g = bf_block_round2(hash);
	for (i = 0; i < k - BF_BLOCK_WORDS; i++)
	{
		unsigned	word = (start + (unsigned) i) & 7;
		uint16_t	counter = (uint16_t) (64 * word + bf_block_bit(g, word));

		/* counters[i] is the first round's counter in this word */
		if (counter != counters[i])
			counters[n++] = counter;
	}
	return n;
}

/* The smallest of the hash's counters: the hash was added at most so often. */
static inline int
bf_counter_block_count(const uint8_t *block, uint64_t hash, int k)
{
	uint16_t	counters[BF_MAX_HASHES];
	int			n = bf_counters_of_hash(hash, k, counters);
	int			least = BF_MAX_COUNT;
	int			i;

	for (i = 0; i < n; i++)
	{
		int			count = bf_counter_get(block, counters[i]);

		least = count < least ? count : least;
	}
	return least;
}

/*
 * Add the hash "times" times, or remove it.  To remove it, all its counters
 * must be at least "times", or stuck.
 */
static inline void
bf_counter_block_add(uint8_t *block, uint64_t hash, int k, int times)
{
	uint16_t	counters[BF_MAX_HASHES];
	int			n = bf_counters_of_hash(hash, k, counters);
	int			i;

	for (i = 0; i < n; i++)
		bf_counter_set(block, counters[i],
					   bf_add_counts(bf_counter_get(block, counters[i]), times));
}

static inline void
bf_counter_block_remove(uint8_t *block, uint64_t hash, int k, int times)
{
	uint16_t	counters[BF_MAX_HASHES];
	int			n = bf_counters_of_hash(hash, k, counters);
	int			i;

	for (i = 0; i < n; i++)
		bf_counter_set(block, counters[i],
					   bf_subtract_counts(bf_counter_get(block, counters[i]), times));
}

/* The lowest bit of each half of a byte. */
#define BF_LOW_BITS_OF_COUNTERS	UINT64_C(0x1111111111111111)

/*
 * Make a block of bits: a bit is set if its counter is not zero.  Reduces
 * sixteen counters at a time to one bit each, and then packs these bits.
 */
static inline void
bf_counter_block_bits(const uint8_t *counters, uint8_t *bits)
{
	int			i;

	for (i = 0; i < BF_BLOCK_BYTES / 2; i++)
	{
		uint64_t	x = bf_load_u64(counters + 8 * i);

		x |= x >> 2;
		x |= x >> 1;
		x &= BF_LOW_BITS_OF_COUNTERS;
		x = (x | x >> 3) & UINT64_C(0x0303030303030303);
		x = (x | x >> 6) & UINT64_C(0x000F000F000F000F);
		x = (x | x >> 12) & UINT64_C(0x000000FF000000FF);
		x |= x >> 24;
		bits[2 * i] = (uint8_t) x;
		bits[2 * i + 1] = (uint8_t) (x >> 8);
	}
}

/* How many counters of a block are stuck. */
static inline int
bf_counter_block_stuck(const uint8_t *counters)
{
	int			stuck = 0;
	int			i;

	for (i = 0; i < BF_COUNTER_BLOCK_BYTES; i += 8)
	{
		uint64_t	x = bf_load_u64(counters + i);

		x &= x >> 2;
		x &= x >> 1;
		for (x &= BF_LOW_BITS_OF_COUNTERS; x != 0; x &= x - 1)
			stuck++;
	}
	return stuck;
}

#endif							/* BF_COUNTERS_H */
