/*-------------------------------------------------------------------------
 *
 * blocks.h
 *		The block operations in batches, and by the fastest way that the
 *		processor offers.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_BLOCKS_H
#define BF_BLOCKS_H

#include "core/block.h"

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

/*
 * bf_block_contains() of n hashes: 0 or 1 for each, in found, and how many
 * there are.  Blocks are fetched as above.
 */
extern size_t (*bf_blocks_test) (const uint8_t *blocks, uint32_t nblocks, int k,
								 const uint64_t *hashes, int n, uint8_t *found);

/*
 * The number of bits set in n blocks.  Without a call for every word, which
 * takes three times as long as reading the memory.
 */
extern uint64_t (*bf_blocks_popcount) (const uint8_t *blocks, uint32_t n);

#endif							/* BF_BLOCKS_H */
