/*-------------------------------------------------------------------------
 *
 * blocks.c
 *		The block operations on batches of hashes, with the fastest
 *		instructions of the processor.
 *
 *-------------------------------------------------------------------------
 */
#include "core/blocks.h"

#include "core/block_avx2.h"

/* Number of hashes whose blocks are prefetched together. */
#define PREFETCH_BATCH		32

static inline int
prefetch_blocks(const uint8_t *blocks, uint32_t nblocks, const uint64_t *hashes, int n)
{
	int			batch = n < PREFETCH_BATCH ? n : PREFETCH_BATCH;
	int			i;

	for (i = 0; i < batch; i++)
		BF_PREFETCH(blocks + bf_block_offset(hashes[i], nblocks));
	return batch;
}

static bool
block_contains_portable(const uint8_t *block, uint64_t hash, int k)
{
	return bf_block_contains(block, hash, k);
}

static void
blocks_add_portable(uint8_t *blocks, uint32_t nblocks, int k, const uint64_t *hashes, int n)
{
	int			batch;
	int			i;

	for (; n > 0; n -= batch, hashes += batch)
	{
		batch = prefetch_blocks(blocks, nblocks, hashes, n);
		for (i = 0; i < batch; i++)
			bf_block_add(blocks + bf_block_offset(hashes[i], nblocks), hashes[i], k);
	}
}

static size_t
blocks_test_portable(const uint8_t *blocks, uint32_t nblocks, int k, const uint64_t *hashes,
					 int n, uint8_t *found)
{
	size_t		hits = 0;
	int			batch;
	int			i;

	for (; n > 0; n -= batch, hashes += batch, found += batch)
	{
		batch = prefetch_blocks(blocks, nblocks, hashes, n);
		for (i = 0; i < batch; i++)
		{
			found[i] = bf_block_contains(blocks + bf_block_offset(hashes[i], nblocks),
										 hashes[i], k);
			hits += found[i];
		}
	}
	return hits;
}

/* Inlined into one function per processor, to use its instructions. */
static BF_ALWAYS_INLINE uint64_t
count_bits(const uint8_t *blocks, uint32_t n)
{
	uint64_t	bits = 0;
	int			word;

	for (; n > 0; n--, blocks += BF_BLOCK_BYTES)
		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			bits += (uint64_t) bf_popcount64(bf_load_u64(blocks + word));
	return bits;
}

static uint64_t
blocks_popcount_portable(const uint8_t *blocks, uint32_t n)
{
	return count_bits(blocks, n);
}

uint64_t	(*bf_blocks_popcount) (const uint8_t *blocks, uint32_t n) = blocks_popcount_portable;
bool		(*bf_block_contains_fast) (const uint8_t *block, uint64_t hash, int k) =
block_contains_portable;
void		(*bf_blocks_add) (uint8_t *blocks, uint32_t nblocks, int k,
							  const uint64_t *hashes, int n) = blocks_add_portable;
size_t		(*bf_blocks_test) (const uint8_t *blocks, uint32_t nblocks, int k,
							   const uint64_t *hashes, int n, uint8_t *found) =
blocks_test_portable;

#ifdef BF_HAVE_AVX2

BF_TARGET_AVX2 static bool
block_contains_avx2(const uint8_t *block, uint64_t hash, int k)
{
	return bf_block_contains_avx2(block, hash, k);
}

BF_TARGET_AVX2 static void
blocks_add_avx2(uint8_t *blocks, uint32_t nblocks, int k, const uint64_t *hashes, int n)
{
	int			batch;
	int			i;

	for (; n > 0; n -= batch, hashes += batch)
	{
		batch = prefetch_blocks(blocks, nblocks, hashes, n);
		for (i = 0; i < batch; i++)
			bf_block_add_avx2(blocks + bf_block_offset(hashes[i], nblocks), hashes[i], k);
	}
}

BF_TARGET_AVX2 static size_t
blocks_test_avx2(const uint8_t *blocks, uint32_t nblocks, int k, const uint64_t *hashes,
				 int n, uint8_t *found)
{
	size_t		hits = 0;
	int			batch;
	int			i;

	for (; n > 0; n -= batch, hashes += batch, found += batch)
	{
		batch = prefetch_blocks(blocks, nblocks, hashes, n);
		for (i = 0; i < batch; i++)
		{
			found[i] = bf_block_contains_avx2(blocks + bf_block_offset(hashes[i], nblocks),
											  hashes[i], k);
			hits += found[i];
		}
	}
	return hits;
}

BF_TARGET_POPCNT static uint64_t
blocks_popcount_popcnt(const uint8_t *blocks, uint32_t n)
{
	return count_bits(blocks, n);
}

#endif

void
bf_blocks_init(void)
{
#ifdef BF_HAVE_AVX2
	if (__builtin_cpu_supports("popcnt"))
		bf_blocks_popcount = blocks_popcount_popcnt;
	if (__builtin_cpu_supports("avx2"))
	{
		bf_block_contains_fast = block_contains_avx2;
		bf_blocks_add = blocks_add_avx2;
		bf_blocks_test = blocks_test_avx2;
	}
#endif
}
