/*-------------------------------------------------------------------------
 *
 * match.c
 *		Testing many filters, side by side in a page, for one value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "core/block_avx2.h"
#include "index/read/match.h"

static BfMask
match_portable(const uint8 *block, uint32 step, uint32 sets, uint64 hash, int k)
{
	BfMask		mask = {{0}};
	uint32		i;

	for (i = 0; i < sets; i++, block += step)
		mask.words[i / 64] |= (uint64) bf_block_contains(block, hash, k) << i % 64;
	return mask;
}

static BfMask (*match) (const uint8 *block, uint32 step, uint32 sets, uint64 hash, int k) =
match_portable;

#ifdef BF_HAVE_AVX2

/* The bits of the hash are computed once, and compared with every block. */
BF_TARGET_AVX2 static BfMask
match_avx2(const uint8 *block, uint32 step, uint32 sets, uint64 hash, int k)
{
	BfMaskAvx2	bits = bf_block_mask_avx2(hash, k);
	BfMask		mask = {{0}};
	uint32		i;

	for (i = 0; i < sets; i++, block += step)
	{
		const __m256i *low = (const __m256i *) (const void *) block;
		uint64		found = _mm256_testc_si256(_mm256_loadu_si256(low), bits.low) &
			_mm256_testc_si256(_mm256_loadu_si256(low + 1), bits.high);

		mask.words[i / 64] |= found << i % 64;
	}
	return mask;
}

#endif

void
bf_match_init(void)
{
#ifdef BF_HAVE_AVX2
	if (__builtin_cpu_supports("avx2"))
		match = match_avx2;
#endif
}

BfMask
bf_match(const char *page, const BfPlace *place, uint32 sets, uint64 hash, int k)
{
	return match((const uint8 *) page + bf_place_offset(place, 0),
				 place->stride * BF_BLOCK_BYTES, sets, hash, k);
}
