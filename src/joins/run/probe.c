/*-------------------------------------------------------------------------
 *
 * probe.c
 *		The probe node of join filters: drops the rows of its child whose key
 *		is not in the filter, as long as that pays.
 *
 * Whether a filter pays is decided per window of rows.  If more rows pass than
 * the plan's limit, the filter is switched off; later it is tried again,
 * because data is clustered.  The rests between trials become longer as long
 * as the filter does not pay.
 *
 * Where rows get into groups (BfJoinGroups), either all rows of a key are
 * dropped or none.  So a filter that is completed late does not begin within a
 * group.  A filter that is switched off still drops the keys that it has
 * dropped before; it is switched off only while these are few, and for good.
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

#include "joins/run/dropped.h"
#include "joins/run/explain.h"
#include "joins/run/node.h"
#include "joins/run/probe_key.h"
#include "joins/run/shared.h"
#include "joins/run/skip.h"
#include "joins/run/state.h"
#include "settings.h"
#include "type/memory/blocks.h"

/*
 * Rows in a window: enough to know the fraction that passes to a percent, and
 * few enough not to matter in a large table.
 */
#define WINDOW_ROWS		8192

/*
 * Rows in a trial of a filter that was switched off: enough to know the
 * fraction to three percent.  If the filter pays there, a whole window
 * follows.
 */
#define RETRY_ROWS		1024

/*
 * Rows for which a filter rests when it is switched off: each time twice as
 * many as the time before, until a whole window pays again.
 *
 * Counted on 4,000,000 rows in the order of a day, 2,000 a day: the part of
 * the rows without a match that is dropped, with rests of always 250,000 rows
 * and whole windows, and with these rests: 94.5 and 100 % if 21 days match,
 * 74.7 and 95.9 % if 61 days of each year do, 6.7 and 45.6 % if two days of
 * each week do (with first rests of 8192 rows: 99.4, 97.4, 15.2 %).  If all
 * rows match, 131,072 and 29,696 rows are tested.
 */
#define FIRST_REST_ROWS	2048
#define LAST_REST_ROWS	250000

static TupleTableSlot *next_row(PlanState *pstate);
static TupleTableSlot *hand_on(PlanState *pstate);

static inline bool
hash_row(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot, uint32 *hash)
{
	return bf_join_hash_probe_key(&pf->key, slot, probe->css.ss.ps.ps_ExprContext, hash);
}

static inline bool
contains_hash(const BfJoinFilter *filter, uint32 hash)
{
	uint64		spread = bf_join_hash_spread(hash);

	return bf_block_contains_fast(filter->blocks + bf_block_offset(spread, filter->nblocks),
								  spread, filter->k);
}

/*
 * If all filters are off, return rows untested until the first of the filters
 * is to be tried again.
 */
static void
rest(BfJoinProbeState *probe)
{
	uint32		shortest = LAST_REST_ROWS;
	int			i;

	for (i = 0; i < probe->nfilters; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];

		if (pf->phase != BF_JOIN_PROBE_OFF && pf->phase != BF_JOIN_PROBE_NEVER)
			return;
		if (pf->phase == BF_JOIN_PROBE_OFF)
			shortest = Min(shortest, pf->rest);
	}
	probe->resting = shortest;
	probe->handed_on = 0;
	ExecSetExecProcNode(&probe->css.ss.ps, hand_on);
}

/* Count rows that passed while a filter was off. */
static void
count_rest(BfJoinProbeFilter *pf, uint32 rows)
{
	/* other filters here may have come to rest meanwhile, for longer */
	pf->rest -= Min(rows, pf->rest);
	if (pf->rest == 0)
	{
		pf->seen += pf->rest_rows;
		pf->window_rows = RETRY_ROWS;
		/* after a rescan, there may be another filter by now */
		pf->phase = BF_JOIN_PROBE_WAITING;
	}
}

/* Resume testing every row. */
static void
wake_up(BfJoinProbeState *probe)
{
	int			i;

	for (i = 0; i < probe->nfilters; i++)
		if (probe->filters[i].phase == BF_JOIN_PROBE_OFF)
			count_rest(&probe->filters[i], probe->handed_on);
	probe->handed_on = 0;
	ExecSetExecProcNode(&probe->css.ss.ps, next_row);
}

static inline TupleTableSlot *
child_row(BfJoinProbeState *probe)
{
	return probe->skip != NULL ? bf_skip_next_row(probe->skip) :
		ExecProcNode(outerPlanState(probe));
}

/* The next row of the child, while all filters are off.  It is not tested. */
static TupleTableSlot *
hand_on(PlanState *pstate)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) pstate;

	if (++probe->handed_on == probe->resting)
	{
		wake_up(probe);
		rest(probe);
	}
	return child_row(probe);
}

/* Test no more rows by this filter in this scan. */
static void
stop(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	pf->phase = BF_JOIN_PROBE_NEVER;
	rest(probe);
}

static void
switch_off(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	if (pf->off_count++ == 0)
		pf->off_after = pf->seen;
	probe->counts.switched_off++;
	if (probe->css.ss.ps.instrument)
		probe->css.ss.ps.instrument->ntuples2 += 1;
	if (pf->spec.groups != BF_JOIN_GROUPS_NONE)
	{
		pf->filter->groups_off = true;
		return;
	}
	pf->phase = BF_JOIN_PROBE_OFF;
	pf->rest_rows = pf->rest_rows == 0 ? FIRST_REST_ROWS : Min(2 * pf->rest_rows, LAST_REST_ROWS);
	pf->rest = pf->rest_rows;
	rest(probe);
}

/* At the end of a window: continue, or switch off. */
static void
judge(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	pf->seen += pf->window_rows;
	if (pf->passed <= pf->max_pass * pf->window_rows)
	{
		if (pf->window_rows == WINDOW_ROWS)
			pf->rest_rows = 0;
		pf->window_rows = WINDOW_ROWS;
	}
	else if (pf->spec.groups == BF_JOIN_GROUPS_NONE || bf_dropped_few(pf->filter))
		switch_off(probe, pf);
	pf->tested = pf->passed = 0;
}

/* Use the filter in the mailbox, if there is one. */
static void
find_filter(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	BfJoinFilter *filter = bf_mailbox_take(pf->mailbox, probe->css.ss.ps.state);

	if (filter == NULL)
		return;
	pf->filter = filter;
	if (filter->shared != NULL)
		bf_join_shared_open(filter);
	if (filter->blocks == NULL)
	{
		probe->counts.too_many_keys += !pf->had_too_many;
		pf->had_too_many = true;
		stop(probe, pf);
	}
	else
		pf->phase = pf->in_group ? BF_JOIN_PROBE_WAITING_FOR_GROUP : BF_JOIN_PROBE_TESTING;
}

/*
 * Notes the group of a row that passes untested, or begins to test at the
 * first row of another group.
 */
static void
follow_group(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot)
{
	uint32		hash = 0;
	bool		has_key = hash_row(probe, pf, slot, &hash);

	if (pf->phase == BF_JOIN_PROBE_WAITING)
	{
		pf->in_group = true;
		pf->group_has_key = has_key;
		pf->group_hash = hash;
	}
	else if (has_key != pf->group_has_key || (has_key && hash != pf->group_hash))
		pf->phase = BF_JOIN_PROBE_TESTING;
}

/* Called before a row that may have to pass untested. */
static void
prepare(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot)
{
	if (pf->phase == BF_JOIN_PROBE_WAITING)
		find_filter(probe, pf);
	if (pf->spec.groups == BF_JOIN_GROUPS_SCATTERED && pf->phase == BF_JOIN_PROBE_WAITING)
		stop(probe, pf);
	else if (pf->spec.groups == BF_JOIN_GROUPS_ADJACENT && pf->phase <= BF_JOIN_PROBE_WAITING_FOR_GROUP)
		follow_group(probe, pf, slot);
}

/*
 * Does a row that gets into a group pass a filter that is in use?  Sets
 * *tested, unless the row was only looked up among the keys dropped before.
 */
static bool
test_in_group(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot, bool *tested)
{
	BfJoinFilter *filter = pf->filter;
	uint32		hash = 0;
	bool		has_key = hash_row(probe, pf, slot, &hash);
	bool		pass;

	if (filter->groups_off && !bf_dropped_before(filter, has_key, hash))
	{
		if (filter->dropped_rows == 0)
			stop(probe, pf);
		return true;
	}
	*tested = true;
	pass = has_key && contains_hash(filter, hash);
	if (filter->groups_off)
		return pass;
	if (!pass)
		bf_dropped_note(filter, has_key, hash);
	pf->passed += pass;
	if (++pf->tested == pf->window_rows)
		judge(probe, pf);
	return pass;
}

/* Does a row pass a filter that is in use? */
static inline bool
test(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot, bool *tested)
{
	uint32		hash;
	bool		pass;

	/* rows are hashed anew, without a rescan of this node */
	if (unlikely(pf->filter->blocks == NULL))
	{
		pf->phase = BF_JOIN_PROBE_WAITING;
		prepare(probe, pf, slot);
		if (pf->phase != BF_JOIN_PROBE_TESTING)
			return true;
	}
	if (pf->spec.groups != BF_JOIN_GROUPS_NONE)
		return test_in_group(probe, pf, slot, tested);
	*tested = true;
	pass = hash_row(probe, pf, slot, &hash) && contains_hash(pf->filter, hash);
	pf->passed += pass;
	if (++pf->tested == pf->window_rows)
		judge(probe, pf);
	return pass;
}

/* Does a row pass all filters? */
static inline bool
passes(BfJoinProbeState *probe, TupleTableSlot *slot)
{
	bool		tested = false;
	bool		pass = true;
	int			i;

	for (i = 0; i < probe->nfilters && pass; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];

		if (unlikely(pf->phase <= BF_JOIN_PROBE_WAITING_FOR_GROUP))
			prepare(probe, pf, slot);
		if (pf->phase == BF_JOIN_PROBE_OFF)
			count_rest(pf, 1);
		else if (pf->phase == BF_JOIN_PROBE_TESTING)
			pass = test(probe, pf, slot, &tested);
	}
	probe->counts.rows_tested += tested;
	probe->counts.rows_removed += !pass;
	InstrCountFiltered2(probe, tested);
	InstrCountFiltered1(probe, !pass);
	return pass;
}

/* The next row of the child that passes. */
static TupleTableSlot *
next_row(PlanState *pstate)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) pstate;

	for (;;)
	{
		TupleTableSlot *slot = child_row(probe);

		if (TupIsNull(slot) || passes(probe, slot))
			return slot;
		CHECK_FOR_INTERRUPTS();
	}
}

static void
init_filter(BfJoinProbeFilter *pf, List *spec, List *keys, PlanState *probe)
{
	bf_join_filter_spec_from_list(spec, &pf->spec);
	pf->mailbox = bf_mailbox(probe->state, pf->spec.param);
	bf_join_init_probe_key(&pf->key, &pf->spec, keys, probe);
	pf->max_pass = bf_join_filters == BF_JOIN_FILTERS_FORCE ? 1 : pf->spec.max_pass;
	pf->window_rows = WINDOW_ROWS;
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
	probe->skip = bf_skip_init(probe);
	begin_counting(probe, estate, eflags);
}

static void
end_probe(CustomScanState *node)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) node;

	if (probe->skip != NULL)
		bf_skip_end(probe->skip);
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

	wake_up(probe);
	for (i = 0; i < probe->nfilters; i++)
		if (probe->filters[i].phase != BF_JOIN_PROBE_OFF)
		{
			probe->filters[i].phase = BF_JOIN_PROBE_WAITING;
			probe->filters[i].in_group = false;
		}
	rest(probe);
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
