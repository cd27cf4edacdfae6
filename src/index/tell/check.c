/*-------------------------------------------------------------------------
 *
 * check.c
 *		bloom_index_check: does the index find every row of its table?
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tableam.h"
#include "catalog/index.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "index/file/directory.h"
#include "index/file/horizon.h"
#include "index/file/keys.h"
#include "index/file/table_hash.h"
#include "index/tell/open.h"

BF_SQL_FUNCTION(bloomfilter_index_check);

typedef struct Check
{
	Snapshot	snapshot;
	uint32		generation;		/* of the index, before the snapshot was taken */
	int64		missing;
	MemoryContext row_context;	/* reset for each row */
	BfTableHasher *hasher;		/* if the index is one filter of the table */
} Check;

/* A directory may be too old to know. */
typedef enum Answer
{
	FOUND,
	MISSING,
	STALE
} Answer;

static Answer
place_has(Relation index, const BfSlab *slab, uint32 generation, const BfPlace *place, uint32 set,
		  uint64 hash, int k)
{
	Buffer		buffer = bf_slab_read(index, place->page, slab, generation, BUFFER_LOCK_SHARE);
	Answer		result;

	if (!BufferIsValid(buffer))
		return STALE;
	result = bf_place_contains(BufferGetPage(buffer), place, set, hash, k) ? FOUND : MISSING;
	UnlockReleaseBuffer(buffer);
	return result;
}

static Answer
slab_has(Relation index, const BfSlab *slab, uint32 generation, BlockNumber heap_page, uint64 hash)
{
	uint32		page = heap_page - slab->first_heap_page;
	uint32		range = page / bf_range_pages(slab);
	uint64		second_hash = bf_second_level_hash(hash);
	BfPlace		first;
	BfPlace		second;
	Answer		result;

	if (!bf_slab_exists(slab))
		return MISSING;
	first = bf_first_level_place(slab, hash);
	second = bf_second_level_place(slab, range, second_hash);
	result = place_has(index, slab, generation, &first, range, hash, slab->k);
	if (result == FOUND)
		result = place_has(index, slab, generation, &second,
						   page % bf_range_pages(slab) / slab->set_pages, second_hash, slab->set_k);
	return result;
}

static Answer
cover_has(Relation index, const BfSlab *cover, uint32 generation, uint32 member, uint64 hash)
{
	BfPlace		place = bf_cover_place(cover, hash);

	return place_has(index, cover, generation, &place, member, bf_third_level_hash(hash),
					 cover->k);
}

/* Does a group find a value of a column in the page? */
static Answer
group_has(Relation index, const BfDirectory *directory, uint32 group, uint32 column,
		  BlockNumber heap_page, uint64 hash)
{
	uint32		member;
	const BfSlab *cover = bf_directory_cover_of(directory, group, column, &member);
	Answer		answer = slab_has(index, bf_directory_slab(directory, group, column),
								  directory->generation, heap_page, hash);

	if (answer == FOUND && cover != NULL)
		answer = cover_has(index, cover, directory->generation, member, hash);
	return answer;
}

/* Does the index find a row in the page by each of its columns, and of their keys? */
static Answer
ranges_have(Relation index, BlockNumber heap_page, const BfRowHashes *row)
{
	const BfDirectory *directory = bf_directory(index, false);
	uint32		group = bf_directory_find(directory, heap_page);
	uint32		column;

	for (column = 0; column < directory->columns; column++)
	{
		int			i;

		for (i = 0; i < row->counts[column]; i++)
		{
			Answer		answer = group == BF_NO_GROUP ? MISSING :
				group_has(index, directory, group, column, heap_page, row->hashes[column][i]);

			if (answer != FOUND)
				return answer;
		}
	}
	return FOUND;
}

static bool
index_has(Relation index, BlockNumber heap_page, const Datum *values, const bool *isnull)
{
	BfRowHashes row;
	Answer		answer;

	bf_row_hashes(&row, index, values, isnull);
	while ((answer = ranges_have(index, heap_page, &row)) == STALE)
		bf_directory(index, true);
	return answer == FOUND;
}

static bool
table_has(Relation index, BfTableHasher *hasher, const Datum *values, const bool *isnull)
{
	return isnull[0] || bf_table_contains(index, bf_table_hash(hasher, index, values[0]));
}

/*
 * May VACUUM of the primary meanwhile have left rows out of the index that the
 * snapshot, one of a standby, sees?
 */
static bool
is_outrun(Relation index, const Check *check)
{
	const BfDirectory *directory;

	if (!check->snapshot->takenDuringRecovery)
		return false;
	if (check->hasher != NULL)
		return bf_table_filter(index, true)->meta.generation != check->generation &&
			bf_table_is_behind(index, check->snapshot);
	directory = bf_directory(index, true);
	return directory->generation != check->generation &&
		bf_is_behind(check->snapshot, directory->standby_horizon);
}

static void
check_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		  bool is_alive pg_attribute_unused(), void *state)
{
	Check	   *check = state;
	BlockNumber heap_page = ItemPointerGetBlockNumber(tid);
	MemoryContext old_context = MemoryContextSwitchTo(check->row_context);

	if (!(check->hasher != NULL ? table_has(index, check->hasher, values, isnull) :
		  index_has(index, heap_page, values, isnull)) &&
		!is_outrun(index, check))
		check->missing++;
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(check->row_context);
}

/* The newest state, from which the check may begin.  Returns its generation. */
static uint32
refresh(Relation index)
{
	if (bf_is_table_filter(index))
		return bf_table_filter(index, true)->meta.generation;
	return bf_directory(index, true)->generation;
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
	TableScanDesc scan;

	check.generation = refresh(index);
	check.snapshot = RegisterSnapshot(GetLatestSnapshot());
	scan = table_beginscan_strat(heap, check.snapshot, 0, NULL, true, true);
	check.row_context = AllocSetContextCreate(CurrentMemoryContext, "row of a filter index",
											  ALLOCSET_DEFAULT_SIZES);
	if (bf_is_table_filter(index))
	{
		check.hasher = palloc0(sizeof(BfTableHasher));
		check.hasher->mcxt = CurrentMemoryContext;
	}
	refresh(index);				/* after the snapshot */
	/* an MVCC scan, which needs no lock against writers */
	info->ii_Concurrent = true;
	table_index_build_scan(heap, index, info, true, false, check_row, &check, scan);
	UnregisterSnapshot(check.snapshot);
	MemoryContextDelete(check.row_context);
	return check.missing;
}

/*
 * What the table's owner put into the index is evaluated with the owner's
 * rights.  The caller could have it do something else: by the search_path up to
 * 16, and by what its session has inlined before.
 */
static void
require_owner_of_expressions(Relation heap, Relation index)
{
	if ((heap_attisnull(index->rd_indextuple, Anum_pg_index_indexprs, NULL) &&
		 heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL)) ||
		has_privs_of_role(GetUserId(), heap->rd_rel->relowner))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("permission denied for index \"%s\"", RelationGetRelationName(index)),
			 errdetail("It has expressions or a condition, which are evaluated with the rights of the table's owner."),
			 errhint("Let the owner call it.")));
}

/* The index is one with pages. */
static int64
check_part(Oid part)
{
	Relation	heap;
	Relation	index = bf_index_open_part(part, &heap);
	Oid			user;
	int			security_context;
	int			nest_level;
	int64		missing;

	require_owner_of_expressions(heap, index);

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
	return missing;
}

Datum
bloomfilter_index_check(PG_FUNCTION_ARGS)
{
	Relation	heap;
	Relation	index = bf_index_open(PG_GETARG_OID(0), &heap);
	int64		missing = 0;
	ListCell   *cell;

	foreach(cell, bf_index_parts(heap, index, false))
		missing += check_part(lfirst_oid(cell));
	bf_index_close(index, heap);
	PG_RETURN_INT64(missing);
}
