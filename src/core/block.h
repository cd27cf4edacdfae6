/*-------------------------------------------------------------------------
 *
 * block.h
 *		The rotated split block: which bits of a 512-bit block a hash owns,
 *		and how to set and test them.
 *
 * A dense filter is an array of blocks of 512 bits, one cache line each.
 * All bits of a value lie in one block, so that a test costs one cache miss
 * however large the filter is.  A block is eight 64-bit words; a value sets
 * one bit in each of k consecutive words (modulo eight), starting at a word
 * that the hash chooses.  For k > 8 a second round with an independent
 * multiplier sets a second bit in k - 8 of the words.
 *
 *		block   = the upper half of h, scaled to 0 .. blocks - 1
 *		start   = bits 29..31 of h
 *		round 1 = six bits per word out of h * 2^64/phi
 *		round 2 = six bits per word out of another multiplication
 *
 * The bits within a block depend on the hash only, never on the number of
 * blocks.  Words and hashes are stored little-endian, whatever the machine,
 * and need not be aligned.
 *
 * Split blocks: Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient
 * Bloom Filters", 2007; one bit per word: Apache Parquet's and Impala's
 * filters.  The scaling instead of a modulo: Lemire, "Fast Random Integer
 * Generation in an Interval", 2019.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_BLOCK_H
#define BF_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BF_BLOCK_WORDS	8
#define BF_BLOCK_BYTES	64
#define BF_BLOCK_BITS	512

/* Largest filter: 2^23 blocks are 2^32 bits, 512 MiB. */
#define BF_MAX_BLOCKS	(UINT32_C(1) << 23)

/* Two rounds of one bit per word. */
#define BF_MAX_HASHES	(2 * BF_BLOCK_WORDS)

/* 2^64 / golden ratio: Knuth, TAOCP vol. 3, 6.4 (Fibonacci hashing). */
#define BF_ROUND1_MULTIPLIER	UINT64_C(0x9E3779B97F4A7C15)

/* An odd multiplier with good avalanche: Rand's "rrmxmx" mixer. */
#define BF_ROUND2_MULTIPLIER	UINT64_C(0xD6E8FEB86659FD93)

/*
 * For functions that are called with a constant, or compiled for more than one
 * processor.
 */
#if defined(__GNUC__)
#define BF_ALWAYS_INLINE	__attribute__((always_inline)) inline
#else
#define BF_ALWAYS_INLINE	inline
#endif

/* Start loading a cache line that will be written soon. */
#define BF_PREFETCH(address)	__builtin_prefetch((address), 1)

/*
 * Unaligned little-endian access.
 */
static inline uint64_t
bf_load_u64(const void *src)
{
	uint64_t	value;

	memcpy(&value, src, sizeof(value));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap64(value);
#endif
	return value;
}

static inline void
bf_store_u64(void *dst, uint64_t value)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	value = __builtin_bswap64(value);
#endif
	memcpy(dst, &value, sizeof(value));
}

static inline int
bf_popcount64(uint64_t word)
{
	return __builtin_popcountll(word);
}

/*
 * The block, 0 .. blocks - 1, of the hash.  A larger hash never has a smaller
 * block.
 */
static inline uint32_t
bf_block_index(uint64_t hash, uint32_t blocks)
{
	return (uint32_t) (((hash >> 32) * blocks) >> 32);
}

/* The byte at which the block of the hash starts. */
static inline size_t
bf_block_offset(uint64_t hash, uint32_t blocks)
{
	return (size_t) bf_block_index(hash, blocks) * BF_BLOCK_BYTES;
}

/* The first word that the hash uses. */
static inline unsigned
bf_block_start(uint64_t hash)
{
	return (unsigned) (hash >> 29) & 7;
}

static inline uint64_t
bf_block_round1(uint64_t hash)
{
	return hash * BF_ROUND1_MULTIPLIER;
}

static inline uint64_t
bf_block_round2(uint64_t hash)
{
	return (hash ^ (hash >> 32)) * BF_ROUND2_MULTIPLIER;
}

/* The bit, 0 .. 63, that a round's product g selects in the given word. */
static inline unsigned
bf_block_bit(uint64_t g, unsigned word)
{
	return (unsigned) (g >> (58 - 8 * word)) & 63;
}

/* 1 if the word is one of the n consecutive words from start, else 0. */
static inline uint64_t
bf_block_uses_word(unsigned word, unsigned start, unsigned n)
{
	return ((word - start) & 7) < n;
}

/*
 * Set the hash's bits in its block.
 */
static inline void
bf_block_add(uint8_t *block, uint64_t hash, int k)
{
	uint64_t	g = bf_block_round1(hash);
	unsigned	start = bf_block_start(hash);
	unsigned	n = (unsigned) k;
	unsigned	word;

	for (word = 0; word < BF_BLOCK_WORDS; word++)
		bf_store_u64(block + 8 * word, bf_load_u64(block + 8 * word) |
					 bf_block_uses_word(word, start, n) << bf_block_bit(g, word));

	if (n > BF_BLOCK_WORDS)
	{
		g = bf_block_round2(hash);
		n -= BF_BLOCK_WORDS;
		for (word = 0; word < BF_BLOCK_WORDS; word++)
			bf_store_u64(block + 8 * word, bf_load_u64(block + 8 * word) |
						 bf_block_uses_word(word, start, n) << bf_block_bit(g, word));
	}
}

/*
 * Are all of the hash's bits set in its block?
 *
 * Branch-free on purpose: the block is one cache line, and a mispredicted
 * early exit costs more than the words it saves.
 */
static inline bool
bf_block_contains(const uint8_t *block, uint64_t hash, int k)
{
	uint64_t	g = bf_block_round1(hash);
	unsigned	start = bf_block_start(hash);
	unsigned	n = (unsigned) k;
	uint64_t	all = 1;
	unsigned	word;

	for (word = 0; word < BF_BLOCK_WORDS; word++)
		all &= (bf_load_u64(block + 8 * word) >> bf_block_bit(g, word)) |
			!bf_block_uses_word(word, start, n);

	if (n > BF_BLOCK_WORDS)
	{
		g = bf_block_round2(hash);
		n -= BF_BLOCK_WORDS;
		for (word = 0; word < BF_BLOCK_WORDS; word++)
			all &= (bf_load_u64(block + 8 * word) >> bf_block_bit(g, word)) |
				!bf_block_uses_word(word, start, n);
	}
	return all != 0;
}

#endif							/* BF_BLOCK_H */
