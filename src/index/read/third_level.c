/*-------------------------------------------------------------------------
 *
 * third_level.c
 *		Which groups a search has to look into, by their covers.
 *
 * If a column has no cover, every group may have every value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "index/read/stream.h"
#include "index/read/third_level.h"

/* The cover that a key's values are looked up in, or NULL. */
static const BfSlab *
cover_of_key(const BfSearch *search, uint32 cover, const BfSearchKey *key)
{
	const BfSlab *slab = bf_directory_cover(search->directory, search->first_cover + cover,
											key->column);

	return bf_slab_exists(slab) ? slab : NULL;
}

/* A position among the pages: in the order of covers, keys, and hashes. */
typedef struct CoverWalk
{
	const BfSearch *search;
	uint32		cover;
	int			key;
	int			hash;
} CoverWalk;

static BlockNumber
next_cover_page(void *state)
{
	CoverWalk  *walk = state;

	for (; walk->cover < walk->search->covers; walk->cover++, walk->key = 0)
		for (; walk->key < walk->search->nkeys; walk->key++, walk->hash = 0)
		{
			const BfSearchKey *key = &walk->search->keys[walk->key];
			const BfSlab *slab = cover_of_key(walk->search, walk->cover, key);
			int			hash = walk->hash;

			if (slab == NULL || hash == key->count)
				continue;
			walk->hash += bf_hashes_in_page(key, slab, hash);
			return bf_cover_place(slab, key->hashes[hash]).page;
		}
	return InvalidBlockNumber;
}

/*
 * The groups of a cover that may match the key, unless the search becomes
 * stale.  The result for each hash goes to groups.
 */
static BfMask
search_cover(BfSearch *search, const BfSearchKey *key, const BfSlab *slab, BfStream *stream,
			 BfMask *groups)
{
	BfMask		none = {{0}};
	int			first;
	int			last;

	for (first = 0; first < key->count && !search->is_stale; first = last)
	{
		Buffer		buffer = bf_stream_next(stream);
		int			i;

		CHECK_FOR_INTERRUPTS();
		last = first + bf_hashes_in_page(key, slab, first);
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		if (bf_search_has_page(search, buffer, slab))
			for (i = first; i < last; i++)
			{
				BfPlace		place = bf_cover_place(slab, key->hashes[i]);

				Assert(place.page == BufferGetBlockNumber(buffer));
				groups[i] = bf_match(BufferGetPage(buffer), &place, slab->ranges,
									 bf_third_level_hash(key->hashes[i]), slab->k);
			}
		UnlockReleaseBuffer(buffer);
	}
	return search->is_stale ? none : bf_search_decide(key, groups, slab->ranges);
}

/* Search all covers that there is memory for. */
static void
search_covers(BfSearch *search)
{
	CoverWalk	walk = {.search = search};
	BfStream   *stream = bf_stream_begin(search->index, next_cover_page, &walk);
	uint32		cover;
	int			i;

	for (cover = 0; cover < search->covers; cover++)
		for (i = 0; i < search->nkeys && !search->is_stale; i++)
		{
			BfSearchKey *key = &search->keys[i];
			const BfSlab *slab = cover_of_key(search, cover, key);
			BfMask		found;

			if (slab == NULL)
				continue;
			found = search_cover(search, key, slab, stream,
								 key->groups + (Size) cover * key->count);
			bf_mask_and(&search->groups[cover], &found);
		}
	bf_stream_end(stream);
}

/* Masks of all groups: until something else is known, each may have each value. */
static BfMask *
full_masks(BfMask *old, Size count)
{
	BfMask	   *result;

	if (old != NULL)
		pfree(old);
	result = MemoryContextAllocHuge(CurrentMemoryContext, Max(count, 1) * sizeof(BfMask));
	memset(result, 0xFF, count * sizeof(BfMask));
	return result;
}

/* The number of covers, one up to most, that there is memory for the results of. */
static uint32
covers_at_a_time(const BfSearch *search, uint32 most)
{
	Size		masks = 1;
	int			i;

	for (i = 0; i < search->nkeys; i++)
		masks += search->keys[i].count;
	masks = (Size) work_mem * 1024 / (masks * sizeof(BfMask));
	return (uint32) Min(Max(masks, 1), most);
}

uint32
bf_search_third_level(BfSearch *search, uint32 group)
{
	const BfDirectory *directory = search->directory;
	int			i;

	search->first_cover = bf_directory_cover_row(directory, group);
	search->covers = 0;
	if (search->first_cover == BF_NO_GROUP)
		return directory->groups;
	search->covers = covers_at_a_time(search, directory->covers - search->first_cover);
	search->groups = full_masks(search->groups, search->covers);
	for (i = 0; i < search->nkeys; i++)
		search->keys[i].groups = full_masks(search->keys[i].groups,
											(Size) search->covers * search->keys[i].count);
	search_covers(search);
	return search->first_cover + search->covers == directory->covers ? directory->groups :
		bf_directory_first_group(directory, search->first_cover + search->covers);
}
