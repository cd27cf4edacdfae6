/*-------------------------------------------------------------------------
 *
 * toast.c
 *		Filters stored out of line: read in parts, and kept when they come
 *		again.
 *
 * A test needs the header and one block of a filter, two chunks of its TOAST
 * table, however large it is.  That is the way to ask one value of thousands
 * of filters.  The way to ask thousands of values of one filter is to load it
 * once.  So the first time that a call site sees a filter it reads the parts,
 * and the second time it loads the whole filter and keeps it.
 *
 * Why what is kept is never stale.  It is found by the pointer to the TOAST
 * table, all four fields of it, not by an address in memory.  The chunks
 * behind a pointer are never changed: an update of the filter makes new
 * chunks with a new OID from a counter.  For the same pointer to mean other
 * bytes, the chunks would have to be removed, the counter to wrap around to
 * the very same OID, and a filter of the same size to be stored under it, by a
 * transaction whose work we see.  So an entry is valid only while we see the
 * work of the same transactions as when it was made:
 *
 * - Of others, those that the snapshot shows.  Two snapshots with the same
 *	 xmax and the same number of running transactions show the same ones: up to
 *	 xmax no transaction can begin any more, so those that run can only become
 *	 fewer, and each that ends after the first snapshot is missing in the
 *	 second, or moves its xmax.  (On a standby all running ones are in subxip.
 *	 While a transaction is being prepared it is listed twice for a moment;
 *	 that could hide the end of one other, which would have to be the one that
 *	 stored a filter under an OID that has just come around again.)
 *
 * - Our own.  It is the same as long as its number is.  A filter that a
 *	 subtransaction stored is dead as soon as that rolls back, and then its
 *	 chunks can be removed at any time: an entry is valid only in the
 *	 subtransaction that made it.  Chunks that our transaction has deleted
 *	 stay until it ends; only if it truncates the table and then uses up four
 *	 billion OIDs could it see others in their place.
 *
 * It does not matter how often the snapshot was taken anew, or whether this
 * process advertised an xmin meanwhile: expressions in PL/pgSQL keep their
 * call sites from one statement to the next.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/snapmgr.h"

#include "type/memory.h"
#include "type/toast.h"

/* Filters remembered: 64 sets of 4, 14 kB. */
#define CACHE_SETS	64
#define CACHE_WAYS	4

/*
 * A filter of no more chunks than a test of its parts would read is read
 * whole.
 */
#define SMALL_FILTER	(2 * TOAST_MAX_CHUNK_SIZE)

typedef struct CacheEntry
{
	struct varatt_external pointer; /* all zeroes: free */
	uint64		last_use;		/* by the cache's clock */
	struct varlena *filter;		/* NULL: seen, not loaded */
	void	   *chunk;			/* the allocation that holds it */
	Size		bytes;
} CacheEntry;

/* Whose work we see; see the proof above. */
typedef struct Visibility
{
	TransactionId xmax;
	TransactionId own;
	SubTransactionId subxact;
	uint32		running;
	uint32		running_on_primary;
} Visibility;

struct BfToastCache
{
	MemoryContext mcxt;
	Visibility	visibility;		/* under which the entries were made */
	uint64		clock;
	Size		loaded_bytes;
	struct varlena *passing;	/* loaded, but not kept */
	CacheEntry *last;			/* most likely the next one too */
	CacheEntry	entries[CACHE_SETS][CACHE_WAYS];
};

BfToastCache *
bf_toast_cache_create(MemoryContext mcxt)
{
	BfToastCache *cache = MemoryContextAllocZero(mcxt, sizeof(BfToastCache));

	cache->mcxt = mcxt;
	return cache;
}

static void
unload(BfToastCache *cache, CacheEntry *entry)
{
	if (entry->filter == NULL)
		return;
	pfree(entry->chunk);
	cache->loaded_bytes -= entry->bytes;
	entry->filter = NULL;
}

/* Returns false if there is no telling. */
static bool
get_visibility(Visibility *visibility)
{
	Snapshot	snapshot;

	memset(visibility, 0, sizeof(*visibility));
	if (!ActiveSnapshotSet())
		return false;
	snapshot = GetActiveSnapshot();
	if (snapshot->snapshot_type != SNAPSHOT_MVCC)
		return false;
	visibility->xmax = snapshot->xmax;
	visibility->own = GetTopTransactionIdIfAny();
	visibility->subxact = GetCurrentSubTransactionId();
	visibility->running = snapshot->xcnt;
	visibility->running_on_primary = snapshot->takenDuringRecovery ? snapshot->subxcnt : 0;
	return true;
}

/* Forget everything that may not be what it was; see the proof above. */
static void
validate(BfToastCache *cache)
{
	Visibility	now;
	int			i;

	if (get_visibility(&now) &&
		memcmp(&cache->visibility, &now, sizeof(now)) == 0)
		return;
	for (i = 0; i < CACHE_SETS * CACHE_WAYS; i++)
	{
		CacheEntry *entry = &cache->entries[0][0] + i;

		unload(cache, entry);
		memset(entry, 0, sizeof(*entry));
	}
	cache->visibility = now;
}

/*
 * The entry of the pointer, or the least recently used one of its set, made
 * free for it.
 */
static CacheEntry *
find_entry(BfToastCache *cache, const struct varatt_external *pointer)
{
	CacheEntry *set;
	CacheEntry *oldest;
	uint32		hash;
	int			way;

	if (cache->last != NULL &&
		memcmp(&cache->last->pointer, pointer, sizeof(*pointer)) == 0)
		return cache->last;

	hash = hash_bytes((const unsigned char *) pointer, sizeof(*pointer));
	set = cache->entries[hash % CACHE_SETS];
	oldest = &set[0];
	for (way = 0; way < CACHE_WAYS; way++)
	{
		if (memcmp(&set[way].pointer, pointer, sizeof(*pointer)) == 0)
			return cache->last = &set[way];
		if (set[way].last_use < oldest->last_use)
			oldest = &set[way];
	}
	unload(cache, oldest);
	memset(oldest, 0, sizeof(*oldest));
	oldest->pointer = *pointer;
	return cache->last = oldest;
}

/*
 * Make room for a filter within work_mem, at the expense of those that were
 * not used since it was last seen.  Others are not pushed out: with more
 * filters taking turns than fit, each would be loaded only to be pushed out
 * by the next one.  One filter may be kept whatever its size.
 */
static bool
make_room(BfToastCache *cache, const CacheEntry *wanted, Size bytes)
{
	Size		limit = (Size) work_mem * 1024;

	while (cache->loaded_bytes > 0 && cache->loaded_bytes + bytes > limit)
	{
		CacheEntry *oldest = NULL;
		int			i;

		for (i = 0; i < CACHE_SETS * CACHE_WAYS; i++)
		{
			CacheEntry *entry = &cache->entries[0][0] + i;

			if (entry->filter != NULL && entry->last_use < wanted->last_use &&
				(oldest == NULL || entry->last_use < oldest->last_use))
				oldest = entry;
		}
		if (oldest == NULL)
			return false;
		unload(cache, oldest);
	}
	return true;
}

static struct varlena *
fetch(BfToastCache *cache, struct varlena *pointer)
{
	MemoryContext old = MemoryContextSwitchTo(cache->mcxt);
	struct varlena *flat = detoast_attr(pointer);

	MemoryContextSwitchTo(old);
	return flat;
}

/* Keep the filter, such that its blocks start on a cache line's boundary. */
static void
load(BfToastCache *cache, CacheEntry *entry, struct varlena *pointer)
{
	struct varlena *flat = fetch(cache, pointer);
	Size		size = VARSIZE(flat);
	Size		offset = VARHDRSZ + BF_HEADER_BYTES;
	char	   *chunk = bf_allocate_array(cache->mcxt, size + 2 * BF_BLOCK_BYTES);

	entry->filter = (struct varlena *) (TYPEALIGN(BF_BLOCK_BYTES, chunk + offset) - offset);
	memcpy(entry->filter, flat, size);
	pfree(flat);
	entry->chunk = chunk;
	entry->bytes = size;
	cache->loaded_bytes += size;
}

struct varlena *
bf_toast_cache_get(BfToastCache *cache, struct varlena *pointer, bool must_load)
{
	struct varatt_external fields;
	CacheEntry *entry;

	validate(cache);
	VARATT_EXTERNAL_GET_POINTER(fields, pointer);
	entry = find_entry(cache, &fields);
	if (entry->filter == NULL && entry->last_use > 0 &&
		make_room(cache, entry, fields.va_rawsize))
		load(cache, entry, pointer);
	entry->last_use = ++cache->clock;
	if (entry->filter != NULL)
		return entry->filter;

	/* a compressed filter cannot be read in parts */
	if (must_load || VARATT_EXTERNAL_IS_COMPRESSED(fields) || (Size) fields.va_rawsize <= SMALL_FILTER)
		return bf_toast_cache_pass(cache, pointer);
	return NULL;
}

struct varlena *
bf_toast_cache_pass(BfToastCache *cache, struct varlena *pointer)
{
	if (cache->passing != NULL)
		pfree(cache->passing);
	cache->passing = NULL;
	cache->passing = fetch(cache, pointer);
	return cache->passing;
}

Size
bf_toast_payload_length(struct varlena *pointer)
{
	struct varatt_external fields;

	VARATT_EXTERNAL_GET_POINTER(fields, pointer);
	return fields.va_rawsize - VARHDRSZ;
}

struct varlena *
bf_toast_slice(struct varlena *pointer, Size offset, Size len)
{
	return detoast_attr_slice(pointer, (int32) offset, (int32) len);
}
