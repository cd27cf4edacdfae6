/*-------------------------------------------------------------------------
 *
 * stale_scan.c
 *		A scan of a filter index that waits after it has read the directory.
 *
 * stale_scan(index, value) returns the number of heap pages in which the scan
 * finds the value, as src/index/read/scan.c does it.  Before it searches, it
 * waits for the advisory lock 1.  The index is on an int column.
 *
 * stale_contains(index, hash) tells whether the filter of a table has the hash.  It
 * waits after it has read the metapage.
 *
 * cut_covers(index, groups) takes all groups but the first out of their covers, as if
 * they had been appended since.
 *
 * hold_metapage(index, file) locks the metapage, as who writes the directory
 * does, until there is such a file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <unistd.h>

#include "access/relation.h"
#include "access/skey.h"
#include "fmgr.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

#include "index/file/directory.c"
#include "index/file/hash.c"
#include "index/file/horizon.c"
#include "index/file/keys.c"
#include "index/file/meta.c"
#include "index/file/page.c"
#include "index/file/table.c"
#include "index/read/match.c"
#include "index/read/query.c"
#include "index/read/stream.c"
#include "index/read/search.c"
#include "index/read/third_level.c"
#include "index/read/scan.c"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(stale_scan);
PG_FUNCTION_INFO_V1(stale_contains);
PG_FUNCTION_INFO_V1(cut_covers);
PG_FUNCTION_INFO_V1(hold_metapage);

/* What this scan counts is no evidence. */
void
bf_count_for_index(MemoryContext context pg_attribute_unused(), Oid index pg_attribute_unused(),
				   const BfIndexCounts *counts pg_attribute_unused())
{
}

/* The index has filters of ranges: nothing asks for conditions on the filter of its table. */
bool
bf_table_may_match(Relation index pg_attribute_unused(), const ScanKeyData *keys pg_attribute_unused(),
				   int nkeys pg_attribute_unused())
{
	return true;
}

Datum
stale_scan(PG_FUNCTION_ARGS)
{
	Relation	index = relation_open(PG_GETARG_OID(0), AccessShareLock);
	IndexScanDesc scan = RelationGetIndexScan(index, 1, 0);
	BfSearch	search = {.index = index,.snapshot = GetActiveSnapshot(),.counts = palloc0(sizeof(BfIndexCounts))};

	ScanKeyEntryInitialize(&scan->keyData[0], 0, 1, 1, INT4OID, InvalidOid, F_INT4EQ,
						   PG_GETARG_DATUM(1));
	search.bitmap = tbm_create(work_mem * (Size) 1024, NULL);
	if (!make_keys(&search, scan))
		elog(ERROR, "no key");
	search.heap_pages = count_heap_pages(index);
	/* waiting for a lock lets the relcache forget its copy */
	search.directory = bf_directory_copy(bf_directory(index, true));
	DirectFunctionCall1(pg_advisory_lock_int8, Int64GetDatum(1));
	search_index(&search);
	DirectFunctionCall1(pg_advisory_unlock_int8, Int64GetDatum(1));
	relation_close(index, AccessShareLock);
	PG_RETURN_INT64(search.found);
}

/* A row of covers whose last groups are taken out has slots that nobody uses. */
Datum
cut_covers(PG_FUNCTION_ARGS)
{
	Relation	index = relation_open(PG_GETARG_OID(0), RowExclusiveLock);
	uint32		covered = (uint32) PG_GETARG_INT32(1);
	const BfDirectory *directory;
	uint32		covers;
	Buffer		buffer;
	GenericXLogState *xlog;
	BfMeta	   *meta;

	LockRelationForExtension(index, ExclusiveLock);
	directory = bf_directory(index, true);
	covers = covered == 0 ? 0 : bf_directory_cover_row(directory, covered - 1) + 1;
	buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	xlog = GenericXLogStart(index);
	meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0));
	meta->covered = covered;
	meta->covers = covers;
	meta->generation++;
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
	UnlockRelationForExtension(index, ExclusiveLock);
	relation_close(index, RowExclusiveLock);
	PG_RETURN_VOID();
}

/* What the relcache forgets while it waits, it gets back. */
Datum
stale_contains(PG_FUNCTION_ARGS)
{
	Relation	index = relation_open(PG_GETARG_OID(0), AccessShareLock);
	BfTableFilter filter = *bf_table_filter(index, true);
	bool		result;

	DirectFunctionCall1(pg_advisory_lock_int8, Int64GetDatum(1));
	bf_directory_forget(index);
	index->rd_amcache = MemoryContextAlloc(index->rd_indexcxt, sizeof(BfTableFilter));
	memcpy(index->rd_amcache, &filter, sizeof(BfTableFilter));
	result = bf_table_contains(index, (uint64) PG_GETARG_INT64(1));
	DirectFunctionCall1(pg_advisory_unlock_int8, Int64GetDatum(1));
	relation_close(index, AccessShareLock);
	PG_RETURN_BOOL(result);
}

Datum
hold_metapage(PG_FUNCTION_ARGS)
{
	Relation	index = relation_open(PG_GETARG_OID(0), AccessShareLock);
	const char *file = text_to_cstring(PG_GETARG_TEXT_PP(1));
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);

	elog(LOG, "it holds the metapage");
	while (access(file, F_OK) != 0)
		pg_usleep(20000);
	UnlockReleaseBuffer(buffer);
	relation_close(index, AccessShareLock);
	PG_RETURN_VOID();
}
