/*-------------------------------------------------------------------------
 *
 * data.h
 *		What is behind a filter's header: blocks, or a list of hashes.
 *
 * A list is in ascending order, and so in the order of the blocks that its
 * hashes belong to.  Neither need be aligned.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_DATA_H
#define BF_DATA_H

#include "core/format.h"

/* Is the hash in the list of so many? */
extern bool bf_list_contains(const uint8_t *hashes, uint64_t count, uint64_t hash);

/* Is the hash, or are its bits, in the data of a filter with this header? */
extern bool bf_data_contains(const BfHeader *header, const uint8_t *data, uint64_t hash);

/*
 * Make the block of that index from a list, where the hashes that fall into
 * it begin at *next_hash, which is moved past them.
 */
extern void bf_list_make_block(const BfHeader *header, const uint8_t *list, uint32_t index,
							   uint64_t *next_hash, uint8_t *block);

/* Set the bits of a list's hashes in a filter's blocks. */
extern void bf_list_add_to_blocks(const BfHeader *header, const uint8_t *list, uint8_t *blocks);

#endif							/* BF_DATA_H */
