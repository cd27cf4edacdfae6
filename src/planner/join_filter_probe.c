/*-------------------------------------------------------------------------
 *
 * join_filter_probe.c
 *		The probe node of join filters: drops the rows of its child whose key
 *		is not in the filter, while that pays.
 *
 * Whether it pays is judged by windows of rows.  If more of them pass than
 * the plan says is worth it, the filter is switched off; later it is looked
 * at again, because data is clustered.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"

#include "planner/join_filter_state.h"
#include "type/blocks.h"

/*
 * Rows by which a filter is judged: enough for a fraction that is right to a
 * percent, and few enough not to matter in a large table.
 */
#define WINDOW_ROWS		8192

/*
 * Rows after which a filter that was switched off gets another window: three
 * percent of the rows are tested then.
 */
#define RETRY_ROWS		250000

static Node *create_probe_state(CustomScan *plan);
static void begin_probe(CustomScanState *node, EState *estate, int eflags);
static void rescan_probe(CustomScanState *node);

const CustomScanMethods bf_join_probe_methods = {
	.CustomName = "Bloom Filter",
	.CreateCustomScanState = create_probe_state
};

static const CustomExecMethods probe_exec_methods = {
	.CustomName = "Bloom Filter",
	.BeginCustomScan = begin_probe,
	.ExecCustomScan = bf_join_exec,
	.EndCustomScan = bf_join_end_child,
	.ReScanCustomScan = rescan_probe
};

static Node *
create_probe_state(CustomScan *plan)
{
	BfJoinProbeState *probe = palloc0(sizeof(BfJoinProbeState));

	(void) plan;
	NodeSetTag(probe, T_CustomScanState);
	probe->css.methods = &probe_exec_methods;
	return (Node *) probe;
}

/*
 * Is there a complete filter?  One of another EState is none: EvalPlanQual
 * copies its parent's parameters.
 */
static bool
find_filter(BfJoinProbeFilter *pf, EState *estate)
{
	const BfJoinFilter *filter = (const BfJoinFilter *) DatumGetPointer(pf->mailbox->value);

	if (filter == NULL || filter->owner != estate)
		return false;
	pf->filter = filter;
	pf->phase = filter->blocks == NULL ? BF_JOIN_PROBE_NEVER : BF_JOIN_PROBE_TESTING;
	return pf->phase == BF_JOIN_PROBE_TESTING;
}

/* Is the row to be tested by the filter? */
static inline bool
is_testing(BfJoinProbeFilter *pf, EState *estate)
{
	switch (pf->phase)
	{
		case BF_JOIN_PROBE_TESTING:
			return true;
		case BF_JOIN_PROBE_WAITING:
			return find_filter(pf, estate);
		case BF_JOIN_PROBE_OFF:
			if (--pf->rest > 0)
				return false;
			pf->phase = BF_JOIN_PROBE_TESTING;
			return true;
		case BF_JOIN_PROBE_NEVER:
			return false;
	}
	pg_unreachable();
}

/*
 * The hash of a row's key.  False if a column is NULL: operators of joins
 * with filters are strict.
 */
static inline bool
hash_key(BfJoinProbeFilter *pf, TupleTableSlot *slot, uint32 *hash)
{
	int			i;

	slot_getsomeattrs(slot, pf->last_column);
	*hash = 0;
	for (i = 0; i < pf->nkeys; i++)
	{
		int			column = pf->columns[i] - 1;

		if (slot->tts_isnull[column])
			return false;
		*hash = bf_join_hash_combine(*hash, bf_join_hash_value(&pf->hashes[i],
															   slot->tts_values[column]));
	}
	return true;
}

static inline bool
contains_hash(const BfJoinFilter *filter, uint32 hash)
{
	uint64		spread = bf_join_hash_spread(hash);

	return bf_block_contains_fast(filter->blocks + bf_block_offset(spread, filter->nblocks),
								  spread, filter->k);
}

/* At the end of a window: go on or switch off. */
static void
judge(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	pf->tested_before += pf->tested;
	if (pf->passed > pf->max_passed)
	{
		if (pf->off_count++ == 0)
			pf->off_after = pf->tested_before;
		pf->phase = BF_JOIN_PROBE_OFF;
		pf->rest = RETRY_ROWS;
	}
	pf->tested = pf->passed = 0;
	(void) probe;
}

/* Does the row pass all filters? */
static bool
passes(BfJoinProbeState *probe, TupleTableSlot *slot)
{
	EState	   *estate = probe->css.ss.ps.state;
	ExprContext *econtext = probe->css.ss.ps.ps_ExprContext;
	int			i;

	for (i = 0; i < probe->nfilters; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];
		MemoryContext old_context;
		uint32		hash;
		bool		pass;

		if (!is_testing(pf, estate))
			continue;
		ResetExprContext(econtext);
		old_context = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
		pass = hash_key(pf, slot, &hash) && contains_hash(pf->filter, hash);
		MemoryContextSwitchTo(old_context);

		pf->passed += pass;
		if (++pf->tested == WINDOW_ROWS)
			judge(probe, pf);
		if (!pass)
			return false;
	}
	return true;
}

/* The next row of the child that passes. */
static TupleTableSlot *
next_row(PlanState *pstate)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) pstate;

	for (;;)
	{
		TupleTableSlot *slot = ExecProcNode(outerPlanState(pstate));

		if (TupIsNull(slot) || passes(probe, slot))
			return slot;
		InstrCountFiltered1(pstate, 1);
		CHECK_FOR_INTERRUPTS();
	}
}

static void
init_filter(BfJoinProbeFilter *pf, List *spec, List *vars, EState *estate)
{
	int			i;

	bf_join_filter_spec_from_list(spec, &pf->spec);
	pf->mailbox = &estate->es_param_exec_vals[pf->spec.param];
	pf->nkeys = list_length(pf->spec.operators);
	pf->columns = palloc(pf->nkeys * sizeof(AttrNumber));
	for (i = 0; i < pf->nkeys; i++)
	{
		pf->columns[i] = list_nth_node(Var, vars, i)->varattno;
		pf->last_column = Max(pf->last_column, pf->columns[i]);
	}
	pf->hashes = bf_join_hash_init(pf->spec.operators, pf->spec.collations, true,
								   estate->es_query_cxt);
	pf->max_passed = (uint32) (pf->spec.max_pass * WINDOW_ROWS);
}

static void
begin_probe(CustomScanState *node, EState *estate, int eflags)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	int			first_var = 0;
	ListCell   *lc;

	bf_join_begin_child(node, estate, eflags, next_row);
	probe->filters = palloc0(list_length(plan->custom_private) * sizeof(BfJoinProbeFilter));
	foreach(lc, plan->custom_private)
	{
		BfJoinProbeFilter *pf = &probe->filters[probe->nfilters++];
		List	   *vars = list_copy_tail(plan->custom_exprs, first_var);

		init_filter(pf, lfirst(lc), vars, estate);
		first_var += pf->nkeys;
	}
}

static void
rescan_probe(CustomScanState *node)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) node;
	int			i;

	for (i = 0; i < probe->nfilters; i++)
	{
		probe->filters[i].phase = BF_JOIN_PROBE_WAITING;
		probe->filters[i].filter = NULL;
	}
	bf_join_rescan_child(node);
}
