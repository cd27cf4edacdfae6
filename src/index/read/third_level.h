/*-------------------------------------------------------------------------
 *
 * third_level.h
 *		Which groups a search has to look into, by their covers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_THIRD_LEVEL_H
#define BF_INDEX_THIRD_LEVEL_H

#include "index/read/search.h"

/*
 * Search the covers from the given group's on, as many as there is memory for the
 * results.  Returns the group after the last that is known of then, unless the
 * search becomes stale.
 */
extern uint32 bf_search_third_level(BfSearch *search, uint32 group);

/* The place of a group among the search's covers, or false: it is in none. */
static inline bool
bf_search_covers_group(const BfSearch *search, uint32 group, uint32 *cover)
{
	*cover = group / BF_COVER_GROUPS - search->first_cover;
	return *cover < search->covers;
}

/* May the group have a value of every key? */
static inline bool
bf_search_has_group(const BfSearch *search, uint32 group)
{
	uint32		cover;

	return !bf_search_covers_group(search, group, &cover) ||
		bf_mask_has(&search->groups[cover], group % BF_COVER_GROUPS);
}

/* May the group have the value of a key's hash? */
static inline bool
bf_search_has_hash(const BfSearch *search, const BfSearchKey *key, uint32 group, int hash)
{
	uint32		cover;

	return !bf_search_covers_group(search, group, &cover) ||
		bf_mask_has(&key->groups[(Size) cover * key->count + hash], group % BF_COVER_GROUPS);
}

#endif							/* BF_INDEX_THIRD_LEVEL_H */
