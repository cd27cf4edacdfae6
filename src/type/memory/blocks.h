/* blocks.h: declarations of blocks.c */
#ifndef BF_TYPE_BLOCKS_H
#define BF_TYPE_BLOCKS_H

#include "core/blocks.h"
#include "type/memory/hashset.h"

/* Set the bits of all hashes of a set. */
extern void bf_blocks_add_set(uint8_t *blocks, uint32_t nblocks, int k,
							  const BfHashSet *set);

/* Combine n blocks into ours with OR or AND.  Neither has to be aligned. */
extern void bf_blocks_or(uint8_t *ours, const uint8_t *theirs, uint32_t n);
extern void bf_blocks_and(uint8_t *ours, const uint8_t *theirs, uint32_t n);

#endif							/* BF_TYPE_BLOCKS_H */
