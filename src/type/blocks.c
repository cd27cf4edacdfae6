/*-------------------------------------------------------------------------
 *
 * blocks.c
 *		The block operations as the server uses them: in batches, and by the
 *		fastest way that the processor offers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "core/block_avx2.h"
#include "type/blocks.h"

/* Blocks between two looks for an interrupt: 4 MiB, about a millisecond. */
#define INTERRUPT_BLOCKS	65536

/* Hashes whose blocks are fetched at the same time. */
#define PREFETCH_BATCH		32

static int
prefetch_blocks(uint8_t *blocks, uint32_t nblocks, const uint64_t *hashes, int n)
{
	int			batch = Min(n, PREFETCH_BATCH);
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

static uint64_t
blocks_popcount_portable(const uint8_t *blocks, uint32_t n)
{
	/* at most 512 MiB, so an int will do */
	return pg_popcount((const char *) blocks, (int) (n * BF_BLOCK_BYTES));
}

uint64_t	(*bf_blocks_popcount) (const uint8_t *blocks, uint32_t n) = blocks_popcount_portable;
bool		(*bf_block_contains_fast) (const uint8_t *block, uint64_t hash, int k) =
block_contains_portable;
void		(*bf_blocks_add) (uint8_t *blocks, uint32_t nblocks, int k,
							  const uint64_t *hashes, int n) = blocks_add_portable;

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

BF_TARGET_POPCNT static uint64_t
blocks_popcount_popcnt(const uint8_t *blocks, uint32_t n)
{
	uint64_t	bits = 0;
	int			word;

	for (; n > 0; n--, blocks += BF_BLOCK_BYTES)
		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			bits += (uint64_t) __builtin_popcountll(bf_load_u64(blocks + word));
	return bits;
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
	}
#endif
}

void
bf_blocks_add_set(uint8_t *blocks, uint32_t nblocks, int k, const BfHashSet *set)
{
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	int			n;

	/* nearly in order, so that the blocks are written nearly in order too */
	bf_hashset_scan_begin(&scan, set);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		bf_blocks_add(blocks, nblocks, k, hashes, n);
	}
}

/*
 * OR or AND, as a constant.  Byte order does not matter to bitwise
 * operations, and the compiler makes vectors of single bytes.
 */
static pg_attribute_always_inline void
combine_blocks(uint8_t *ours, const uint8_t *theirs, uint32_t n, bool intersect)
{
	uint32_t	done = 0;

	while (done < n)
	{
		size_t		bytes = (size_t) Min(n - done, INTERRUPT_BLOCKS) * BF_BLOCK_BYTES;
		size_t		i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < bytes; i++)
			ours[i] = intersect ? ours[i] & theirs[i] : ours[i] | theirs[i];
		ours += bytes;
		theirs += bytes;
		done += INTERRUPT_BLOCKS;
	}
}

void
bf_blocks_or(uint8_t *ours, const uint8_t *theirs, uint32_t n)
{
	combine_blocks(ours, theirs, n, false);
}

void
bf_blocks_and(uint8_t *ours, const uint8_t *theirs, uint32_t n)
{
	combine_blocks(ours, theirs, n, true);
}
