/* blocks.h: declarations of blocks.c */
#ifndef BF_BLOCKS_H
#define BF_BLOCKS_H

#include "core/block.h"

/* Choose the functions below; called once when the library is loaded. */
extern void bf_blocks_init(void);

/* bf_block_contains() */
extern bool (*bf_block_contains_fast) (const uint8_t *block, uint64_t hash, int k);

/*
 * Set the bits of n hashes.  The blocks of a batch of hashes are all
 * prefetched before the first of them is written.
 */
extern void (*bf_blocks_add) (uint8_t *blocks, uint32_t nblocks, int k,
							  const uint64_t *hashes, int n);

/*
 * bf_block_contains() of n hashes: found gets 0 or 1 for each.  Returns how
 * many were found.  Blocks are prefetched as for bf_blocks_add().
 */
extern size_t (*bf_blocks_test) (const uint8_t *blocks, uint32_t nblocks, int k,
								 const uint64_t *hashes, int n, uint8_t *found);

/*
 * The number of bits set in n blocks.  Words are counted inline: a call per
 * word would take three times as long as reading the memory.
 */
extern uint64_t (*bf_blocks_popcount) (const uint8_t *blocks, uint32_t n);

#endif							/* BF_BLOCKS_H */
