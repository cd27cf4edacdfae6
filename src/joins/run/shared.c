/*-------------------------------------------------------------------------
 *
 * shared.c
 *		The filter of a Parallel Hash, which its participants build together.
 *
 * Workers that share a hash table each hash a part of the rows, so none of
 * them could make the filter alone.  The filter is beside the hash table in
 * shared memory, sized by the planner's estimate, and each participant adds
 * the keys of its part of the input.
 *
 * A participant has added the last of its keys before it arrives at the
 * barrier at which the hash table is complete.  No participant reads the outer
 * side before that barrier, or starts to hash rows after it.  So no row is
 * tested by an incomplete filter.  Counters of the participants that started
 * and of those that are done ensure this: a process has no blocks to test
 * before the counters agree, nor after it starts anew.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "port/atomics.h"

#include "core/block.h"
#include "core/sizing.h"
#include "joins/run/shared.h"
#include "joins/spec.h"
#include "type/memory/arrays.h"
#include "type/memory/blocks.h"

/*
 * Maximum ratio of keys to the number that a filter was made for.  With twice
 * as many keys, a filter of one percent lets nine percent pass; with more, it
 * is not used.
 */
#define MAX_OVERLOAD	2

/*
 * Filters matter most if far more rows are hashed than estimated: three
 * correlated conditions are easily wrong by a factor of a hundred.  So there
 * is room for 128 times the estimate while that takes little memory (four
 * million keys: 5 MB), and otherwise for four times, if memory allows.
 * However low the estimate is, there is room for 65,536 keys, which take no
 * more than 80 kB.
 */
#define GENEROUS_FACTOR	128
#define GENEROUS_KEYS	4194304
#define LEAST_FACTOR	4
#define LEAST_KEYS		65536

/*
 * The number of blocks is a multiple of this, so that it can be divided by all
 * powers of two up to this, and a filter with few keys can be tested in a
 * small copy.
 */
#define BLOCKS_DIVISOR	64

struct BfJoinShared
{
	BfJoinSharedSize size;
	Size		first_block;	/* offset that aligns the blocks */
	uint64		max_keys;		/* of all participants */
	pg_atomic_uint64 keys;
	pg_atomic_uint32 started;	/* participants that asked for a row */
	pg_atomic_uint32 done;		/* participants whose keys are in the blocks */
	pg_atomic_uint32 given_up;	/* are there too many keys? */
	Size		first_slot;		/* offset of the slots of keys */
};

/* The slot to which a participant writes its keys of a column. */
static char *
key_slot(BfJoinShared *shared, int participant, int key)
{
	return (char *) shared + shared->first_slot +
		((Size) participant * shared->size.nkeys + key) * BF_KEYS_SLOT_BYTES;
}

static uint8 *
shared_blocks(BfJoinShared *shared)
{
	return (uint8 *) shared + shared->first_block;
}

bool
bf_join_shared_is_given_up(BfJoinShared *shared)
{
	return pg_atomic_read_u32(&shared->given_up) != 0;
}

Size
bf_join_shared_bytes(BfJoinSharedSize size)
{
	return sizeof(BfJoinShared) + ((Size) size.nblocks + 1) * BF_BLOCK_BYTES +
		(Size) size.nkeys * size.participants * BF_KEYS_SLOT_BYTES;
}

/* The number of keys for which room is made. */
static double
chosen_capacity(double rows, Size max_bytes)
{
	double		keys = Max(LEAST_FACTOR * rows, Min(GENEROUS_FACTOR * rows, GENEROUS_KEYS));

	keys = Max(keys, LEAST_KEYS);
	return Min(keys, max_bytes / BF_JOIN_FILTER_BYTES);
}

BfJoinSharedSize
bf_join_shared_choose_size(double rows, int nkeys, int participants)
{
	Size		max_bytes = bf_join_filter_max_bytes(participants);
	BfJoinSharedSize result = {.nkeys = nkeys, .participants = participants};

	rows = Max(rows, 1);
	if (rows * BF_JOIN_FILTER_BYTES > max_bytes ||
		!bf_choose_size(chosen_capacity(rows, max_bytes), BF_JOIN_FILTER_RATE, &result.nblocks,
						&result.k))
		result.nblocks = result.k = 0;
	else if (result.nblocks > BLOCKS_DIVISOR)
		result.nblocks -= result.nblocks % BLOCKS_DIVISOR;
	return result;
}

void
bf_join_shared_clear(BfJoinShared *shared)
{
	int			i;

	pg_atomic_write_u64(&shared->keys, 0);
	pg_atomic_write_u32(&shared->started, 0);
	pg_atomic_write_u32(&shared->done, 0);
	pg_atomic_write_u32(&shared->given_up, shared->size.nblocks == 0);
	memset(shared_blocks(shared), 0, (Size) shared->size.nblocks * BF_BLOCK_BYTES);
	for (i = 0; i < shared->size.participants * shared->size.nkeys; i++)
		bf_keys_clear_slot(key_slot(shared, 0, i));
}

void
bf_join_shared_init(BfJoinShared *shared, BfJoinSharedSize size)
{
	shared->size = size;
	shared->first_block = (char *) TYPEALIGN(BF_BLOCK_BYTES, shared + 1) - (char *) shared;
	shared->max_keys = MAX_OVERLOAD *
		(uint64) (size.nblocks * (double) BF_BLOCK_BYTES / BF_JOIN_FILTER_BYTES);
	pg_atomic_init_u64(&shared->keys, 0);
	pg_atomic_init_u32(&shared->started, 0);
	pg_atomic_init_u32(&shared->done, 0);
	pg_atomic_init_u32(&shared->given_up, 0);
	shared->first_slot = shared->first_block + (Size) size.nblocks * BF_BLOCK_BYTES;
	bf_join_shared_clear(shared);
}

void
bf_join_shared_attach(BfJoinShared *shared, BfJoinFilter *filter)
{
	filter->shared = shared;
	filter->blocks = NULL;
	filter->keys_complete = false;
	filter->nblocks = shared->size.nblocks;
	filter->k = shared->size.k;
}

void
bf_join_shared_detach(BfJoinFilter *filter)
{
	filter->blocks = NULL;
	/* EXPLAIN shows the shared size, not that of a copy */
	filter->nblocks = filter->shared->size.nblocks;
	filter->shared = NULL;
}

/* ---------- building ---------- */

void
bf_join_shared_start(BfJoinShared *shared)
{
	pg_atomic_fetch_add_u32(&shared->started, 1);
}

void
bf_join_shared_give_up(BfJoinShared *shared)
{
	pg_atomic_write_u32(&shared->given_up, 1);
}

bool
bf_join_shared_merge(BfJoinShared *shared, BfHashBuffer *buffer)
{
	int64		count = (int64) buffer->count;

	if (bf_join_shared_is_given_up(shared))
		return false;
	if (pg_atomic_add_fetch_u64(&shared->keys, count) > shared->max_keys)
	{
		bf_join_shared_give_up(shared);
		return false;
	}
	bf_hash_buffer_merge(buffer, shared_blocks(shared), shared->size.nblocks, shared->size.k);
	return true;
}

void
bf_join_shared_write_keys(BfJoinShared *shared, BfKeySet **keys)
{
	int			i;

	for (i = 0; i < shared->size.nkeys; i++)
		if (keys[i] != NULL)
			bf_keys_write(keys[i], key_slot(shared, ParallelWorkerNumber + 1, i));
}

/*
 * A full barrier: a process that sees the count also sees the bits, or that
 * the filter was given up.
 */
void
bf_join_shared_end(BfJoinShared *shared)
{
	pg_atomic_fetch_add_u32(&shared->done, 1);
}

/*
 * The filter already has the size that its keys require; see surplus().
 * No process reads the copy before the workers are launched.
 */
bool
bf_join_shared_copy(BfJoinShared *shared, const BfJoinFilter *filter)
{
	if (filter->blocks == NULL)
		bf_join_shared_give_up(shared);
	else if (filter->nblocks != shared->size.nblocks)
		return false;
	else
	{
		memcpy(shared_blocks(shared), filter->blocks, (Size) filter->nblocks * BF_BLOCK_BYTES);
		shared->size.k = filter->k;
		pg_atomic_write_u64(&shared->keys, shared->max_keys / MAX_OVERLOAD);
	}
	bf_join_shared_write_keys(shared, filter->keys);
	bf_join_shared_start(shared);
	bf_join_shared_end(shared);
	return true;
}

/* ---------- testing ---------- */

bool
bf_join_shared_is_complete(BfJoinShared *shared)
{
	uint32		done = pg_atomic_read_u32(&shared->done);

	pg_memory_barrier();
	return done > 0 && done == pg_atomic_read_u32(&shared->started);
}

void
bf_join_shared_read_keys(BfJoinFilter *filter)
{
	BfJoinShared *shared = filter->shared;
	int			i;
	int			j;

	if (filter->keys_complete)
		return;
	for (i = 0; i < shared->size.nkeys; i++)
	{
		if (filter->keys[i] == NULL)
			continue;
		bf_keys_reset(filter->keys[i]);
		for (j = 0; j < shared->size.participants; j++)
			bf_keys_read(filter->keys[i], key_slot(shared, j, i));
		bf_keys_finish(filter->keys[i]);
	}
	filter->keys_complete = true;
}

/*
 * The largest power of two by which the number of blocks can be divided while
 * all keys still fit.
 */
static uint32
surplus(BfJoinShared *shared)
{
	double		needed = pg_atomic_read_u64(&shared->keys) * BF_JOIN_FILTER_BYTES / BF_BLOCK_BYTES;
	uint32		factor = 1;

	while (shared->size.nblocks % (2 * factor) == 0 && shared->size.nblocks / (2 * factor) >= needed)
		factor *= 2;
	return factor;
}

/*
 * Merge adjacent blocks.  The bits of a hash do not depend on the number of
 * blocks, so the merged blocks are those of a smaller filter; a small filter
 * stays in the processor's cache.
 */
static uint8 *
merged_copy(BfJoinShared *shared, uint32 factor, MemoryContext mcxt)
{
	Size		blocks = shared->size.nblocks / factor;
	uint8	   *copy = bf_try_allocate_array(mcxt, (blocks + 1) * BF_BLOCK_BYTES);
	uint32		i;

	if (copy == NULL)
		return NULL;
	copy = (uint8 *) TYPEALIGN(BF_BLOCK_BYTES, copy);
	for (i = 0; i < shared->size.nblocks; i++)
		bf_blocks_or(copy + (Size) (i / factor) * BF_BLOCK_BYTES,
					 shared_blocks(shared) + (Size) i * BF_BLOCK_BYTES, 1);
	return copy;
}

void
bf_join_shared_open(BfJoinFilter *filter)
{
	BfJoinShared *shared = filter->shared;
	uint32		factor;

	if (filter->blocks != NULL || bf_join_shared_is_given_up(shared))
		return;
	filter->nblocks = shared->size.nblocks;
	factor = surplus(shared);
	if (factor > 1)
		filter->blocks = merged_copy(shared, factor, filter->mcxt);
	if (filter->blocks == NULL)
		filter->blocks = shared_blocks(shared);
	else
		filter->nblocks = shared->size.nblocks / factor;
}
