/*-------------------------------------------------------------------------
 *
 * pages.c
 *		Reads the table of a sequential scan in its place: the pages that may
 *		have a match, or all.
 *
 * Which pages come next, locks, visibility, and reads that are begun in advance
 * are the business of the server's own scan.  It reads a page when it is asked for
 * the first of its rows, and then has the list of the visible ones.  The reader
 * moves the scan's position in this list, so that the scan goes on with the next
 * page when it is asked again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "joins/ranges/pages.h"

/*
 * Number of consecutive pages without a match that are read nevertheless, if
 * pages before and after them are read: the operating system reads ahead only
 * while pages follow each other.  Measured with 46,729 pages and a summary
 * of each, where every second, third, fourth, sixth page has matches, and
 * gaps of 1, 2, 3, 5 pages are skipped or read; milliseconds without waiting
 * for a processor, the minimum of five runs:
 *
 *		in memory, skipped	419		343		216		144
 *		in memory, read		606		603		475		382
 *		from disk, skipped	707		1331	1045	605
 *		from disk, read		649		707		524		602
 *
 * So gaps of up to 4 pages are read.  Skipping gaps of 2 or 3 takes up to
 * half of the time in memory, but from disk up to twice as long as reading the
 * whole table.
 */
#define MAX_READ_GAP	4

BlockNumber
bf_pages_count(ScanState *child)
{
	ParallelTableScanDesc shared = child->ss_currentScanDesc == NULL ? NULL :
		child->ss_currentScanDesc->rs_parallel;

	return shared == NULL ? RelationGetNumberOfBlocks(child->ss_currentRelation) :
		((ParallelBlockTableScanDesc) shared)->phs_nblocks;
}

/* The table's statistics count one scan, as without skipping. */
void
bf_pages_begin(BfPageReader *reader, BlockNumber npages)
{
	ScanState  *child = reader->child;
	Relation	relation = child->ss_currentRelation;

	reader->by_maps = true;
	reader->npages = npages;
	reader->next = 0;
	reader->scan = NULL;
	reader->in_run = false;
	reader->claimed = InvalidBlockNumber;
	reader->shared = child->ss_currentScanDesc == NULL ? NULL :
		(ParallelBlockTableScanDesc) child->ss_currentScanDesc->rs_parallel;
	if (reader->shared == NULL)
	{
		pgstat_count_heap_scan(relation);
		return;
	}
	memset(&reader->worker, 0, sizeof(reader->worker));
	BF_PARALLELSCAN_START(relation, &reader->worker, reader->shared);
}

void
bf_pages_end(BfPageReader *reader)
{
	if (reader->scan != NULL)
		table_endscan(reader->scan);
	reader->scan = NULL;
	reader->by_maps = false;
}

/* ---------- runs ---------- */

static bool
page_matches(const BfPageReader *reader, BlockNumber page)
{
	int			i;

	for (i = 0; i < reader->nmaps; i++)
	{
		const BfRangeMap *map = &reader->maps[i];
		BlockNumber range = page / map->pages_per_range;

		if (((map->bits[range / 64] >> (range % 64)) & 1) == 0)
			return false;
	}
	return true;
}

static void
count_skipped(BfPageReader *reader, BlockNumber pages)
{
	*reader->skipped += pages;
	if (reader->child->ps.instrument != NULL)
		BF_SKIPPED_PAGES(reader->child->ps.instrument) += pages;
}

/* The next page to examine; InvalidBlockNumber: there is none. */
static BlockNumber
claim(BfPageReader *reader)
{
	BlockNumber result = reader->claimed;

	CHECK_FOR_INTERRUPTS();
	reader->claimed = InvalidBlockNumber;
	if (result != InvalidBlockNumber)
		return result;
	if (reader->shared != NULL)
		return table_block_parallelscan_nextpage(reader->child->ss_currentRelation,
												 &reader->worker, reader->shared);
	return reader->next < reader->npages ? reader->next++ : InvalidBlockNumber;
}

/* The pages of a shared scan come in chunks, each in order; a run ends with its chunk. */
static bool
may_go_on(const BfPageReader *reader)
{
	return reader->shared == NULL || reader->worker.phsw_chunk_remaining > 0;
}

/* The next pages to read, first to last.  False: there are none. */
static bool
next_run(BfPageReader *reader, BlockNumber *first, BlockNumber *last)
{
	BlockNumber gap = 0;
	BlockNumber page;

	while ((page = claim(reader)) != InvalidBlockNumber && !page_matches(reader, page))
		count_skipped(reader, 1);
	if (page == InvalidBlockNumber)
		return false;
	*first = *last = page;
	while (may_go_on(reader) && (page = claim(reader)) != InvalidBlockNumber)
	{
		if (!page_matches(reader, page))
		{
			gap++;
			continue;
		}
		/* a chunk may pass the table's end and continue at its start */
		if (page <= *last || page - *last > MAX_READ_GAP + 1)
		{
			reader->claimed = page;
			break;
		}
		*last = page;
		gap = 0;
	}
	count_skipped(reader, gap);
	return true;
}

/* Start a scan of the pages from first to last. */
static void
scan_run(BfPageReader *reader, BlockNumber first, BlockNumber last)
{
	ScanState  *child = reader->child;
	Relation	relation = child->ss_currentRelation;
	ItemPointerData low;
	ItemPointerData high;

	ItemPointerSet(&low, first, FirstOffsetNumber);
	ItemPointerSet(&high, last, MaxOffsetNumber);
	if (reader->scan != NULL)
	{
		table_rescan_tidrange(reader->scan, &low, &high);
		return;
	}
	/*
	 * with table_beginscan_tidrange(), a large table could evict others from
	 * the buffers
	 */
	reader->scan = relation->rd_tableam->scan_begin(relation, child->ps.state->es_snapshot, 0,
													NULL, NULL,
													SO_TYPE_TIDRANGESCAN | SO_ALLOW_STRAT |
													SO_ALLOW_PAGEMODE);
	relation->rd_tableam->scan_set_tidrange(reader->scan, &low, &high);
}

static bool
start_run(BfPageReader *reader)
{
	BlockNumber first;
	BlockNumber last;

	if (!next_run(reader, &first, &last))
		return false;
	scan_run(reader, first, last);
	return true;
}

/* ---------- rows ---------- */

/* The next row of the table; an empty slot at the end. */
static TupleTableSlot *
fetch(BfPageReader *reader, TupleTableSlot *slot)
{
	for (;;)
	{
		if (reader->in_run &&
			table_scan_getnextslot_tidrange(reader->scan, ForwardScanDirection, slot))
			return slot;
		reader->in_run = start_run(reader);
		if (!reader->in_run)
			return ExecClearTuple(slot);
	}
}

/* Like ExecScan(): the output for a row in the scan's slot, or NULL. */
static TupleTableSlot *
select_row(ScanState *child)
{
	ExprState  *qual = child->ps.qual;
	ProjectionInfo *projection = child->ps.ps_ProjInfo;
	ExprContext *econtext = child->ps.ps_ExprContext;

	ResetExprContext(econtext);
	econtext->ecxt_scantuple = child->ss_ScanTupleSlot;
	if (qual == NULL || ExecQual(qual, econtext))
		return projection ? ExecProject(projection) : child->ss_ScanTupleSlot;
	InstrCountFiltered1(child, 1);
	return NULL;
}

static TupleTableSlot *
next_row(BfPageReader *reader)
{
	ScanState  *child = reader->child;
	ProjectionInfo *projection = child->ps.ps_ProjInfo;

	for (;;)
	{
		TupleTableSlot *slot;

		CHECK_FOR_INTERRUPTS();
		slot = fetch(reader, child->ss_ScanTupleSlot);
		if (TupIsNull(slot))
			return projection ? ExecClearTuple(projection->pi_state.resultslot) : slot;
		slot = select_row(child);
		if (slot != NULL)
			return slot;
	}
}

/* ExecProcNode() does the same for a node, whose method is not called. */
void
bf_pages_enter(BfPageReader *reader)
{
	PlanState  *child = &reader->child->ps;

	if (child->chgParam != NULL)
		ExecReScan(child);
	if (child->instrument != NULL)
		InstrStartNode(child->instrument);
}

void
bf_pages_leave(BfPageReader *reader, double rows)
{
	if (reader->child->ps.instrument != NULL)
		InstrStopNode(reader->child->ps.instrument, rows);
}

TupleTableSlot *
bf_pages_next_row(BfPageReader *reader)
{
	TupleTableSlot *result;

	bf_pages_enter(reader);
	result = next_row(reader);
	bf_pages_leave(reader, TupIsNull(result) ? 0 : 1);
	return result;
}

/* ---------- all rows of a page ---------- */

bool
bf_pages_has_pages(const ScanState *child)
{
	return IsA(child, SeqScanState) &&
		child->ss_currentRelation->rd_tableam == GetHeapamTableAmRoutine() &&
		TTS_IS_BUFFERTUPLE(child->ss_ScanTupleSlot) &&
		IsMVCCSnapshot(child->ps.state->es_snapshot);
}

static HeapScanDesc
current_scan(const BfPageReader *reader)
{
	return (HeapScanDesc) (reader->by_maps ? reader->scan : reader->child->ss_currentScanDesc);
}

/* Read the scan's next row, and its page with the first; false: there is none. */
static bool
read_row(BfPageReader *reader)
{
	ScanState  *child = reader->child;
	TupleTableSlot *slot;

	if (reader->by_maps)
	{
		slot = fetch(reader, child->ss_ScanTupleSlot);
		return !TupIsNull(slot);
	}
	/* as SeqNext() */
	if (child->ss_currentScanDesc == NULL)
		child->ss_currentScanDesc = BF_BEGIN_SEQ_SCAN(child);
	return table_scan_getnextslot(child->ss_currentScanDesc, ForwardScanDirection,
								  child->ss_ScanTupleSlot);
}

HeapScanDesc
bf_pages_rest(BfPageReader *reader, int *first)
{
	HeapScanDesc scan;

	if (!read_row(reader))
		return NULL;
	scan = current_scan(reader);
	Assert((scan->rs_base.rs_flags & SO_ALLOW_PAGEMODE) != 0 && scan->rs_base.rs_nkeys == 0);
	*first = (int) scan->rs_cindex;
	/* the row was counted, but is not taken yet */
	BF_COUNT_ROWS_READ(scan->rs_base.rs_rd, -1);
	return scan;
}

void
bf_pages_take(HeapScanDesc scan, int first, int rows, int dropped)
{
	scan->rs_cindex = first + rows - 1;
	BF_COUNT_ROWS_READ(scan->rs_base.rs_rd, dropped);
}

/* As heap_getnextslot() returns it. */
TupleTableSlot *
bf_pages_row(BfPageReader *reader, int index)
{
	HeapScanDesc scan = current_scan(reader);
	HeapTuple	tuple = &scan->rs_ctup;

	bf_page_tuple(scan, index, tuple);
	ItemPointerSet(&tuple->t_self, scan->rs_cblock, scan->rs_vistuples[index]);
	BF_COUNT_ROWS_READ(scan->rs_base.rs_rd, 1);
	ExecStoreBufferHeapTuple(tuple, reader->child->ss_ScanTupleSlot, scan->rs_cbuf);
	return select_row(reader->child);
}
