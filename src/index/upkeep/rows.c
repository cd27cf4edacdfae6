/*-------------------------------------------------------------------------
 *
 * rows.c
 *		Reading all rows of a part of a table that somebody may see, beside
 *		writers.
 *
 * This is not the table's scan for an index.  That leaves out versions that
 * HOT updates replaced, although old snapshots see them; from 16 on their
 * values may differ (build.c).  Here every version counts, those of
 * transactions in progress and those that some snapshot may see, too.
 *
 * Versions that are dead to everyone have to be left out: their values may
 * have been stored out of line, and VACUUM of the TOAST table may have removed
 * these.  Other VACUUMs do not take notice of this one's transaction, so the
 * oldest transaction that counts is asked for again in each page with a
 * version that is deleted.
 *
 * A snapshot of a standby can be older than all on the primary, and see such a
 * version: while the version is in the table, nothing has made the standby
 * cancel the query.  So the newest transaction that deleted a version which was
 * left out is kept.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/tableam.h"
#include "catalog/index.h"
#include "catalog/pg_am_d.h"
#include "commands/vacuum.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "storage/procarray.h"
#include "utils/memutils.h"

#include "compat.h"
#include "index/upkeep/rows.h"

/* What evaluates a row. */
typedef struct Evaluation
{
	EState	   *estate;
	ExprContext *context;
	ExprState  *predicate;
	TupleTableSlot *slot;
} Evaluation;

bool
bf_rows_supports(Relation heap)
{
	return heap->rd_rel->relam == HEAP_TABLE_AM_OID;
}

/* An xid of the past, with its epoch. */
static FullTransactionId
full_xid(TransactionId xid)
{
	FullTransactionId next = ReadNextFullTransactionId();
	uint32		age = XidFromFullTransactionId(next) - xid;

	return FullTransactionIdFromU64(U64FromFullTransactionId(next) - age);
}

static void
leave_out(BfRows *rows, TransactionId deleter)
{
	FullTransactionId horizon = full_xid(deleter);

	FullTransactionIdAdvance(&horizon);
	if (FullTransactionIdPrecedes(rows->horizon, horizon))
		rows->horizon = horizon;
}

/* The versions of the page, which is locked, that the index needs. */
static int
find_versions(BfRows *rows, Buffer buffer, OffsetNumber *found)
{
	Page		page = BufferGetPage(buffer);
	TransactionId oldest = InvalidTransactionId;
	OffsetNumber last = PageIsNew(page) ? 0 : PageGetMaxOffsetNumber(page);
	OffsetNumber offset;
	int			count = 0;

	for (offset = FirstOffsetNumber; offset <= last; offset++)
	{
		ItemId		item = PageGetItemId(page, offset);
		HeapTupleData tuple;
		HTSV_Result status;
		TransactionId deleter;

		if (!ItemIdIsNormal(item))
			continue;
		tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
		tuple.t_len = ItemIdGetLength(item);
		tuple.t_tableOid = RelationGetRelid(rows->heap);
		ItemPointerSet(&tuple.t_self, BufferGetBlockNumber(buffer), offset);
		status = HeapTupleSatisfiesVacuumHorizon(&tuple, buffer, &deleter);
		/* inserted by a transaction that was rolled back */
		if (status == HEAPTUPLE_DEAD)
			continue;
		if (status == HEAPTUPLE_RECENTLY_DEAD)
		{
			if (!TransactionIdIsValid(oldest))
				oldest = GetOldestNonRemovableTransactionId(rows->heap);
			if (TransactionIdPrecedes(deleter, oldest))
			{
				leave_out(rows, deleter);
				continue;
			}
		}
		found[count++] = offset;
	}
	return count;
}

static void
hash_columns(const BfRows *rows, const Datum *values, const bool *isnull, BfRowHashes *row)
{
	if (rows->hasher == NULL)
	{
		bf_row_hashes(row, rows->index, values, isnull);
		return;
	}
	row->counts[0] = isnull[0] ? 0 : 1;
	row->hashes[0] = row->single;
	if (!isnull[0])
		row->single[0] = bf_table_hash(rows->hasher, rows->index, values[0]);
}

/*
 * Hash the columns of a version; false if it is not in a partial index.  The
 * functions may do anything, so no page is locked; the pin keeps the version
 * where it is.
 */
static bool
hash_version(const BfRows *rows, Evaluation *evaluation, Buffer buffer, OffsetNumber offset,
			 BfRowHashes *row)
{
	Page		page = BufferGetPage(buffer);
	ItemId		item = PageGetItemId(page, offset);
	HeapTupleData tuple;
	Datum		values[INDEX_MAX_KEYS];
	bool		isnull[INDEX_MAX_KEYS];
	MemoryContext old_context;

	tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple.t_len = ItemIdGetLength(item);
	tuple.t_tableOid = RelationGetRelid(rows->heap);
	ItemPointerSet(&tuple.t_self, BufferGetBlockNumber(buffer), offset);
	MemoryContextReset(evaluation->context->ecxt_per_tuple_memory);
	ExecStoreBufferHeapTuple(&tuple, evaluation->slot, buffer);
	evaluation->context->ecxt_scantuple = evaluation->slot;
	if (evaluation->predicate != NULL && !ExecQual(evaluation->predicate, evaluation->context))
		return false;
	FormIndexDatum(rows->info, evaluation->slot, evaluation->estate, values, isnull);
	old_context = MemoryContextSwitchTo(evaluation->context->ecxt_per_tuple_memory);
	hash_columns(rows, values, isnull, row);
	MemoryContextSwitchTo(old_context);
	return true;
}

static void
read_page(BfRows *rows, Evaluation *evaluation, BlockNumber block, BfRowCallback callback,
		  void *state)
{
	Buffer		buffer = ReadBufferExtended(rows->heap, MAIN_FORKNUM, block, RBM_NORMAL,
											rows->strategy);
	OffsetNumber found[MaxHeapTuplesPerPage];
	BfRowHashes row;
	int			count;
	int			i;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	count = find_versions(rows, buffer, found);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	for (i = 0; i < count; i++)
		if (hash_version(rows, evaluation, buffer, found[i], &row))
			callback(block, &row, state);
	ExecClearTuple(evaluation->slot);
	ReleaseBuffer(buffer);
}

void
bf_rows_read(BfRows *rows, BlockNumber first, BlockNumber end, BfRowCallback callback,
			 void *state)
{
	Evaluation	evaluation;
	BlockNumber block;

	evaluation.estate = CreateExecutorState();
	evaluation.context = GetPerTupleExprContext(evaluation.estate);
	evaluation.predicate = ExecPrepareQual(rows->info->ii_Predicate, evaluation.estate);
	evaluation.slot = table_slot_create(rows->heap, NULL);
	for (block = first; block < end; block++)
	{
		BF_VACUUM_DELAY_POINT();
		read_page(rows, &evaluation, block, callback, state);
	}
	ExecDropSingleTupleTableSlot(evaluation.slot);
	FreeExecutorState(evaluation.estate);
	/* they belonged to that state */
	rows->info->ii_ExpressionsState = NIL;
	rows->info->ii_PredicateState = NULL;
}
