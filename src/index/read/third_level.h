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

/* Which of the search's covers is the group in, and where there?  False: it is in none. */
static inline bool
bf_search_covers_group(const BfSearch *search, uint32 group, uint32 *cover, uint32 *member)
{
	uint32		row = bf_directory_cover_row(search->directory, group);

	*cover = row - search->first_cover;
	if (row == BF_NO_GROUP || *cover >= search->covers)
		return false;
	*member = group - bf_directory_first_group(search->directory, row);
	return true;
}

/* May the group have a value of every key? */
static inline bool
bf_search_has_group(const BfSearch *search, uint32 group)
{
	uint32		cover;
	uint32		member;

	return !bf_search_covers_group(search, group, &cover, &member) ||
		bf_mask_has(&search->groups[cover], member);
}

/* May the group have the value of a key's hash? */
static inline bool
bf_search_has_hash(const BfSearch *search, const BfSearchKey *key, uint32 group, int hash)
{
	uint32		cover;
	uint32		member;

	return !bf_search_covers_group(search, group, &cover, &member) ||
		bf_mask_has(&key->groups[(Size) cover * key->count + hash], member);
}

#endif							/* BF_INDEX_THIRD_LEVEL_H */
