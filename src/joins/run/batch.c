/*-------------------------------------------------------------------------
 *
 * batch.c
 *		Tests the rows of a page by their keys in the page.
 *
 * All keys of a page are hashed before the first is tested, so that the blocks of
 * a filter that does not fit into the processor's cache are fetched meanwhile.
 * Only rows that pass get into a slot, and meet the scan's conditions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "portability/instr_time.h"

#include "joins/run/batch.h"
#include "joins/run/phase.h"

void
bf_batch_init(BfJoinProbeState *probe, int eflags)
{
	ScanState  *child = (ScanState *) outerPlanState(probe);
	EState	   *estate = probe->css.ss.ps.state;
	bool		any = false;
	int			i;

	/* EvalPlanQual reads other rows */
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0 || estate->es_epq_active != NULL ||
		!bf_pages_has_pages(child))
		return;
	for (i = 0; i < probe->nfilters; i++)
		if (probe->filters[i].spec.before_conditions)
		{
			bf_join_init_page_key(&probe->filters[i].key, child);
			any |= probe->filters[i].key.table != NULL;
		}
	if (!any)
		return;
	probe->batch = palloc0(sizeof(BfBatch));
	probe->order = palloc(probe->nfilters * sizeof(BfJoinProbeFilter *));
	for (i = 0; i < probe->nfilters; i++)
		probe->order[i] = &probe->filters[i];
}

/*
 * How many rows ahead a row's header and key are fetched from memory: nobody has
 * read the rows of an all-visible page before.  Of the time that hashing 3,000,000
 * rows of 104 bytes took, 56 % was waiting for headers, and 29 % with this.
 */
#define PREFETCH_ROWS	8

/* Keep the rows whose key is not NULL, with its hash. */
static void
hash_batch(BfJoinProbeState *probe, BfJoinProbeFilter *pf, HeapScanDesc scan)
{
	BfBatch    *batch = probe->batch;
	int			key_offset = SizeofHeapTupleHeader + Max(pf->key.columns[0].offset, 0);
	int			n = 0;
	int			i;

	for (i = 0; i < batch->n; i++)
	{
		HeapTupleData tuple;
		uint32		hash;

		/* not by a function of its own: gcc takes that for one without effect */
		if (i + PREFETCH_ROWS < batch->n)
		{
			bf_page_tuple(scan, batch->rows[i + PREFETCH_ROWS].index, &tuple);
			__builtin_prefetch(tuple.t_data);
			__builtin_prefetch((char *) tuple.t_data + key_offset);
		}
		bf_page_tuple(scan, batch->rows[i].index, &tuple);
		batch->tested += !batch->rows[i].tested;
		batch->rows[n].index = batch->rows[i].index;
		batch->rows[n].tested = true;
		if (bf_join_hash_key(&pf->key, NULL, &tuple, probe->css.ss.ps.ps_ExprContext, &hash))
			batch->hashes[n++] = bf_join_hash_spread(hash);
	}
	batch->n = n;
}

/* Keep the rows that pass a filter. */
static void
test_batch(BfJoinProbeState *probe, BfJoinProbeFilter *pf, HeapScanDesc scan)
{
	BfBatch    *batch = probe->batch;
	int			tested = batch->n;
	int			n = 0;
	int			i;

	hash_batch(probe, pf, scan);
	(void) bf_blocks_test(pf->filter->blocks, pf->filter->nblocks, pf->filter->k,
						  batch->hashes, batch->n, batch->found);
	for (i = 0; i < batch->n; i++)
	{
		batch->rows[n] = batch->rows[i];
		n += batch->found[i];
	}
	batch->n = n;
	bf_phase_count(probe, pf, tested, n);
}

/*
 * Is a filter that tests rows on their pages in use?  It may just have been
 * completed.
 */
static bool
is_ready(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	/* rows are hashed anew, without a rescan of this node */
	if (pf->phase == BF_JOIN_PROBE_TESTING && pf->filter->blocks == NULL)
		pf->phase = BF_JOIN_PROBE_WAITING;
	if (pf->phase == BF_JOIN_PROBE_WAITING)
		bf_phase_prepare(probe, pf);
	return pf->phase == BF_JOIN_PROBE_TESTING;
}

/*
 * How many rows can be tested on their page before a filter's window or rest ends.
 * 0: no filter would test them.
 */
static int
batch_limit(BfJoinProbeState *probe)
{
	uint32		limit = MaxHeapTuplesPerPage;
	bool		any = false;
	int			i;

	for (i = 0; i < probe->nfilters; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];

		if (pf->key.table == NULL)
			continue;
		if (is_ready(probe, pf))
		{
			limit = Min(limit, pf->window_rows - pf->tested);
			any = true;
		}
		else if (pf->phase == BF_JOIN_PROBE_OFF)
			limit = Min(limit, pf->rest);
	}
	return any ? (int) limit : 0;
}

/* Leave those rows in the batch that pass a filter. */
static void
filter_batch_by(BfJoinProbeState *probe, BfJoinProbeFilter *pf, HeapScanDesc scan, bool timed)
{
	BfBatch    *batch = probe->batch;
	int			rows = batch->n;
	instr_time	start;
	instr_time	end;

	if (pf->phase == BF_JOIN_PROBE_OFF)
	{
		bf_phase_count_rest(pf, rows);
		return;
	}
	if (timed)
		INSTR_TIME_SET_CURRENT(start);
	test_batch(probe, pf, scan);
	if (!timed)
		return;
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_SUBTRACT(end, start);
	bf_phase_sample(pf, rows, rows - batch->n, INSTR_TIME_GET_DOUBLE(end));
}

static void
filter_batch(BfJoinProbeState *probe, HeapScanDesc scan)
{
	bool		timed = bf_phase_is_timed(probe);
	int			i;

	for (i = 0; i < probe->nfilters && probe->batch->n > 0; i++)
	{
		BfJoinProbeFilter *pf = probe->order[i];

		pf->tests_batch = pf->key.table != NULL &&
			(pf->phase == BF_JOIN_PROBE_TESTING || pf->phase == BF_JOIN_PROBE_OFF);
		if (pf->tests_batch)
			filter_batch_by(probe, pf, scan, timed);
	}
	if (timed)
		bf_phase_reorder(probe);
}

/*
 * Test the next rows of a page, at most so many.  Returns how many are dropped;
 * -1: there are no more rows.
 */
static int
read_batch(BfJoinProbeState *probe, int limit)
{
	BfBatch    *batch = probe->batch;
	int			first;
	HeapScanDesc scan = bf_pages_rest(&probe->reader, &first);
	int			rows;
	int			i;

	if (scan == NULL)
		return -1;
	rows = Min((int) scan->rs_ntuples - first, limit);
	for (i = 0; i < rows; i++)
	{
		batch->rows[i].index = first + i;
		batch->rows[i].tested = false;
	}
	batch->n = rows;
	batch->next = batch->tested = 0;
	filter_batch(probe, scan);
	bf_pages_take(scan, first, rows, rows - batch->n);
	probe->counts.rows_tested += batch->tested;
	probe->counts.rows_removed += rows - batch->n;
	InstrCountFiltered2(probe, batch->tested);
	InstrCountFiltered1(probe, rows - batch->n);
	return rows - batch->n;
}

/* The scan's next row of the batch, in *row, too; NULL: there is none. */
static TupleTableSlot *
batch_row(BfJoinProbeState *probe, const BfBatchRow **row)
{
	BfBatch    *batch = probe->batch;

	while (batch->next < batch->n)
	{
		TupleTableSlot *slot;

		CHECK_FOR_INTERRUPTS();
		*row = &batch->rows[batch->next++];
		slot = bf_pages_row(&probe->reader, (*row)->index);
		if (slot != NULL)
			return slot;
	}
	return NULL;
}

bool
bf_batch_next(BfJoinProbeState *probe, TupleTableSlot **slot, const BfBatchRow **row)
{
	double		dropped = 0;
	int			limit = 0;

	if (probe->batch->next == probe->batch->n && batch_limit(probe) == 0)
		return false;
	bf_pages_enter(&probe->reader);
	while ((*slot = batch_row(probe, row)) == NULL && (limit = batch_limit(probe)) > 0)
	{
		int			more = read_batch(probe, limit);

		if (more < 0)
			break;
		dropped += more;
	}
	bf_pages_leave(&probe->reader, dropped + (*slot != NULL));
	return *slot != NULL || limit > 0;
}

TupleTableSlot *
bf_batch_rest(BfJoinProbeState *probe)
{
	TupleTableSlot *slot;
	const BfBatchRow *row;

	if (probe->batch->next == probe->batch->n)
		return NULL;
	bf_pages_enter(&probe->reader);
	slot = batch_row(probe, &row);
	bf_pages_leave(&probe->reader, slot != NULL);
	return slot;
}

void
bf_batch_forget(BfJoinProbeState *probe)
{
	if (probe->batch != NULL)
		probe->batch->n = probe->batch->next = 0;
}
