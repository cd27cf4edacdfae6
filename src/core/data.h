/*-------------------------------------------------------------------------
 *
 * data.h
 *		What is behind a filter's header: blocks, or a list of hashes.
 *
 * A list is in ascending order, and so in the order of the blocks that its
 * hashes belong to.  In a counting filter their counts follow behind all of
 * them.  Nothing of it need be aligned.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_DATA_H
#define BF_DATA_H

#include "core/format.h"

/* Find the hash in the list of so many.  Its place is set if it is there. */
extern bool bf_list_find(const uint8_t *hashes, uint64_t count, uint64_t hash, uint64_t *place);

static inline bool
bf_list_contains(const uint8_t *hashes, uint64_t count, uint64_t hash)
{
	uint64_t	place;

	return bf_list_find(hashes, count, hash, &place);
}

/*
 * How often is the hash in the data of a filter with this header, at most?  In
 * a bloomfilter that is 0 or 1, in a counting one up to BF_MAX_COUNT.
 */
extern int	bf_data_count(const BfHeader *header, const uint8_t *data, uint64_t hash);

/* Is the hash, or are its bits, in there at all? */
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
 * Make the block of that index from a list, where the hashes that fall into
 * it begin at *next_hash, which is moved past them; one of bits, also of a
 * counting filter's list, or one of counters.
 */
extern void bf_list_make_block(const BfHeader *header, const uint8_t *list, uint32_t index,
							   uint64_t *next_hash, uint8_t *block);
extern void bf_list_make_counters(const BfHeader *header, const uint8_t *list, uint32_t index,
								  uint64_t *next_hash, uint8_t *block);

/* Set the bits of a list's hashes in a filter's blocks. */
extern void bf_list_add_to_blocks(const BfHeader *header, const uint8_t *list, uint8_t *blocks);

#endif							/* BF_DATA_H */
