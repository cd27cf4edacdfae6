/*-------------------------------------------------------------------------
 *
 * probe.c
 *		The probe node of join filters: drops the rows of its child whose key
 *		is not in the filter, as long as that pays.
 *
 * Directly above a sequential scan of a heap, the probe reads the scan's table
 * itself.  It tests all rows of a page by their keys in the page, before the scan
 * evaluates its conditions and makes a slot; only rows that pass cost what a row of
 * a scan costs.  A filter that is not complete when a page is read, or whose key
 * is not on the page, tests the slots of the rows that are left.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "tcop/tcopprot.h"
#include "utils/rel.h"

#include "joins/keys/probe_key.h"
#include "joins/run/batch.h"
#include "joins/run/explain.h"
#include "joins/run/node.h"
#include "joins/run/phase.h"
#include "joins/run/skip.h"
#include "joins/run/state.h"
#include "settings.h"

/* ---------- rows in slots ---------- */

/* Does a row pass a filter that is in use? */
static inline bool
test(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot, bool *tested)
{
	uint32		hash = 0;
	bool		has_key;
	bool		pass;

	/* rows are hashed anew, without a rescan of this node */
	if (unlikely(pf->filter->blocks == NULL))
	{
		pf->phase = BF_JOIN_PROBE_WAITING;
		bf_phase_prepare(probe, pf);
		if (pf->phase != BF_JOIN_PROBE_TESTING)
			return true;
	}
	has_key = bf_join_hash_key(&pf->key, slot, NULL, probe->css.ss.ps.ps_ExprContext, &hash);
	*tested = true;
	pass = has_key && bf_join_filter_contains(pf->filter, hash);
	bf_phase_count(probe, pf, 1, pass);
	return pass;
}

/*
 * Does a row pass all filters?  row: of the batch, by whose filters it was tested
 * before; or NULL.
 */
static inline bool
passes(BfJoinProbeState *probe, TupleTableSlot *slot, const BfBatchRow *row)
{
	bool		tested = false;
	bool		pass = true;
	int			i;

	for (i = 0; i < probe->nfilters && pass; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];

		if (row != NULL && pf->tests_batch)
			continue;
		if (unlikely(pf->phase == BF_JOIN_PROBE_WAITING))
			bf_phase_prepare(probe, pf);
		if (pf->phase == BF_JOIN_PROBE_OFF)
			bf_phase_count_rest(pf, 1);
		else if (pf->phase == BF_JOIN_PROBE_TESTING)
			pass = test(probe, pf, slot, &tested);
	}
	tested = tested && (row == NULL || !row->tested);
	probe->counts.rows_tested += tested;
	probe->counts.rows_removed += !pass;
	InstrCountFiltered2(probe, tested);
	InstrCountFiltered1(probe, !pass);
	return pass;
}

/* ---------- the rows of the child ---------- */

/* Is the whole table or partition skipped?  Decided before the first row of a scan. */
static inline bool
is_skipped(BfJoinProbeState *probe)
{
	if (probe->skip == NULL)
		return false;
	if (unlikely(!probe->skip->decided))
		bf_skip_decide(probe->skip);
	return probe->skip->whole;
}

/* The next row of the child that was not tested. */
static inline TupleTableSlot *
child_row(BfJoinProbeState *probe)
{
	return probe->reader.by_maps ? bf_pages_next_row(&probe->reader) :
		ExecProcNode(outerPlanState(probe));
}

/* The next row of the child that passes. */
static TupleTableSlot *
next_row(PlanState *pstate)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) pstate;

	if (is_skipped(probe))
		return NULL;
	for (;;)
	{
		TupleTableSlot *slot;
		const BfBatchRow *row = NULL;

		if (probe->batch == NULL || !bf_batch_next(probe, &slot, &row))
			slot = child_row(probe);
		if (TupIsNull(slot) || passes(probe, slot, row))
			return slot;
		CHECK_FOR_INTERRUPTS();
	}
}

/* The next row of the child, while all filters are off.  It is not tested. */
static TupleTableSlot *
hand_on(PlanState *pstate)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) pstate;
	TupleTableSlot *slot;

	if (is_skipped(probe))
		return NULL;
	if (probe->batch != NULL && (slot = bf_batch_rest(probe)) != NULL)
		return slot;
	if (++probe->handed_on == probe->resting)
	{
		bf_phase_wake_up(probe);
		bf_phase_rest(probe);
	}
	return child_row(probe);
}

/* ---------- states ---------- */

static void
init_filter(BfJoinProbeFilter *pf, List *spec, List *keys, PlanState *probe)
{
	bf_join_filter_spec_from_list(spec, &pf->spec);
	pf->mailbox = bf_mailbox(probe->state, pf->spec.param);
	bf_join_init_probe_key(&pf->key, &pf->spec, keys, probe);
	/* at 1, a filter is never switched off */
	pf->max_pass = pf->spec.groups || bf_join_filters == BF_JOIN_FILTERS_FORCE ? 1 : pf->spec.max_pass;
	pf->window_rows = BF_WINDOW_ROWS;
}

/* The table whose rows a node returns; 0: they are not those of one table. */
static Oid
source_table(PlanState *node)
{
	Relation	relation;

	while (node != NULL)
	{
		switch (nodeTag(node))
		{
			case T_SeqScanState:
			case T_SampleScanState:
			case T_IndexScanState:
			case T_IndexOnlyScanState:
			case T_BitmapHeapScanState:
			case T_TidScanState:
			case T_TidRangeScanState:
			case T_ForeignScanState:
			case T_CustomScanState:
				relation = ((ScanState *) node)->ss_currentRelation;
				if (relation != NULL)
					return RelationGetRelid(relation);
				break;
			default:
				break;
		}
		if (IsA(node, SubqueryScanState))
			node = ((SubqueryScanState *) node)->subplan;
		else if (innerPlanState(node) != NULL)
			return InvalidOid;
		else
			node = outerPlanState(node);
	}
	return InvalidOid;
}

/*
 * Is this a worker's part of its leader's plan?  Then its text is the one that the
 * worker was started with; a query of a function has its own.
 */
static bool
is_workers_part(const EState *estate)
{
	return IsParallelWorker() && estate->es_sourceText == debug_query_string;
}

/* Not for EXPLAIN without ANALYZE, nor for EvalPlanQual, which has no filters. */
static void
begin_counting(BfJoinProbeState *probe, EState *estate, int eflags)
{
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0 || estate->es_epq_active != NULL)
		return;
	if (!is_workers_part(estate))
	{
		probe->counts.executions = 1;
		probe->counts.filters = probe->nfilters;
	}
	bf_count_for_table(estate->es_query_cxt, source_table(outerPlanState(probe)), &probe->counts);
}

static void
begin_probe(CustomScanState *node, EState *estate, int eflags)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	int			first_key = 0;
	ListCell   *lc;

	bf_join_begin_child(node, estate, eflags, next_row);
	probe->filters = palloc0(list_length(plan->custom_private) * sizeof(BfJoinProbeFilter));
	foreach(lc, plan->custom_private)
	{
		BfJoinProbeFilter *pf = &probe->filters[probe->nfilters++];
		List	   *keys = list_copy_tail(plan->custom_exprs, first_key);

		init_filter(pf, lfirst(lc), keys, &node->ss.ps);
		first_key += pf->key.ncolumns;
	}
	probe->test_rows = next_row;
	probe->hand_on = hand_on;
	probe->skip = bf_skip_init(probe);
	probe->reader.child = (ScanState *) outerPlanState(probe);
	probe->reader.skipped = &probe->counts.blocks_skipped;
	bf_batch_init(probe, eflags);
	begin_counting(probe, estate, eflags);
}

static void
end_probe(CustomScanState *node)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) node;

	bf_pages_end(&probe->reader);
	bf_join_end_child(node);
}

/*
 * The mailbox may get another filter, or its filter may be incomplete again.
 * What was counted of its use is kept: there may be many short scans.
 */
static void
rescan_probe(CustomScanState *node)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) node;
	int			i;

	bf_phase_wake_up(probe);
	for (i = 0; i < probe->nfilters; i++)
		if (probe->filters[i].phase != BF_JOIN_PROBE_OFF)
			probe->filters[i].phase = BF_JOIN_PROBE_WAITING;
	bf_phase_rest(probe);
	bf_batch_forget(probe);
	bf_pages_end(&probe->reader);
	if (probe->skip != NULL)
		bf_skip_rescan(probe->skip);
	bf_join_rescan_child(node);
}

/* ---------- the node ---------- */

static const CustomExecMethods probe_exec_methods = {
	.CustomName = BF_JOIN_PROBE_NAME,
	.BeginCustomScan = begin_probe,
	.ExecCustomScan = bf_join_exec,
	.EndCustomScan = end_probe,
	.ReScanCustomScan = rescan_probe,
	.MarkPosCustomScan = bf_join_mark_child,
	.RestrPosCustomScan = bf_join_restore_child,
	.ExplainCustomScan = bf_join_explain_probe
};

static Node *
create_probe_state(CustomScan *plan pg_attribute_unused())
{
	BfJoinProbeState *probe = palloc0(sizeof(BfJoinProbeState));

	NodeSetTag(probe, T_CustomScanState);
	probe->css.methods = &probe_exec_methods;
	return (Node *) probe;
}

const CustomScanMethods bf_join_probe_methods = {
	.CustomName = BF_JOIN_PROBE_NAME,
	.CreateCustomScanState = create_probe_state
};
