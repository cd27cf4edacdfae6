/*-------------------------------------------------------------------------
 *
 * check.c
 *		bloom_index_check: does the index find every row of its table?
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "catalog/index.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "index/file/directory.h"
#include "index/file/hash.h"
#include "index/tell/open.h"

BF_SQL_FUNCTION(bloomfilter_index_check);

typedef struct Check
{
	int64		missing;
	MemoryContext row_context;	/* reset for each row */
} Check;

static bool
place_has(Relation index, const BfSlab *slab, const BfPlace *place, uint32 set, uint64 hash, int k)
{
	Buffer		buffer = bf_page_read(index, place->page, BF_PAGE_SLAB, slab->number,
									  BUFFER_LOCK_SHARE);
	bool		result = bf_place_contains(BufferGetPage(buffer), place, set, hash, k);

	UnlockReleaseBuffer(buffer);
	return result;
}

static bool
slab_has(Relation index, const BfSlab *slab, BlockNumber heap_page, uint64 hash)
{
	uint32		page = heap_page - slab->first_heap_page;
	uint32		range = page / bf_range_pages(slab);
	uint64		second_hash = bf_second_level_hash(hash);
	BfPlace		first;
	BfPlace		second;

	if (!bf_slab_exists(slab))
		return false;
	first = bf_first_level_place(slab, hash);
	second = bf_second_level_place(slab, range, second_hash);
	return place_has(index, slab, &first, range, hash, slab->k) &&
		place_has(index, slab, &second, page % bf_range_pages(slab) / slab->set_pages, second_hash,
				  slab->set_k);
}

static void
check_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		  bool is_alive pg_attribute_unused(), void *state)
{
	Check	   *check = state;
	BlockNumber heap_page = ItemPointerGetBlockNumber(tid);
	MemoryContext old_context = MemoryContextSwitchTo(check->row_context);
	uint64		hashes[INDEX_MAX_KEYS];
	const BfDirectory *directory;
	uint32		group;
	int			column;

	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
		if (!isnull[column])
			hashes[column] = bf_index_hash(index, column, values[column]);
	directory = bf_directory(index, false);
	group = bf_directory_find(directory, heap_page);
	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
	{
		if (isnull[column])
			continue;
		if (group == BF_NO_GROUP ||
			!slab_has(index, bf_directory_slab(directory, group, column), heap_page,
					  hashes[column]))
		{
			check->missing++;
			break;
		}
	}
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(check->row_context);
}

/*
 * By a new snapshot: what it sees was there, or has been inserted, since the
 * index was built.
 */
static int64
check_rows(Relation heap, Relation index)
{
	Check		check = {0};
	IndexInfo  *info = BuildIndexInfo(index);
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	TableScanDesc scan = table_beginscan_strat(heap, snapshot, 0, NULL, true, true);

	check.row_context = AllocSetContextCreate(CurrentMemoryContext, "row of a filter index",
											  ALLOCSET_DEFAULT_SIZES);
	/* after the snapshot */
	bf_directory(index, true);
	/* an MVCC scan, which needs no lock against writers */
	info->ii_Concurrent = true;
	table_index_build_scan(heap, index, info, true, false, check_row, &check, scan);
	UnregisterSnapshot(snapshot);
	MemoryContextDelete(check.row_context);
	return check.missing;
}

Datum
bloomfilter_index_check(PG_FUNCTION_ARGS)
{
	Relation	heap;
	Relation	index = bf_index_open(PG_GETARG_OID(0), &heap);
	Oid			user;
	int			security_context;
	int			nest_level;
	int64		missing;

	if (!index->rd_index->indisvalid)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("index \"%s\" is not valid", RelationGetRelationName(index)),
				 errhint("Rebuild the index with REINDEX.")));

	/* expressions of the index are evaluated as its owner would, not as the caller */
	GetUserIdAndSecContext(&user, &security_context);
	SetUserIdAndSecContext(heap->rd_rel->relowner,
						   security_context | SECURITY_RESTRICTED_OPERATION);
	nest_level = NewGUCNestLevel();
	BF_RESTRICT_SEARCH_PATH();
	missing = check_rows(heap, index);
	AtEOXact_GUC(false, nest_level);
	SetUserIdAndSecContext(user, security_context);
	bf_index_close(index, heap);
	PG_RETURN_INT64(missing);
}
