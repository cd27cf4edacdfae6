/*-------------------------------------------------------------------------
 *
 * counts.c
 *		What join filters did in each table, and scans of each filter index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/palloc.h"
#include "utils/timestamp.h"

#include "evidence/counts.h"
#include "evidence/entries.h"
#include "evidence/store.h"

StaticAssertDecl(sizeof(BfTableCounts) <= BF_MOST_COUNTS * sizeof(int64),
				 "an entry has room for the counts of a table");
StaticAssertDecl(sizeof(BfIndexCounts) <= BF_MOST_COUNTS * sizeof(int64),
				 "an entry has room for the counts of an index");

typedef struct Pending
{
	MemoryContextCallback callback;
	BfEvidence	kind;
	Oid			object;
	const int64 *counts;
	int			ncounts;
} Pending;

static BfEntryKey
key_of(Oid object)
{
	return (BfEntryKey) {.database = MyDatabaseId, .object = object};
}

/*
 * Called when the context goes, in a transaction that is aborted perhaps: it may
 * raise no error.
 */
static void
add(void *arg)
{
	const Pending *pending = arg;
	BfEntryKey	key = key_of(pending->object);
	BfCountsEntry *entry;
	int64		any = 0;
	int			i;

	for (i = 0; i < pending->ncounts; i++)
		any |= pending->counts[i];
	if (any == 0)
		return;
	entry = (BfCountsEntry *) bf_table_use(bf_store_lock(pending->kind, LW_EXCLUSIVE), &key);
	for (i = 0; i < pending->ncounts; i++)
		entry->counts[i] += pending->counts[i];
	bf_store_unlock();
}

static void
add_later(MemoryContext context, BfEvidence kind, Oid object, const void *counts, Size bytes)
{
	Pending    *pending = MemoryContextAlloc(context, sizeof(Pending));

	bf_store_open();
	pending->callback.func = add;
	pending->callback.arg = pending;
	pending->kind = kind;
	pending->object = object;
	pending->counts = counts;
	pending->ncounts = (int) (bytes / sizeof(int64));
	MemoryContextRegisterResetCallback(context, &pending->callback);
}

void
bf_count_for_table(MemoryContext context, Oid table, const BfTableCounts *counts)
{
	add_later(context, BF_EVIDENCE_TABLES, table, counts, sizeof(*counts));
}

void
bf_count_for_index(MemoryContext context, Oid index, const BfIndexCounts *counts)
{
	add_later(context, BF_EVIDENCE_INDEXES, index, counts, sizeof(*counts));
}

void
bf_count_rebuilt(Oid index, int64 pages)
{
	BfEntryKey	key = key_of(index);
	TimestampTz now = GetCurrentTimestamp();
	BfCountsEntry *entry;

	bf_store_open();
	entry = (BfCountsEntry *) bf_table_use(bf_store_lock(BF_EVIDENCE_INDEXES, LW_EXCLUSIVE), &key);
	((BfIndexCounts *) entry->counts)->pages_rebuilt += pages;
	entry->rebuilt = now;
	bf_store_unlock();
}
