/*-------------------------------------------------------------------------
 *
 * hash_buffer.h
 *		The hashes of the keys that pass a build node, kept until their number
 *		is known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_HASH_BUFFER_H
#define BF_HASH_BUFFER_H

typedef struct BfHashChunk BfHashChunk;

typedef struct BfHashBuffer
{
	MemoryContext mcxt;			/* of the hashes and the blocks */
	uint64		count;			/* hashes in the buffer */
	uint64		max_count;		/* further hashes are refused */
	BfHashChunk *chunks;		/* newest first */
} BfHashBuffer;

/* Initialise, without hashes. */
extern void bf_hash_buffer_init(BfHashBuffer *buffer, MemoryContext mcxt, uint64 max_count);

/* Remove and free all hashes: the context is reset. */
extern void bf_hash_buffer_reset(BfHashBuffer *buffer);

/* Add a hash.  False if there are too many or there is no memory for it. */
extern bool bf_hash_buffer_add(BfHashBuffer *buffer, uint32 hash);

/*
 * Make a filter of the hashes in the same context, and free the hashes.
 * Returns the filter's blocks, or NULL if there are too many hashes or not
 * enough memory.
 */
extern uint8 *bf_hash_buffer_blocks(BfHashBuffer *buffer, uint32 *nblocks, int *k);

/*
 * Set the bits of the hashes in blocks to which other processes write at the
 * same time, and free the hashes.  k is at most 8, as it is for
 * BF_JOIN_FILTER_RATE.
 */
extern void bf_hash_buffer_merge(BfHashBuffer *buffer, uint8 *blocks, uint32 nblocks, int k);

#endif							/* BF_HASH_BUFFER_H */
