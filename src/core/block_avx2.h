/*-------------------------------------------------------------------------
 *
 * block_avx2.h
 *		The block operations of block.h with AVX2: the same bits, at half
 *		the cost within the cache.
 *
 * A block is two vectors of four words.  Each word is shifted by its own
 * distance, for which AVX2 has an instruction.  Call these functions only if
 * the processor has AVX2; they are defined only for compilers that can compile
 * a single function for it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_BLOCK_AVX2_H
#define BF_BLOCK_AVX2_H

#include "core/block.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BF_HAVE_AVX2

#include <immintrin.h>

#define BF_TARGET_AVX2	__attribute__((target("avx2")))
#define BF_TARGET_POPCNT	__attribute__((target("popcnt")))

/* The bits of a hash in the words of a block. */
typedef struct BfMaskAvx2
{
	__m256i		low;			/* words 0 to 3 */
	__m256i		high;			/* words 4 to 7 */
} BfMaskAvx2;

/*
 * The bit of one round in each of four words; no bit in a word that is not one
 * of the n consecutive words from start.
 */
BF_TARGET_AVX2 static inline __m256i
bf_round_mask_avx2(uint64_t g, unsigned start, int n, __m256i words)
{
	__m256i		seven = _mm256_set1_epi64x(7);
	__m256i		shift = _mm256_sub_epi64(_mm256_set1_epi64x(58), _mm256_slli_epi64(words, 3));
	__m256i		bit = _mm256_and_si256(_mm256_srlv_epi64(_mm256_set1_epi64x((long long) g), shift),
									   _mm256_set1_epi64x(63));
	__m256i		mask = _mm256_sllv_epi64(_mm256_set1_epi64x(1), bit);
	__m256i		distance = _mm256_and_si256(_mm256_sub_epi64(words, _mm256_set1_epi64x(start)), seven);

	return _mm256_and_si256(mask, _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), distance));
}

BF_TARGET_AVX2 static inline BfMaskAvx2
bf_block_mask_avx2(uint64_t hash, int k)
{
	__m256i		low_words = _mm256_setr_epi64x(0, 1, 2, 3);
	__m256i		high_words = _mm256_setr_epi64x(4, 5, 6, 7);
	unsigned	start = bf_block_start(hash);
	uint64_t	g = bf_block_round1(hash);
	BfMaskAvx2	mask;

	mask.low = bf_round_mask_avx2(g, start, k, low_words);
	mask.high = bf_round_mask_avx2(g, start, k, high_words);
	if (k > BF_BLOCK_WORDS)
	{
		g = bf_block_round2(hash);
		k -= BF_BLOCK_WORDS;
		mask.low = _mm256_or_si256(mask.low, bf_round_mask_avx2(g, start, k, low_words));
		mask.high = _mm256_or_si256(mask.high, bf_round_mask_avx2(g, start, k, high_words));
	}
	return mask;
}

BF_TARGET_AVX2 static inline void
bf_block_add_avx2(uint8_t *block, uint64_t hash, int k)
{
	BfMaskAvx2	mask = bf_block_mask_avx2(hash, k);
	__m256i    *low = (__m256i *) (void *) block;
	__m256i    *high = low + 1;

	_mm256_storeu_si256(low, _mm256_or_si256(_mm256_loadu_si256(low), mask.low));
	_mm256_storeu_si256(high, _mm256_or_si256(_mm256_loadu_si256(high), mask.high));
}

BF_TARGET_AVX2 static inline bool
bf_block_contains_avx2(const uint8_t *block, uint64_t hash, int k)
{
	BfMaskAvx2	mask = bf_block_mask_avx2(hash, k);
	const __m256i *low = (const __m256i *) (const void *) block;
	const __m256i *high = low + 1;

	return _mm256_testc_si256(_mm256_loadu_si256(low), mask.low) &
		_mm256_testc_si256(_mm256_loadu_si256(high), mask.high);
}

#endif							/* x86_64 */

#endif							/* BF_BLOCK_AVX2_H */
