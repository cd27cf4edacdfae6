/*-------------------------------------------------------------------------
 *
 * store.c
 *		Where evidence is kept: in memory that all sessions share, or else in
 *		the session's own.
 *
 * A process that is killed while it holds the lock leaves a table in any state.
 * The server's main process then ends all others, and makes shared memory anew.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/memutils.h"
#include "utils/resowner.h"

#include "compat.h"
#include "evidence/entries.h"
#include "evidence/store.h"
#include "settings.h"

StaticAssertDecl(sizeof(BfCountsEntry) == MAXALIGN(sizeof(BfCountsEntry)) &&
				 sizeof(BfTrialEntry) == MAXALIGN(sizeof(BfTrialEntry)),
				 "copied entries are arrays");

/*
 * The number changes with the layout of the store: from 17 on, a newer library
 * may be loaded while sessions still have an older one.
 */
#define STORE_NAME	"bloomfilter evidence 1"

/*
 * Trials in a session's own memory, of more than a kilobyte each.  Tables take a
 * tenth of it, and may have many partitions.
 */
#define MOST_SESSION_TRIALS		100

typedef struct BfStore
{
	LWLock		lock;			/* of all tables; not used in a session's own */
	Size		tables[BF_EVIDENCE_KINDS];	/* offsets */
} BfStore;

static BfStore *store = NULL;
static bool is_shared = false;
static shmem_request_hook_type previous_request = NULL;
static shmem_startup_hook_type previous_startup = NULL;

static const Size entry_bytes[BF_EVIDENCE_KINDS] = {
	[BF_EVIDENCE_TABLES] = sizeof(BfCountsEntry),
	[BF_EVIDENCE_INDEXES] = sizeof(BfCountsEntry),
	[BF_EVIDENCE_TRIALS] = sizeof(BfTrialEntry)
};

/* The entries of each table, in memory that is shared or not. */
static int
capacity_of(BfEvidence kind, int entries, bool shared)
{
	return shared || kind != BF_EVIDENCE_TRIALS ? entries : Min(entries, MOST_SESSION_TRIALS);
}

static Size
store_bytes(int entries, bool shared)
{
	Size		result = MAXALIGN(sizeof(BfStore));
	int			i;

	for (i = 0; i < BF_EVIDENCE_KINDS; i++)
		result = add_size(result, bf_table_bytes(capacity_of(i, entries, shared), entry_bytes[i]));
	return result;
}

static void
make_tables(BfStore *new_store, int entries, bool shared)
{
	Size		offset = MAXALIGN(sizeof(BfStore));
	int			i;

	for (i = 0; i < BF_EVIDENCE_KINDS; i++)
	{
		int			capacity = capacity_of(i, entries, shared);

		new_store->tables[i] = offset;
		bf_table_init((BfTable *) ((char *) new_store + offset), capacity, entry_bytes[i]);
		offset += bf_table_bytes(capacity, entry_bytes[i]);
	}
}

/* ---------- the server's shared memory ---------- */

static void
request_memory(void)
{
	if (previous_request != NULL)
		previous_request();
	RequestAddinShmemSpace(store_bytes(bf_stat_entries, true));
}

static void
make_lock(LWLock *lock)
{
	LWLockInitialize(lock, BF_NEW_TRANCHE_ID(STORE_NAME));
}

static void
share(BfStore *shared)
{
	BF_REGISTER_TRANCHE(shared->lock.tranche, STORE_NAME);
	store = shared;
	is_shared = true;
}

static void
find_memory(void)
{
	BfStore    *found_store;
	bool		found;

	if (previous_startup != NULL)
		previous_startup();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	found_store = ShmemInitStruct(STORE_NAME, store_bytes(bf_stat_entries, true), &found);
	if (!found)
	{
		make_lock(&found_store->lock);
		make_tables(found_store, bf_stat_entries, true);
	}
	share(found_store);
	LWLockRelease(AddinShmemInitLock);
}

void
bf_store_init(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	previous_request = shmem_request_hook;
	shmem_request_hook = request_memory;
	previous_startup = shmem_startup_hook;
	shmem_startup_hook = find_memory;
}

/* ---------- a segment with a name ---------- */

#if BF_HAVE_NAMED_SEGMENTS

/* Of the store for which a segment is made. */
static int	segment_capacity;

static
BF_SEGMENT_CALLBACK(make_capacity)
{
	*(int *) segment = bf_stat_entries;
}

static
BF_SEGMENT_CALLBACK(make_store)
{
	make_lock(&((BfStore *) segment)->lock);
	make_tables(segment, segment_capacity, true);
}

/* The setting may have changed since the store was made, whose size is kept. */
static void
open_segment(void)
{
	bool		found;

	segment_capacity = *(int *) BF_NAMED_SEGMENT(STORE_NAME " entries", sizeof(int),
												 make_capacity, &found);
	share(BF_NAMED_SEGMENT(STORE_NAME, store_bytes(segment_capacity, true), make_store, &found));
}

/* Undo what failed, and say so in the server's log. */
static void
report_no_segment(MemoryContext context, ResourceOwner owner)
{
	ErrorData  *error;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	FlushErrorState();
	RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	if (ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_OPERATOR_INTERVENTION)
		ReThrowError(error);
	ereport(LOG,
			(errmsg("statistics of bloomfilter are of this session alone"),
			 errdetail("Shared memory for them could not be had: %s", error->message)));
	FreeErrorData(error);
}

/*
 * No query is to fail for want of statistics.  What fails here holds locks,
 * which the end of a subtransaction releases.  While a leader waits for its
 * workers, the end of one that succeeds might raise an error.
 */
static bool
try_segment(void)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;

	if (IsInParallelMode() && !IsParallelWorker())
	{
		open_segment();
		return true;
	}
	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		open_segment();
		ReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
	}
	PG_CATCH();
	{
		report_no_segment(context, owner);
	}
	PG_END_TRY();
	return is_shared;
}
#endif

/* ---------- all of them ---------- */

void
bf_store_open(void)
{
	BfStore    *own;

	if (store != NULL)
		return;
#if BF_HAVE_NAMED_SEGMENTS
	if (IsUnderPostmaster && try_segment())
		return;
#endif
	own = MemoryContextAlloc(TopMemoryContext, store_bytes(bf_stat_entries, false));
	make_tables(own, bf_stat_entries, false);
	store = own;
}

bool
bf_store_is_shared(void)
{
	return is_shared;
}

BfTable *
bf_store_lock(BfEvidence kind, LWLockMode mode)
{
	Assert(store != NULL);
	if (is_shared)
		LWLockAcquire(&store->lock, mode);
	return (BfTable *) ((char *) store + store->tables[kind]);
}

void
bf_store_unlock(void)
{
	if (is_shared)
		LWLockRelease(&store->lock);
}

void *
bf_store_copy(BfEvidence kind, int *count, int64 *evicted)
{
	BfTable    *table;
	BfEntry    *entry = NULL;
	Size		bytes;
	int			capacity;
	char	   *result;

	bf_store_open();
	table = bf_store_lock(kind, LW_SHARED);
	capacity = table->capacity;
	bytes = table->entry_bytes;
	bf_store_unlock();
	/* without the lock, because it may raise an error */
	result = palloc_extended(mul_size(capacity, bytes), MCXT_ALLOC_HUGE);
	*count = 0;
	table = bf_store_lock(kind, LW_SHARED);
	while ((entry = bf_table_older(table, entry)) != NULL)
		if (entry->key.database == MyDatabaseId)
			memcpy(result + bytes * (*count)++, entry, bytes);
	*evicted = table->evicted;
	bf_store_unlock();
	return result;
}
