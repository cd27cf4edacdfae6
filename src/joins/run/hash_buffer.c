/*-------------------------------------------------------------------------
 *
 * hash_buffer.c
 *		The hashes of the keys that pass a build node, kept until their number
 *		is known.
 *
 * The number of keys is known only at the end; a filter sized by the planner's
 * estimate would be too small or too large.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/atomics.h"
#include "port/pg_bswap.h"
#include "utils/memutils.h"

#include "core/sizing.h"
#include "joins/keys/hash.h"
#include "joins/run/hash_buffer.h"
#include "joins/spec.h"
#include "type/memory/arrays.h"
#include "type/memory/blocks.h"

/* Chunks double in size, from 4 kB, for small joins, to 1 MB. */
#define FIRST_CHUNK_HASHES	1024
#define LAST_CHUNK_HASHES	262144

/* Hashes spread at a time, which fit into the first-level cache. */
#define SPREAD_BATCH	512

struct BfHashChunk
{
	struct BfHashChunk *next;
	uint32		size;
	uint32		count;
	uint32		hashes[FLEXIBLE_ARRAY_MEMBER];
};

void
bf_hash_buffer_init(BfHashBuffer *buffer, MemoryContext mcxt, uint64 max_count)
{
	buffer->mcxt = mcxt;
	buffer->count = 0;
	buffer->max_count = max_count;
	buffer->chunks = NULL;
}

void
bf_hash_buffer_reset(BfHashBuffer *buffer)
{
	MemoryContextReset(buffer->mcxt);
	buffer->count = 0;
	buffer->chunks = NULL;
}

static BfHashChunk *
new_chunk(BfHashBuffer *buffer)
{
	BfHashChunk *last = buffer->chunks;
	uint32		size = last == NULL ? FIRST_CHUNK_HASHES : Min(2 * last->size, LAST_CHUNK_HASHES);
	BfHashChunk *chunk = MemoryContextAllocExtended(buffer->mcxt,
													offsetof(BfHashChunk, hashes) +
													size * sizeof(uint32),
													MCXT_ALLOC_NO_OOM);

	if (chunk == NULL)
		return NULL;
	chunk->next = last;
	chunk->size = size;
	chunk->count = 0;
	buffer->chunks = chunk;
	return chunk;
}

bool
bf_hash_buffer_add(BfHashBuffer *buffer, uint32 hash)
{
	BfHashChunk *chunk = buffer->chunks;

	if (buffer->count == buffer->max_count)
		return false;
	if (chunk == NULL || chunk->count == chunk->size)
	{
		chunk = new_chunk(buffer);
		if (chunk == NULL)
			return false;
	}
	chunk->hashes[chunk->count++] = hash;
	buffer->count++;
	return true;
}

/*
 * Remove up to SPREAD_BATCH hashes and spread them to 64 bits.  Returns their
 * number; 0: none are left.
 */
static int
take_batch(BfHashBuffer *buffer, uint64_t *batch)
{
	BfHashChunk *chunk = buffer->chunks;
	int			n;
	int			i;

	if (chunk == NULL)
		return 0;
	n = (int) Min(chunk->count, SPREAD_BATCH);
	chunk->count -= n;
	buffer->count -= n;
	for (i = 0; i < n; i++)
		batch[i] = bf_join_hash_spread(chunk->hashes[chunk->count + i]);
	if (chunk->count == 0)
	{
		buffer->chunks = chunk->next;
		pfree(chunk);
	}
	return n;
}

uint8 *
bf_hash_buffer_blocks(BfHashBuffer *buffer, uint32 *nblocks, int *k)
{
	uint64_t	batch[SPREAD_BATCH];
	uint8	   *blocks;
	int			n;

	if (!bf_choose_size(Max((double) buffer->count, 1), BF_JOIN_FILTER_RATE, nblocks, k))
		return NULL;
	blocks = bf_try_allocate_array(buffer->mcxt, ((Size) *nblocks + 1) * BF_BLOCK_BYTES);
	if (blocks == NULL)
		return NULL;
	blocks = (uint8 *) TYPEALIGN(BF_BLOCK_BYTES, blocks);
	while ((n = take_batch(buffer, batch)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		bf_blocks_add(blocks, *nblocks, *k, batch, n);
	}
	return blocks;
}

/*
 * bf_block_add() for a block to which other processes write, with k <= 8.
 * Works on halves of words, because every processor has atomic operations for
 * these.
 */
static void
add_atomically(uint8 *block, uint64_t hash, int k)
{
	pg_atomic_uint32 *halves = (pg_atomic_uint32 *) block;
	uint64_t	g = bf_block_round1(hash);
	unsigned	start = bf_block_start(hash);
	unsigned	i;

	for (i = 0; i < (unsigned) k; i++)
	{
		unsigned	word = (start + i) & (BF_BLOCK_WORDS - 1);
		unsigned	bit = bf_block_bit(g, word);
		pg_atomic_uint32 *half = &halves[2 * word + bit / 32];
		uint32		mask = UINT32_C(1) << (bit % 32);

#ifdef WORDS_BIGENDIAN
		mask = pg_bswap32(mask);
#endif
		/* reading is cheaper, and many keys may be equal */
		if ((pg_atomic_read_u32(half) & mask) == 0)
			pg_atomic_fetch_or_u32(half, mask);
	}
}

void
bf_hash_buffer_merge(BfHashBuffer *buffer, uint8 *blocks, uint32 nblocks, int k)
{
	uint64_t	batch[SPREAD_BATCH];
	int			n;
	int			i;

	while ((n = take_batch(buffer, batch)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
			BF_PREFETCH(blocks + bf_block_offset(batch[i], nblocks));
		for (i = 0; i < n; i++)
			add_atomically(blocks + bf_block_offset(batch[i], nblocks), batch[i], k);
	}
}
