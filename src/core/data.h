/*-------------------------------------------------------------------------
 *
 * data.h
 *		The data that follow a filter's header: blocks, or a list of hashes.
 *
 * The hashes of a list are in ascending order, which is also the order of
 * their blocks.  A counting filter's list has the counts after the last hash.
 * Nothing is aligned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_DATA_H
#define BF_DATA_H

#include "core/format.h"

/* Find the hash in a list of "count" hashes.  Sets *place if it is found. */
extern bool bf_list_find(const uint8_t *hashes, uint64_t count, uint64_t hash, uint64_t *place);

static inline bool
bf_list_contains(const uint8_t *hashes, uint64_t count, uint64_t hash)
{
	uint64_t	place;

	return bf_list_find(hashes, count, hash, &place);
}

/*
 * How often was the hash added, at most, to the filter with this header and
 * data?  0 or 1 for a bloomfilter, 0 to BF_MAX_COUNT for a counting filter.
 */
extern int	bf_data_count(const BfHeader *header, const uint8_t *data, uint64_t hash);

/* Does the data contain the hash, or all its bits? */
static inline bool
bf_data_contains(const BfHeader *header, const uint8_t *data, uint64_t hash)
{
	return bf_data_count(header, data, hash) > 0;
}

/* The counts of a counting filter's list. */
static inline const uint8_t *
bf_list_counts(const BfHeader *header, const uint8_t *list)
{
	return list + 8 * (size_t) header->count;
}

/*
 * Make the block with this index from a list.  *next_hash is the place of the
 * first hash of the block, and is moved past its last hash.  The first
 * function makes a block of bits, for both types of filters, the second a
 * block of counters.
 */
extern void bf_list_make_block(const BfHeader *header, const uint8_t *list, uint32_t index,
							   uint64_t *next_hash, uint8_t *block);
extern void bf_list_make_counters(const BfHeader *header, const uint8_t *list, uint32_t index,
								  uint64_t *next_hash, uint8_t *block);

/* Set the bits of all hashes of a list in a filter's blocks. */
extern void bf_list_add_to_blocks(const BfHeader *header, const uint8_t *list, uint8_t *blocks);

#endif							/* BF_DATA_H */
