/*-------------------------------------------------------------------------
 *
 * cache.c
 *		Filters stored out of line that a statement reads repeatedly.
 *
 * A test reads the header and one block of a filter, two chunks of its TOAST
 * table, however large the filter is.  That is the best way to test one value
 * against each of thousands of filters.  To test thousands of values against
 * one filter, it is best to load the filter once.  Which of the two will
 * happen is not known in advance.  So parts of a filter are read until they
 * have cost as much as loading it would; then it is loaded and kept.
 *
 * A process has one cache for all call sites.  Loaded filters take at most
 * work_mem.  In addition one larger filter may be kept, of at most
 * bloomfilter.stored_filter_memory.
 *
 * How long.  An entry is kept for the query that made it.  When a query ends
 * that was part of another query (a cursor's in a function, for instance), its
 * entries pass to the other query.  So they stay until the end of the
 * outermost statement, or until a cursor is closed.  Every query runs under a
 * resource owner: that of its portal or, without a portal (in parallel
 * workers, background workers, and when changes are replicated), that of the
 * transaction.  When a resource owner is released, after success or failure,
 * our callback is called, in 15 to 19.  This includes the end of
 * subtransactions and transactions.  No memory context could be used instead:
 * that of a call site may live for a single row, or as long as the
 * transaction, and that of the running portal is not that of the outermost
 * one.
 *
 * Why an entry is never stale.  Its key is the pointer to the TOAST table, all
 * four fields of it, not an address in memory.  The chunks behind a pointer
 * never change: an update of the filter makes new chunks under a new OID,
 * which no chunk in the table has, alive or dead.  Before the same pointer can
 * mean other bytes, the chunks must be removed.  That can happen in these
 * ways:
 *
 * - They were deleted, and VACUUM, or a process that prunes a page, finds that
 *	 no snapshot can see them.  A caller has the pointer from a row that is
 *	 visible to a snapshot of this process.  A transaction that deletes that
 *	 row had not ended when the snapshot was taken, so its number is not below
 *	 the xmin that this process announces for its oldest snapshot, and what it
 *	 deletes is not removed while that xmin is announced.  So entries are valid
 *	 while the announced xmin is the same: throughout an outermost statement,
 *	 or up to a COMMIT in it, whatever snapshots are taken and released within,
 *	 and however many transactions end meanwhile.  (TransactionXmin is not the
 *	 announced xmin: up to 16 it stays when an older snapshot, such as a
 *	 cursor's, is released.  If no xmin was announced for a while, and then the
 *	 same one again, the oldest running transaction was the same all that time,
 *	 and nothing that it may see was removed.  A standby removes nothing before
 *	 it has ended the processes that announce an older xmin.  Up to 16,
 *	 old_snapshot_threshold lets the server remove rows that snapshots can see:
 *	 if it is set, nothing is kept from one call to the next.)
 *
 * - They were stored by a subtransaction that is rolled back, and are dead at
 *	 once.  When its resource owner is released, all entries are removed.
 *
 * - Their table gets new storage (TRUNCATE, CLUSTER, ALTER TABLE) or is
 *	 dropped, by this transaction or another one.  Before this process can read
 *	 the new storage, the relation cache is notified, and so is our callback.
 *
 * In addition, each of these would have to happen while a statement runs,
 * together with the assignment of four billion OIDs, so that the counter
 * returns to the same OID when a filter of the same size is stored.  In one
 * case this alone protects: the check of an exclusion constraint reads rows of
 * other transactions that are still running and may be rolled back.
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
#include "utils/resowner.h"
#include "utils/snapmgr.h"

#include "settings.h"
#include "type/stored/cache.h"

/*
 * The cost of finding a part, in consecutively read chunks.  In buffers it is
 * four (index and table) against a quarter.  In time it is less, as long as
 * nothing is read from a disk: some 3 us against 0.25 us for chunks that are
 * in the processor's cache, 0.6 us for others (measured).
 */
#define SLICE_COST		16

/*
 * A filter of at most as many chunks as a test would read is loaded when it is
 * first seen.
 */
#define SMALL_FILTER	(2 * TOAST_MAX_CHUNK_SIZE)

/*
 * The part of work_mem that entries of filters that are not loaded may take:
 * one entry, of some 100 bytes, for every 3 kB of work_mem.
 */
#define SEEN_PART		32

/* No snapshot has this as its xmin. */
#define NO_HORIZON		FrozenTransactionId

/* Call sites start at generation 0, entries at time 0. */
uint64		bf_cache_generation = 1;
uint64		bf_cache_clock = 1;
TransactionId bf_cache_horizon = NO_HORIZON;

/* A query for which entries may be kept. */
typedef struct CacheQuery
{
	ResourceOwner owner;
	dlist_head	entries;
	dlist_node	node;
} CacheQuery;

/* All zeroes when nothing is cached. */
static struct
{
	MemoryContext mcxt;			/* context of all that follows */
	HTAB	   *entries;
	HTAB	   *tables;			/* TOAST tables that entries were made for */
	dlist_head	queries;		/* nested queries, and cursors */
	dlist_head	lists[BF_CACHE_NLISTS]; /* latest entry first */
	Size		bytes[BF_CACHE_NLISTS];
	bool		stale;			/* remove all entries before the next use */
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
	dlist_delete(&entry->query_node);
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

/* The bytes that the entries in a list may take together. */
static Size
list_limit(BfCacheList list)
{
	Size		limit = (Size) work_mem * 1024;

	switch (list)
	{
		case BF_CACHE_SEEN:
			return limit / SEEN_PART;
		case BF_CACHE_LOADED:
			return limit;
		case BF_CACHE_OVERSIZED:
			return 0;			/* except for a single filter */
	}
	pg_unreachable();
}

/*
 * May an entry be removed to make room for a filter that was last wanted at
 * "since"?  Not if the entry was used since then: if more filters take turns
 * than fit, each would be loaded only to be pushed out by the next one.  For a
 * filter that is seen for the first time (0), only entries may be removed that
 * were not used again after they were loaded.
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
			/* the next filter that needs room will look at another entry */
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

static CacheQuery *
find_query(ResourceOwner owner)
{
	dlist_iter	iter;

	dlist_foreach(iter, &cache.queries)
	{
		CacheQuery *query = dlist_container(CacheQuery, node, iter.cur);

		if (query->owner == owner)
			return query;
	}
	return NULL;
}

/*
 * Pass the query's entries to the query that it was part of (heir), or remove
 * them.  Nothing is allocated: a transaction may be about to commit.
 */
static void
end_query(CacheQuery *query, ResourceOwner heir)
{
	CacheQuery *other = heir != NULL ? find_query(heir) : NULL;
	dlist_mutable_iter iter;

	if (heir != NULL && other == NULL && !dlist_is_empty(&query->entries))
	{
		query->owner = heir;
		return;
	}
	dlist_foreach_modify(iter, &query->entries)
	{
		BfCacheEntry *entry = dlist_container(BfCacheEntry, query_node, iter.cur);

		if (other == NULL)
		{
			remove_entry(entry);
			continue;
		}
		dlist_delete(&entry->query_node);
		dlist_push_head(&other->entries, &entry->query_node);
	}
	dlist_delete(&query->node);
	pfree(query);
}

/*
 * Callback for the end of a query, a subtransaction or a transaction, whose
 * resource owner is CurrentResourceOwner.  If a portal still runs, its query
 * is the one that the ended query was part of.  This is called at the end of
 * every block with exception handlers, perhaps for every row: its cost must
 * not depend on the number of entries.
 */
static void
resources_released(ResourceReleasePhase phase, bool isCommit, bool isTopLevel, void *arg)
{
	ResourceOwner heir = ActivePortal != NULL ? ActivePortal->resowner : NULL;
	CacheQuery *query;

	(void) arg;
	if (cache.mcxt == NULL || phase != RESOURCE_RELEASE_AFTER_LOCKS)
		return;
	if (!isCommit || isTopLevel)
	{
		remove_all();
		return;
	}
	query = find_query(CurrentResourceOwner);
	if (query == NULL)
		return;
	end_query(query, heir == CurrentResourceOwner ? NULL : heir);
	if (dlist_is_empty(&cache.queries))
		remove_all();
}

/*
 * A table, or any table (InvalidOid), may have new storage.  This may be
 * called while a filter is being loaded: so the cache is emptied only when it
 * is next used.
 */
static void
relation_changed(Datum arg, Oid relid)
{
	(void) arg;
	if (cache.tables == NULL)
		return;
	if (relid != InvalidOid && hash_search(cache.tables, &relid, HASH_FIND, NULL) == NULL)
		return;
	cache.stale = true;
	bf_cache_generation++;
}

/* ---------- interface ---------- */

static void
register_callbacks(void)
{
	static bool registered = false;

	if (registered)
		return;
	RegisterResourceReleaseCallback(resources_released, NULL);
	CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	registered = true;
}

static HTAB *
create_hash_table(const char *name, Size keysize, Size entrysize)
{
	HASHCTL		ctl = {.keysize = keysize, .entrysize = entrysize, .hcxt = cache.mcxt};

	return hash_create(name, 16, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static void
create_cache(void)
{
	int			list;

	register_callbacks();
	for (list = 0; list < BF_CACHE_NLISTS; list++)
		dlist_init(&cache.lists[list]);
	dlist_init(&cache.queries);
	cache.mcxt = AllocSetContextCreate(TopMemoryContext, "bloomfilter cache",
									   ALLOCSET_START_SMALL_SIZES);
	cache.entries = create_hash_table("bloomfilter cache", sizeof(struct varatt_external),
									  sizeof(BfCacheEntry));
	cache.tables = create_hash_table("bloomfilter cache tables", sizeof(Oid), sizeof(Oid));
	if (TransactionIdIsNormal(MyProc->xmin) && !BF_SNAPSHOTS_EXPIRE)
		bf_cache_horizon = MyProc->xmin;
}

static CacheQuery *
find_or_create_query(ResourceOwner owner)
{
	CacheQuery *query = find_query(owner);

	if (query == NULL)
	{
		query = MemoryContextAlloc(cache.mcxt, sizeof(CacheQuery));
		query->owner = owner;
		dlist_init(&query->entries);
		dlist_push_head(&cache.queries, &query->node);
	}
	return query;
}

static BfCacheEntry *
create_entry(const struct varatt_external *pointer)
{
	CacheQuery *query = find_or_create_query(CurrentResourceOwner);
	BfCacheEntry *entry;
	bool		found;

	make_room(BF_CACHE_SEEN, sizeof(BfCacheEntry), PG_UINT64_MAX);
	(void) hash_search(cache.tables, &pointer->va_toastrelid, HASH_ENTER, &found);
	entry = hash_search(cache.entries, pointer, HASH_ENTER, &found);
	memset(entry, 0, sizeof(BfCacheEntry));
	entry->pointer = *pointer;
	dlist_push_head(&query->entries, &entry->query_node);
	add_to_list(entry, BF_CACHE_SEEN, sizeof(BfCacheEntry));
	return entry;
}

void
bf_cache_find(BfCacheRef *ref, const struct varlena *pointer)
{
	struct varatt_external key;

	if (cache.stale || bf_cache_horizon != MyProc->xmin)
		remove_all();
	if (cache.mcxt == NULL)
		create_cache();

	VARATT_EXTERNAL_GET_POINTER(key, pointer);
	ref->entry = hash_search(cache.entries, &key, HASH_FIND, NULL);
	if (ref->entry == NULL)
		ref->entry = create_entry(&key);
	else
		dlist_move_head(&cache.lists[ref->entry->list], &ref->entry->node);
	ref->generation = bf_cache_generation;
}

/* The list for a filter of that size. */
static BfCacheList
list_for(Size bytes)
{
	return bytes <= list_limit(BF_CACHE_LOADED) ? BF_CACHE_LOADED : BF_CACHE_OVERSIZED;
}

/*
 * Is it time to load a filter, rather than to read its parts?  Whoever rents
 * until the rent paid reaches the price pays at most twice what would have
 * been best with knowledge of the future.  A compressed filter cannot be read
 * in parts.  A filter larger than the setting allows is never loaded.
 */
static bool
is_time_to_load(const BfCacheEntry *entry, Size bytes, bool has_parts)
{
	if (list_for(bytes) == BF_CACHE_OVERSIZED && bytes > (Size) bf_stored_filter_memory * 1024)
		return false;
	if (!has_parts || (entry->since == 0 && bytes <= SMALL_FILTER))
		return true;
	return entry->paid >= SLICE_COST + bytes / TOAST_MAX_CHUNK_SIZE;
}

/*
 * Record an attempt to load.  If there is no room, or if the filter is
 * removed, the price is to be paid again.  Returns the time for may_go():
 * entries that were not used since then may be removed for this filter.
 */
static uint64
book_attempt(BfCacheEntry *entry, bool has_parts)
{
	uint64		since = has_parts ? entry->since : PG_UINT64_MAX;

	entry->paid = 0;
	entry->since = ++bf_cache_clock;
	return since;
}

/* Load and keep the whole filter, for which there is room. */
static void
load(BfCacheEntry *entry, const struct varlena *pointer, Size bytes)
{
	entry->payload = bf_toast_load(pointer, cache.mcxt, &entry->chunk);
	remove_from_list(entry);
	add_to_list(entry, list_for(bytes), bytes);
}

const uint8_t *
bf_cache_get(BfCacheRef *ref, const struct varlena *pointer)
{
	Size		bytes = bf_toast_payload_length(pointer);
	bool		has_parts = bf_toast_has_parts(pointer);
	BfCacheEntry *entry;

	if (!bf_cache_is_current(ref))
		bf_cache_find(ref, pointer);
	entry = ref->entry;
	if (entry->payload == NULL)
	{
		bool		has_room = is_time_to_load(entry, bytes, has_parts) &&
			make_room(list_for(bytes), bytes, book_attempt(entry, has_parts));

		if (entry->since == 0)
			entry->since = ++bf_cache_clock;
		/* other entries may have been removed, but not this one */
		ref->generation = bf_cache_generation;
		if (!has_room)
			return NULL;
		load(entry, pointer, bytes);
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
