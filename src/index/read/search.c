/*-------------------------------------------------------------------------
 *
 * search.c
 *		What all levels of a filter index have in common when they are searched.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "index/read/search.h"

int
bf_hashes_in_page(const BfSearchKey *key, const BfSlab *slab, int first)
{
	BlockNumber page = bf_first_level_place(slab, key->hashes[first]).page;
	int			last = first + 1;

	while (last < key->count && bf_first_level_place(slab, key->hashes[last]).page == page)
		last++;
	return last - first;
}

bool
bf_search_has_page(BfSearch *search, Buffer buffer, const BfSlab *slab)
{
	if (bf_slab_has_page(search->index, buffer, slab, search->directory->generation))
	{
		BF_TEST_FOR_OLD_SNAPSHOT(search->snapshot, search->index, BufferGetPage(buffer));
		return true;
	}
	search->is_stale = true;
	return false;
}

BfMask
bf_search_decide(const BfSearchKey *key, const BfMask *found, uint32 members)
{
	BfMask		result = {{0}};
	int			i;

	if (key->queries != NULL)
		return bf_queries_decide(key->queries, found, members);
	for (i = 0; i < key->count; i++)
		bf_mask_or(&result, &found[i]);
	return result;
}
