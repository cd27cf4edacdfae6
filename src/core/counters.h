/*-------------------------------------------------------------------------
 *
 * counters.h
 *		Blocks of counters: the rotated split block of block.h with a counter
 *		of four bits where that has a bit.
 *
 * A value that is added raises the counters of its bits by one, and one that
 * is removed lowers them; a bit of the bloomfilter is set where the counter is
 * not zero (Fan, Cao, Almeida and Broder, "Summary Cache: A Scalable Wide-Area
 * Web Cache Sharing Protocol", 2000; in blocks: Putze, Sanders, Singler, 2007).
 * A counter that has come to 15 stays there for ever: how many values it stands
 * for is no longer known, and if it were lowered, one of them could be lost.
 * In a filter that is as full as planned a counter holds Poisson(k n / 512 B)
 * values and comes that far with a probability of 2e-15 or less (Fan et al.,
 * section V.C), so it takes values that are added again and again.
 *
 * A block is 512 counters, 256 bytes: counter i is half i mod 2, the lower one
 * first, of byte i div 2.  Where both rounds choose the same bit of a word,
 * which happens for k > 8, the value has one counter there.
 *
 * This header is free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COUNTERS_H
#define BF_COUNTERS_H

#include "core/block.h"

#define BF_COUNTER_BLOCK_BYTES	256

/* The largest count, at which a counter is stuck. */
#define BF_MAX_COUNT	15

/* As large as the largest bloomfilter, 512 MiB. */
#define BF_MAX_COUNTER_BLOCKS	(BF_MAX_BLOCKS / (BF_COUNTER_BLOCK_BYTES / BF_BLOCK_BYTES))

/* The sum of two counts. */
static inline int
bf_add_counts(int a, int b)
{
	return a + b < BF_MAX_COUNT ? a + b : BF_MAX_COUNT;
}

/* May b be taken off the count a?  Off one that is stuck, anything. */
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

/* The byte at which the hash's block of counters starts. */
static inline size_t
bf_counter_block_offset(uint64_t hash, uint32_t blocks)
{
	return (size_t) bf_block_index(hash, blocks) * BF_COUNTER_BLOCK_BYTES;
}

/*
 * The hash's counters in its block, no two the same.  Returns their number, at
 * most k.
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

		/* the first round's in this word */
		if (counter != counters[i])
			counters[n++] = counter;
	}
	return n;
}

/* The smallest of the hash's counters: it was added at most so often. */
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
 * Add the hash so many times, or remove it, for which its counters must be
 * high enough.
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
 * A block of bits: those of counters that are not zero.  Sixteen counters at a
 * time, whose bits are then moved together.
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
