/*-------------------------------------------------------------------------
 *
 * join_filter_gather.h
 *		The hashes of the keys that pass a build node, until their number is
 *		known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_FILTER_GATHER_H
#define BF_JOIN_FILTER_GATHER_H

#include "postgres.h"

typedef struct BfJoinChunk BfJoinChunk;

typedef struct BfJoinGather
{
	MemoryContext mcxt;			/* of all that follows */
	uint64		count;			/* hashes gathered */
	uint64		max_count;		/* more are refused */
	BfJoinChunk *chunks;		/* newest first */
} BfJoinGather;

/*
 * The expected false positive rate of join filters: they are made for it if
 * the number of keys is known.
 */
#define BF_JOIN_FILTER_RATE		0.01

/*
 * Bytes that a key takes: four for its hash, and ten bits, rounded up, of a
 * filter for that rate.  The filter of a Parallel Hash takes the latter only.
 */
#define BF_JOIN_HASH_BYTES		4
#define BF_JOIN_FILTER_BYTES	1.3
#define BF_JOIN_KEY_BYTES		(BF_JOIN_HASH_BYTES + BF_JOIN_FILTER_BYTES)

/* Start with nothing. */
extern void bf_join_gather_init(BfJoinGather *gather, MemoryContext mcxt, uint64 max_count);

/* Forget everything, and free it: the context is reset. */
extern void bf_join_gather_reset(BfJoinGather *gather);

/* Add a hash.  False if there are too many or there is no memory for it. */
extern bool bf_join_gather_add(BfJoinGather *gather, uint32 hash);

/*
 * Make a filter of the hashes, which are freed, in the same context.  Returns
 * its blocks, or NULL if there are too many hashes or there is no memory.
 */
extern uint8 *bf_join_gather_blocks(BfJoinGather *gather, uint32 *nblocks, int *k);

/*
 * Set the bits of the hashes, which are freed, in blocks that others write to
 * at the same time.  k is at most 8, as it is for BF_JOIN_FILTER_RATE.
 */
extern void bf_join_gather_merge(BfJoinGather *gather, uint8 *blocks, uint32 nblocks, int k);

#endif							/* BF_JOIN_FILTER_GATHER_H */
