/*-------------------------------------------------------------------------
 *
 * toast_cache.c
 *		Filters stored out of line that a statement reads again and again.
 *
 * A test needs the header and one block of a filter, two chunks of its TOAST
 * table, however large it is: that is the way to ask one value of thousands of
 * filters.  The way to ask thousands of values of one filter is to load it
 * once.  Which it will be nobody knows, so a filter is read in parts until
 * these have cost what loading it costs, and then it is loaded and kept.
 *
 * There is one cache in a process, for all call sites.  What is loaded takes
 * at most work_mem, and besides one filter may be kept that is larger than
 * that.
 *
 * How long.  An entry is kept for the query in which it was made, and if that
 * is part of another one (of a function's, or of a cursor's in a function) on
 * for that one: so to the end of the outermost statement, or until its cursor
 * is closed.  A query has a portal, and that a resource owner.  When it is
 * released we are called, in every version from 15 to 19, whether the query
 * ended well or not, and so we are at the end of subtransactions and
 * transactions.  A memory context would not do: a call site's may live for a
 * row only, or as long as the transaction; a portal's is not that of the
 * outermost portal; and where there is no portal (in parallel workers, when a
 * replica applies changes, in background workers) the transaction's resource
 * owner takes its place.
 *
 * Why what is kept is never stale.  It is found by the pointer to the TOAST
 * table, all four fields of it, not by an address in memory.  The chunks
 * behind a pointer are never changed: an update of the filter makes new
 * chunks with a new OID, which none of the chunks in the table has, be they
 * alive or dead.  For the same pointer to mean other bytes, the chunks must
 * first be removed.  That can happen in these ways:
 *
 * - They were deleted, and a VACUUM or the pruning of a page finds that no
 *	 snapshot needs them.  Whoever hands us a pointer has it from a row that a
 *	 snapshot of his shows.  Unless it was taken before all snapshots that this
 *	 process holds, the one who deletes the row has a transaction number that
 *	 is not below the xmin that we announce, and the chunks stay.  So entries
 *	 are valid while that xmin, TransactionXmin, is the same: during an
 *	 outermost statement up to a COMMIT in it, whatever snapshots are taken
 *	 within, and however many transactions end meanwhile.  It does not matter
 *	 if it was given up and came to be the same again, since then all
 *	 that time the oldest running transaction was the same.  (Up to 16, with
 *	 old_snapshot_threshold the server does not wait for snapshots; then
 *	 nothing is kept from one call to the next.)
 *
 * - They were stored by a subtransaction that is rolled back: then they are
 *	 dead at once.  We are called, and forget everything.
 *
 * - Their table gets new storage or is dropped (TRUNCATE, CLUSTER, ALTER
 *	 TABLE), by this transaction or another one.  Before anybody here can read
 *	 what is in the new storage, the relation cache is told that the table has
 *	 changed, and so are we.
 *
 * And all this is to happen while a statement runs, together with the
 * assignment of four billion OIDs, until the counter comes around to the very
 * same one for a filter of the same size.  One thing is left to that: a row of
 * a transaction that still runs, and is rolled back later, is seen without a
 * snapshot by the check of an exclusion constraint.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heaptoast.h"
#include "access/transam.h"
#include "miscadmin.h"
#include "tcop/pquery.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/memutils.h"

#include "type/toast_cache.h"

/*
 * What a part costs to read, in chunks that are read one after the other.  In
 * buffers it is four, of index and table, against a quarter.  In time it is
 * less, as long as nothing has to come from a disk: some 3 us against 0.25 us
 * of a filter that the processor has in its cache, and 0.6 us of one that it
 * has not (measured).
 */
#define SLICE_COST		16

/*
 * A filter of no more chunks than a test of its parts would read is loaded
 * when it is first seen.
 */
#define SMALL_FILTER	(2 * TOAST_MAX_CHUNK_SIZE)

/* No snapshot has this as its xmin. */
#define NO_HORIZON		FrozenTransactionId

uint64		bf_cache_generation = 1;
TransactionId bf_cache_horizon = NO_HORIZON;
uint64		bf_cache_clock = 1;

/* All zeroes when nothing is cached. */
static struct
{
	MemoryContext mcxt;			/* of all that follows */
	HTAB	   *entries;
	dlist_head	lists[BF_CACHE_NLISTS]; /* the latest first */
	Size		bytes[BF_CACHE_NLISTS];
	bool		stale;			/* entries may not be what they were */
}			cache;

/* ---------- entries ---------- */

static void
add_to_list(BfCacheEntry *entry, BfCacheList list, Size bytes)
{
	entry->list = list;
	entry->bytes = bytes;
	cache.bytes[list] += bytes;
	dlist_push_head(&cache.lists[list], &entry->node);
}

static void
remove_from_list(BfCacheEntry *entry)
{
	dlist_delete(&entry->node);
	cache.bytes[entry->list] -= entry->bytes;
}

static void
unload(BfCacheEntry *entry)
{
	remove_from_list(entry);
	pfree(entry->chunk);
	entry->chunk = NULL;
	entry->payload = NULL;
	add_to_list(entry, BF_CACHE_SEEN, sizeof(BfCacheEntry));
	bf_cache_generation++;
}

static void
remove_entry(BfCacheEntry *entry)
{
	if (entry->payload != NULL)
		unload(entry);
	remove_from_list(entry);
	hash_search(cache.entries, &entry->pointer, HASH_REMOVE, NULL);
	bf_cache_generation++;
}

static void
remove_all(void)
{
	if (cache.mcxt != NULL)
		MemoryContextDelete(cache.mcxt);
	memset(&cache, 0, sizeof(cache));
	bf_cache_horizon = NO_HORIZON;
	bf_cache_generation++;
}

/* What the entries in a list may take together. */
static Size
list_limit(BfCacheList list)
{
	Size		limit = (Size) work_mem * 1024;

	switch (list)
	{
		case BF_CACHE_SEEN:
			return limit / 32;
		case BF_CACHE_LOADED:
			return limit;
		case BF_CACHE_OVERSIZED:
			return 0;			/* but for a single one */
	}
	pg_unreachable();
}

/*
 * May an entry go to make room for a filter that is wanted since then?  Not if
 * it was used meanwhile: with more filters taking turns than fit, each would
 * be loaded only to be pushed out by the next one.  For one that was never
 * seen before nothing has to go that was used again after it was loaded.
 */
static bool
may_go(const BfCacheEntry *entry, uint64 since)
{
	return entry->last_use < (since != 0 ? since : entry->since + 1);
}

static bool
make_room(BfCacheList list, Size bytes, uint64 since)
{
	Size		limit = list_limit(list);

	while (cache.bytes[list] > 0 && cache.bytes[list] + bytes > limit)
	{
		BfCacheEntry *last = dlist_tail_element(BfCacheEntry, node, &cache.lists[list]);

		if (!may_go(last, since))
		{
			/* the next one who wants room will look at another */
			dlist_move_head(&cache.lists[list], &last->node);
			return false;
		}
		if (list == BF_CACHE_SEEN)
			remove_entry(last);
		else
			unload(last);
	}
	return true;
}

/* ---------- when entries end ---------- */

/*
 * A query, a subtransaction or a transaction has ended.  What a query leaves
 * behind that was part of another one becomes that one's.
 */
static void
resources_released(ResourceReleasePhase phase, bool isCommit, bool isTopLevel, void *arg)
{
	ResourceOwner heir = ActivePortal != NULL ? ActivePortal->resowner : NULL;
	bool		is_empty = true;
	int			list;

	(void) arg;
	if (cache.mcxt == NULL || phase != RESOURCE_RELEASE_AFTER_LOCKS)
		return;
	if (!isCommit || isTopLevel)
	{
		remove_all();
		return;
	}
	if (heir == CurrentResourceOwner)
		heir = NULL;
	for (list = 0; list < BF_CACHE_NLISTS; list++)
	{
		dlist_mutable_iter iter;

		dlist_foreach_modify(iter, &cache.lists[list])
		{
			BfCacheEntry *entry = dlist_container(BfCacheEntry, node, iter.cur);

			if (entry->owner == CurrentResourceOwner)
				entry->owner = heir;
			if (entry->owner == NULL)
				remove_entry(entry);
			else
				is_empty = false;
		}
	}
	if (is_empty)
		remove_all();
}

/*
 * A table has got other storage, or may have.  The cache cannot be emptied
 * here, in the middle of anything that looks at a table.
 */
static void
relation_changed(Datum arg, Oid relid)
{
	int			list;

	(void) arg;
	if (cache.mcxt == NULL)
		return;
	for (list = 0; list < BF_CACHE_NLISTS; list++)
	{
		dlist_iter	iter;

		dlist_foreach(iter, &cache.lists[list])
		{
			BfCacheEntry *entry = dlist_container(BfCacheEntry, node, iter.cur);

			if (relid != InvalidOid && entry->pointer.va_toastrelid != relid)
				continue;
			cache.stale = true;
			bf_cache_generation++;
			return;
		}
	}
}

/* ---------- interface ---------- */

static void
create_cache(void)
{
	static bool registered = false;
	HASHCTL		ctl = {0};
	int			list;

	if (!registered)
	{
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
		RegisterResourceReleaseCallback(resources_released, NULL);
		registered = true;
	}
	for (list = 0; list < BF_CACHE_NLISTS; list++)
		dlist_init(&cache.lists[list]);
	cache.mcxt = AllocSetContextCreate(TopMemoryContext, "bloomfilter cache",
									   ALLOCSET_START_SMALL_SIZES);
	ctl.keysize = sizeof(struct varatt_external);
	ctl.entrysize = sizeof(BfCacheEntry);
	ctl.hcxt = cache.mcxt;
	cache.entries = hash_create("bloomfilter cache", 16, &ctl,
								HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	bf_cache_horizon = TransactionXmin;
	if (!TransactionIdIsNormal(TransactionXmin) || BF_SNAPSHOTS_EXPIRE)
		bf_cache_horizon = NO_HORIZON;
}

void
bf_cache_find(BfCacheRef *ref, const struct varlena *pointer)
{
	struct varatt_external key;
	bool		found;

	if (cache.stale || bf_cache_horizon != TransactionXmin)
		remove_all();
	if (cache.mcxt == NULL)
		create_cache();

	VARATT_EXTERNAL_GET_POINTER(key, pointer);
	ref->entry = hash_search(cache.entries, &key, HASH_FIND, &found);
	if (!found)
	{
		make_room(BF_CACHE_SEEN, sizeof(BfCacheEntry), PG_UINT64_MAX);
		ref->entry = hash_search(cache.entries, &key, HASH_ENTER, &found);
		memset(ref->entry, 0, sizeof(BfCacheEntry));
		ref->entry->pointer = key;
		ref->entry->owner = CurrentResourceOwner;
		add_to_list(ref->entry, BF_CACHE_SEEN, sizeof(BfCacheEntry));
	}
	dlist_move_head(&cache.lists[ref->entry->list], &ref->entry->node);
	ref->generation = bf_cache_generation;
}

/*
 * Is it time to load a filter, rather than to read its parts, and is there
 * room for it?  To rent until the rent has come to the price is never dearer
 * than twice what the best choice would have been, had the future been known.
 * A compressed filter cannot be rented.
 */
static bool
may_load(BfCacheEntry *entry, BfCacheList list, Size bytes, bool has_parts)
{
	Size		price = SLICE_COST + bytes / TOAST_MAX_CHUNK_SIZE;
	uint64		since = entry->since;

	if (since == 0)
		entry->since = ++bf_cache_clock;
	if (!has_parts)
		return make_room(list, bytes, PG_UINT64_MAX);
	if (entry->paid < price && !(since == 0 && bytes <= SMALL_FILTER))
		return false;
	/* to be paid again if there is no room, or if it has to go */
	entry->paid = 0;
	entry->since = ++bf_cache_clock;
	return make_room(list, bytes, since);
}

const uint8_t *
bf_cache_get(BfCacheRef *ref, const struct varlena *pointer)
{
	BfCacheEntry *entry;
	BfCacheList list = BF_CACHE_LOADED;
	Size		bytes = bf_toast_payload_length(pointer);
	bool		load;

	if (!bf_cache_is_current(ref))
		bf_cache_find(ref, pointer);
	entry = ref->entry;
	if (entry->payload == NULL)
	{
		if (bytes > list_limit(list))
			list = BF_CACHE_OVERSIZED;
		load = may_load(entry, list, bytes, bf_toast_has_parts(pointer));
		ref->generation = bf_cache_generation;	/* others may have gone */
		if (!load)
			return NULL;
		entry->payload = bf_toast_load(pointer, cache.mcxt, &entry->chunk);
		remove_from_list(entry);
		add_to_list(entry, list, bytes);
	}
	entry->last_use = bf_cache_clock;
	return entry->payload;
}

struct varlena *
bf_cache_slice(const BfCacheRef *ref, const struct varlena *pointer, Size offset, Size len)
{
	ref->entry->paid += SLICE_COST + len / TOAST_MAX_CHUNK_SIZE;
	return bf_toast_slice(pointer, offset, len);
}
