/*-------------------------------------------------------------------------
 *
 * scan.c
 *		Scanning a filter index: ambeginscan, amrescan, amgetbitmap and
 *		amendscan.
 *
 * Where groups have covers, the third level tells which of them may have the values
 * (third_level.c).  For each of these groups, the first level tells the ranges that may have a value of
 * every condition, and the second level the sets of these ranges.  The pages
 * of the sets go into the bitmap as a whole; the server tests their rows.
 *
 * A slab's pages may have been given away since the directory was read.  Then
 * the group is searched again by a newer directory.  Pages that were found
 * before stay found.
 *
 * An index whose scope is the table has one filter of all rows.  That tells
 * whether to read the table at all.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relscan.h"
#include "access/table.h"
#include "access/transam.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"
#include "utils/spccache.h"

#include "compat.h"
#include "index/file/hash.h"
#include "index/file/horizon.h"
#include "index/file/keys.h"
#include "index/file/table.h"
#include "index/read/scan.h"
#include "index/read/stream.h"
#include "index/read/third_level.h"
#include "index/read/table_match.h"

/* A part of a millisecond. */
#define PAGES_WITHOUT_INTERRUPTS	4096

/* ---------- which pages of the index ---------- */

/*
 * A position among the pages of the first level: in the order of groups, keys,
 * and hashes, whose pages ascend.
 */
typedef struct Walk
{
	const BfSearch *search;
	uint32		group;
	uint32		end;			/* the group after the last */
	int			key;
	int			hash;
} Walk;

/* Has the group to be searched? */
static bool
is_searched(const BfSearch *search, uint32 group)
{
	int			i;

	if (bf_directory_slab(search->directory, group, 0)->first_heap_page >= search->heap_pages ||
		!bf_search_has_group(search, group))
		return false;
	for (i = 0; i < search->nkeys; i++)
		if (!bf_slab_exists(bf_directory_slab(search->directory, group, search->keys[i].column)))
			return false;
	return true;
}

/* The first hash from the given one on that the group may have, or the number of hashes. */
static int
next_hash(const BfSearch *search, const BfSearchKey *key, uint32 group, int hash)
{
	while (hash < key->count && !bf_search_has_hash(search, key, group, hash))
		hash++;
	return hash;
}

static BlockNumber
next_first_level_page(void *state)
{
	Walk	   *walk = state;
	const BfSearch *search = walk->search;

	for (; walk->group < walk->end; walk->group++, walk->key = 0)
	{
		if (!is_searched(search, walk->group))
			continue;
		for (; walk->key < search->nkeys; walk->key++, walk->hash = 0)
		{
			const BfSearchKey *key = &search->keys[walk->key];
			const BfSlab *slab = bf_directory_slab(search->directory, walk->group, key->column);
			int			hash = next_hash(search, key, walk->group, walk->hash);

			if (hash == key->count)
				continue;
			walk->hash = hash + bf_hashes_in_page(key, slab, hash);
			return bf_first_level_place(slab, key->hashes[hash]).page;
		}
	}
	return InvalidBlockNumber;
}

/* ---------- the first level ---------- */

/*
 * The ranges of the group that may match the key, unless the search becomes
 * stale.
 */
static BfMask
search_first_level(BfSearch *search, BfSearchKey *key, uint32 group, BfStream *stream)
{
	const BfSlab *slab = bf_directory_slab(search->directory, group, key->column);
	BfMask		none = {{0}};
	int			first;
	int			last;

	memset(key->ranges, 0, key->count * sizeof(BfMask));
	for (first = next_hash(search, key, group, 0); first < key->count && !search->is_stale;
		 first = next_hash(search, key, group, last))
	{
		Buffer		buffer = bf_stream_next(stream);
		int			i;

		CHECK_FOR_INTERRUPTS();
		last = first + bf_hashes_in_page(key, slab, first);
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		if (bf_search_has_page(search, buffer, slab))
			for (i = first; i < last; i++)
			{
				BfPlace		place = bf_first_level_place(slab, key->hashes[i]);

				if (!bf_search_has_hash(search, key, group, i))
					continue;
				Assert(place.page == BufferGetBlockNumber(buffer));
				key->ranges[i] = bf_match(BufferGetPage(buffer), &place, slab->ranges,
										  key->hashes[i], slab->k);
			}
		UnlockReleaseBuffer(buffer);
	}
	return search->is_stale ? none : bf_search_decide(key, key->ranges, slab->ranges);
}

/* ---------- the second level ---------- */

/* Start reading what search_second_level() will read of these ranges. */
static void
prefetch_second_level(const BfSearch *search, uint32 group, const BfMask *ranges)
{
	int			i;
	int			hash;
	uint32		range;

	for (i = 0; i < search->nkeys; i++)
	{
		const BfSearchKey *key = &search->keys[i];
		const BfSlab *slab = bf_directory_slab(search->directory, group, key->column);

		for (hash = 0; hash < key->count; hash++)
		{
			BfMask		hits = key->ranges[hash];
			uint64		second = bf_second_level_hash(key->hashes[hash]);

			CHECK_FOR_INTERRUPTS();
			bf_mask_and(&hits, ranges);
			BF_MASK_FOREACH(range, &hits)
				PrefetchBuffer(search->index, MAIN_FORKNUM,
							   bf_second_level_place(slab, range, second).page);
		}
	}
}

static int
compare_second_hashes(const void *a, const void *b)
{
	uint64		x = ((const BfSecondHash *) a)->hash;
	uint64		y = ((const BfSecondHash *) b)->hash;

	return (x > y) - (x < y);
}

/*
 * The second level's hashes of the key's hashes that the range may have,
 * ascending: so their pages ascend, too.
 */
static int
second_level_hashes(BfSearchKey *key, uint32 range)
{
	int			count = 0;
	int			i;

	for (i = 0; i < key->count; i++)
	{
		if (!bf_mask_has(&key->ranges[i], range))
			continue;
		key->second[count].hash = bf_second_level_hash(key->hashes[i]);
		key->second[count++].first = i;
	}
	qsort(key->second, count, sizeof(BfSecondHash), compare_second_hashes);
	return count;
}

/*
 * The sets of the range that may match the key, unless the search becomes stale.
 */
static BfMask
search_second_level(BfSearch *search, BfSearchKey *key, const BfSlab *slab, uint32 range)
{
	BfMask		result = {{0}};
	Buffer		buffer = InvalidBuffer;
	int			count = second_level_hashes(key, range);
	int			i;

	if (key->queries != NULL)
		memset(key->sets, 0, key->count * sizeof(BfMask));
	for (i = 0; i < count; i++)
	{
		uint64		hash = key->second[i].hash;
		BfPlace		place = bf_second_level_place(slab, range, hash);
		BfMask		sets;

		if (!BufferIsValid(buffer) || place.page != BufferGetBlockNumber(buffer))
		{
			if (BufferIsValid(buffer))
				UnlockReleaseBuffer(buffer);
			CHECK_FOR_INTERRUPTS();
			buffer = ReadBuffer(search->index, place.page);
			LockBuffer(buffer, BUFFER_LOCK_SHARE);
			if (!bf_search_has_page(search, buffer, slab))
				break;
		}
		sets = bf_match(BufferGetPage(buffer), &place, BF_SLOTS, hash, slab->set_k);
		if (key->queries != NULL)
			key->sets[key->second[i].first] = sets;
		else
			bf_mask_or(&result, &sets);
	}
	if (BufferIsValid(buffer))
		UnlockReleaseBuffer(buffer);
	return key->queries == NULL || search->is_stale ? result :
		bf_search_decide(key, key->sets, BF_SLOTS);
}

/* Add the pages that the table has. */
static void
add_pages(BfSearch *search, uint64 first, uint64 end)
{
	BlockNumber page;

	if (end > search->heap_pages)
		end = search->heap_pages;
	for (page = (BlockNumber) first; page < end; page++)
	{
		/* up to four billion pages */
		if (page % PAGES_WITHOUT_INTERRUPTS == 0)
			CHECK_FOR_INTERRUPTS();
		tbm_add_page(search->bitmap, page);
		search->found++;
	}
}

static void
search_range(BfSearch *search, uint32 group, uint32 range)
{
	const BfSlab *slab = bf_directory_slab(search->directory, group, 0);
	uint64		first = slab->first_heap_page + (uint64) range * bf_range_pages(slab);
	BfMask		sets = {{0}};
	uint32		set;
	int			i;

	for (i = 0; i < search->nkeys; i++)
	{
		BfSearchKey *key = &search->keys[i];
		BfMask		found = search_second_level(search, key,
												bf_directory_slab(search->directory, group,
																  key->column),
												range);

		if (i == 0)
			sets = found;
		else
			bf_mask_and(&sets, &found);
		if (search->is_stale || bf_mask_is_empty(&sets))
			return;
	}
	BF_MASK_FOREACH(set, &sets)
		add_pages(search, first + (uint64) set * slab->set_pages,
				  first + (uint64) (set + 1) * slab->set_pages);
}

/* ---------- all groups ---------- */

static void
search_group(BfSearch *search, uint32 group, BfStream *stream)
{
	BfMask		ranges = {{0}};
	uint32		range;
	int			i;

	for (i = 0; i < search->nkeys; i++)
	{
		BfSearchKey *key = &search->keys[i];
		BfMask		found = search_first_level(search, key, group, stream);

		if (i == 0)
			ranges = found;
		else
			bf_mask_and(&ranges, &found);
		if (search->is_stale)
			return;
	}
	search->counts->ranges_tested += bf_directory_slab(search->directory, group, 0)->ranges;
	if (bf_mask_is_empty(&ranges))
		return;
	prefetch_second_level(search, group, &ranges);
	BF_MASK_FOREACH(range, &ranges)
	{
		search->counts->ranges_matched++;
		search_range(search, group, range);
		if (search->is_stale)
			return;
	}
}

/*
 * Search the groups from the given one up to the end.  Returns the end; or if the
 * search becomes stale, the group in which that was found.
 */
static uint32
search_groups(BfSearch *search, uint32 group, uint32 end)
{
	Walk		walk = {.search = search,.group = group,.end = end};
	BfStream   *stream = bf_stream_begin(search->index, next_first_level_page, &walk);

	for (; group < end; group++)
	{
		if (is_searched(search, group))
			search_group(search, group, stream);
		if (search->is_stale)
			break;
	}
	bf_stream_end(stream);
	return group;
}

/*
 * Search the groups from the given one on, after their covers.  Returns the group
 * in which the search became stale, if it did.
 */
static uint32
search_from(BfSearch *search, uint32 group)
{
	while (group < search->directory->groups && !search->is_stale)
	{
		uint32		end = bf_search_third_level(search, group);

		if (!search->is_stale)
			group = search_groups(search, group, end);
	}
	return group;
}

/*
 * Take the newest copy of the directory.  It may not outlive a lookup in a
 * catalog.  The streams look for settings of the tablespace, so that is done
 * before; for functions that decide about keys, it is copied.
 */
static void
take_directory(BfSearch *search)
{
	(void) get_tablespace_io_concurrency(search->index->rd_rel->reltablespace);
	search->directory = bf_directory(search->index, true);
	if (search->has_queries)
		search->directory = bf_directory_copy(search->directory);
	search->is_stale = false;
}

/*
 * Might the snapshot see versions of rows that the index does not know?  See
 * build.c and rows.c.
 */
static bool
is_behind_horizon(const BfSearch *search)
{
	const BfDirectory *directory = search->directory;
	Snapshot	snapshot = search->snapshot;

	return bf_is_behind(snapshot, directory->horizon) ||
		(snapshot->takenDuringRecovery && bf_is_behind(snapshot, directory->standby_horizon));
}

static void
search_index(BfSearch *search)
{
	uint32		group = search_from(search, 0);

	while (search->is_stale)
	{
		take_directory(search);
		/* rebuilding a group advances the standby's horizon */
		if (is_behind_horizon(search))
		{
			add_pages(search, 0, search->heap_pages);
			return;
		}
		group = search_from(search, group);
	}
}

/* ---------- the interface ---------- */

/* Make a key of a condition.  Returns false if no row can match. */
static bool
make_key(BfSearch *search, BfSearchKey *key, const ScanKeyData *condition)
{
	key->column = condition->sk_attno - 1;
	key->groups = NULL;
	key->queries = NULL;
	key->sets = NULL;
	if (!bf_index_has_keys(search->index, condition->sk_attno - 1))
		key->hashes = bf_key_hashes(search->index, condition, &key->count);
	else
	{
		key->queries = bf_queries_make(search->index, condition);
		key->hashes = key->queries->hashes;
		key->count = key->queries->nhashes;
		key->sets = MemoryContextAllocHuge(CurrentMemoryContext, Max(key->count, 1) * sizeof(BfMask));
		if (key->queries->everywhere)
			return true;
	}
	if (key->count == 0)
		return false;
	/* of the elements of an array, of which there may be 128 million */
	key->ranges = MemoryContextAllocHuge(CurrentMemoryContext, key->count * sizeof(BfMask));
	key->second = MemoryContextAllocHuge(CurrentMemoryContext, key->count * sizeof(BfSecondHash));
	return true;
}

/*
 * Make the keys of a scan, without those that every row may match.  Returns false if
 * no row can match.
 */
static bool
make_keys(BfSearch *search, IndexScanDesc scan)
{
	int			i;

	search->keys = palloc(Max(scan->numberOfKeys, 1) * sizeof(BfSearchKey));
	for (i = 0; i < scan->numberOfKeys; i++)
	{
		BfSearchKey *key = &search->keys[search->nkeys];

		if (!make_key(search, key, &scan->keyData[i]))
			return false;
		if (key->queries != NULL && key->queries->everywhere)
			continue;
		search->has_queries |= key->queries != NULL;
		search->nkeys++;
	}
	return true;
}

/* After the snapshot was taken: all pages whose rows it may see. */
static BlockNumber
count_heap_pages(Relation index)
{
	Relation	heap = table_open(index->rd_index->indrelid, AccessShareLock);
	BlockNumber result = RelationGetNumberOfBlocks(heap);

	table_close(heap, AccessShareLock);
	return result;
}

/* By the filter of the whole table: all of its pages, or none. */
static void
search_table(BfSearch *search, const IndexScanDescData *scan)
{
	bool		may_match;

	/* after the snapshot was taken */
	bf_table_filter(search->index, true);
	may_match = bf_table_may_match(search->index, scan->keyData, scan->numberOfKeys);
	if (!bf_table_is_behind(search->index, search->snapshot) && !may_match)
		return;
	search->heap_pages = count_heap_pages(search->index);
	add_pages(search, 0, search->heap_pages);
}

/* By the filters of ranges. */
static void
search_ranges(BfSearch *search, IndexScanDesc scan)
{
	if (!make_keys(search, scan))
		return;
	search->heap_pages = count_heap_pages(search->index);
	take_directory(search);
	if (search->nkeys == 0 || is_behind_horizon(search))
		add_pages(search, 0, search->heap_pages);
	else
		search_index(search);
}

int64
bf_index_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap)
{
	BfSearch	search = {.index = scan->indexRelation,.snapshot = scan->xs_snapshot,.counts = scan->opaque};
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "scan of a filter index",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);

	pgstat_count_index_scan(scan->indexRelation);
	BF_COUNT_INDEX_SEARCH(scan);
	search.counts->lookups++;
	search.bitmap = bitmap;
	if (bf_is_table_filter(search.index))
		search_table(&search, scan);
	else
		search_ranges(&search, scan);
	search.counts->pages_returned += search.found;
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
	/* rows are not counted; as many a page as BRIN says */
	return search.found * 10;
}

IndexScanDesc
bf_index_begin_scan(Relation index, int nkeys, int norderbys)
{
	IndexScanDesc scan = RelationGetIndexScan(index, nkeys, norderbys);
	BfIndexCounts *counts = palloc0(sizeof(BfIndexCounts));

	scan->opaque = counts;
	bf_count_for_index(CurrentMemoryContext, RelationGetRelid(index), counts);
	return scan;
}

void
bf_index_rescan(IndexScanDesc scan, ScanKey keys, int nkeys pg_attribute_unused(),
				ScanKey orderbys pg_attribute_unused(), int norderbys pg_attribute_unused())
{
	if (keys != NULL && scan->numberOfKeys > 0)
		memcpy(scan->keyData, keys, scan->numberOfKeys * sizeof(ScanKeyData));
}

void
bf_index_end_scan(IndexScanDesc scan pg_attribute_unused())
{
}
