/*-------------------------------------------------------------------------
 *
 * gather.h
 *		The hashes of the keys that pass a build node, kept until their number
 *		is known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_GATHER_H
#define BF_JOIN_GATHER_H

#include "postgres.h"

typedef struct BfJoinChunk BfJoinChunk;

typedef struct BfJoinGather
{
	MemoryContext mcxt;			/* of the hashes and the blocks */
	uint64		count;			/* hashes gathered */
	uint64		max_count;		/* further hashes are refused */
	BfJoinChunk *chunks;		/* newest first */
} BfJoinGather;

/* Initialise, without hashes. */
extern void bf_join_gather_init(BfJoinGather *gather, MemoryContext mcxt, uint64 max_count);

/* Remove and free all hashes: the context is reset. */
extern void bf_join_gather_reset(BfJoinGather *gather);

/* Add a hash.  False if there are too many or there is no memory for it. */
extern bool bf_join_gather_add(BfJoinGather *gather, uint32 hash);

/*
 * Make a filter of the hashes in the same context, and free the hashes.
 * Returns the filter's blocks, or NULL if there are too many hashes or not
 * enough memory.
 */
extern uint8 *bf_join_gather_blocks(BfJoinGather *gather, uint32 *nblocks, int *k);

/*
 * Set the bits of the hashes in blocks to which other processes write at the
 * same time, and free the hashes.  k is at most 8, as it is for
 * BF_JOIN_FILTER_RATE.
 */
extern void bf_join_gather_merge(BfJoinGather *gather, uint8 *blocks, uint32 nblocks, int k);

#endif							/* BF_JOIN_GATHER_H */
