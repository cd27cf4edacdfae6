/*-------------------------------------------------------------------------
 *
 * blocks.h
 *		The block operations as the server uses them: in batches, and by the
 *		fastest way that the processor offers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_BLOCKS_H
#define BF_BLOCKS_H

#include "postgres.h"

#include "core/block.h"
#include "type/hashset.h"

/* Choose the functions below; called once when the library is loaded. */
extern void bf_blocks_init(void);

/* bf_block_contains() */
extern bool (*bf_block_contains_fast) (const uint8_t *block, uint64_t hash, int k);

/*
 * Set the bits of n hashes.  The blocks of a few at a time are all fetched
 * before the first one is written.
 */
extern void (*bf_blocks_add) (uint8_t *blocks, uint32_t nblocks, int k,
							  const uint64_t *hashes, int n);

/* Set the bits of all hashes of a set. */
extern void bf_blocks_add_set(uint8_t *blocks, uint32_t nblocks, int k,
							  const BfHashSet *set);

/*
 * The number of bits set in n blocks.  pg_popcount(), but without a call for
 * every word, which takes three times as long as reading the memory.
 */
extern uint64_t (*bf_blocks_popcount) (const uint8_t *blocks, uint32_t n);

/* OR or AND n blocks onto ours.  Neither need be aligned. */
extern void bf_blocks_or(uint8_t *ours, const uint8_t *theirs, uint32_t n);
extern void bf_blocks_and(uint8_t *ours, const uint8_t *theirs, uint32_t n);

#endif							/* BF_BLOCKS_H */
