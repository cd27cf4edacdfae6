/*-------------------------------------------------------------------------
 *
 * probe.c
 *		The probe node of join filters: drops the rows of its child whose key
 *		is not in the filter, while that pays.
 *
 * Whether it pays is judged by windows of rows.  If more of them pass than
 * the plan says is worth it, the filter is switched off; later it is looked
 * at again, because data is clustered.  The rests between become longer as long
 * as it does not pay.
 *
 * Where rows get into groups (BfJoinGroups), either all rows of a key are
 * dropped or none.  So a filter that is there too late does not begin within a
 * group, and one that is switched off goes on dropping the keys that it has
 * dropped before; it is switched off while these are few, and for good.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/instrument.h"
#include "miscadmin.h"

#include "joins/execution/explain.h"
#include "joins/execution/node.h"
#include "joins/execution/shared.h"
#include "joins/execution/state.h"
#include "settings.h"
#include "type/blocks.h"

/*
 * Rows by which a filter is judged: enough for a fraction that is right to a
 * percent, and few enough not to matter in a large table.
 */
#define WINDOW_ROWS		8192

/*
 * The same for a filter that was switched off: right to three percent.  If it
 * pays there, a whole window follows.
 */
#define RETRY_ROWS		1024

/*
 * Rows that a filter rests for when it is switched off: each time twice as many
 * as the time before, until a whole window pays again.  Counted on 4,000,000
 * rows in the order of a day, 2,000 a day, dropped of the rows without a match
 * with rests of always 250,000 rows and whole windows, and now: 94.5 and 100 %
 * if 21 days match, 74.7 and 95.9 % if 61 days of each year do, 6.7 and 45.6 %
 * if two days of each week do (first rests of 8192 rows: 99.4, 97.4, 15.2 %).
 * If all rows match, 131,072 and 29,696 rows are tested.
 */
#define FIRST_REST_ROWS	2048
#define LAST_REST_ROWS	250000

/*
 * Rows below groups after which a filter is not switched off any more, and the
 * bits by which their keys are known again, as a power of two: 8 kB, which stay
 * in the processor's cache, and of which at most 6 percent are set.
 */
#define MAX_DROPPED_ROWS	4096
#define DROPPED_BITS		16

static Node *create_probe_state(CustomScan *plan);
static void begin_probe(CustomScanState *node, EState *estate, int eflags);
static void rescan_probe(CustomScanState *node);
static TupleTableSlot *next_row(PlanState *pstate);
static TupleTableSlot *hand_on(PlanState *pstate);

const CustomScanMethods bf_join_probe_methods = {
	.CustomName = "Bloom Filter",
	.CreateCustomScanState = create_probe_state
};

static const CustomExecMethods probe_exec_methods = {
	.CustomName = "Bloom Filter",
	.BeginCustomScan = begin_probe,
	.ExecCustomScan = bf_join_exec,
	.EndCustomScan = bf_join_end_child,
	.ReScanCustomScan = rescan_probe,
	.ExplainCustomScan = bf_join_explain_probe
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

/* The same, where hash functions may leave garbage behind. */
static bool
hash_key_by_calls(BfJoinProbeFilter *pf, TupleTableSlot *slot, ExprContext *econtext, uint32 *hash)
{
	MemoryContext old_context;
	bool		result;

	ResetExprContext(econtext);
	old_context = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	result = hash_key(pf, slot, hash);
	MemoryContextSwitchTo(old_context);
	return result;
}

static inline bool
hash_row(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot, uint32 *hash)
{
	return pf->has_calls ? hash_key_by_calls(pf, slot, probe->css.ss.ps.ps_ExprContext, hash) :
		hash_key(pf, slot, hash);
}

static inline bool
contains_hash(const BfJoinFilter *filter, uint32 hash)
{
	uint64		spread = bf_join_hash_spread(hash);

	return bf_block_contains_fast(filter->blocks + bf_block_offset(spread, filter->nblocks),
								  spread, filter->k);
}

/*
 * If all filters are off, hand rows on until the first of them is to be
 * looked at again.
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

/* One more row, or several, that a filter did not see while it was off. */
static void
count_rest(BfJoinProbeFilter *pf, uint32 rows)
{
	/* others at this place may have come to rest meanwhile, for longer */
	pf->rest -= Min(rows, pf->rest);
	if (pf->rest == 0)
	{
		pf->seen += pf->rest_rows;
		pf->window_rows = RETRY_ROWS;
		/* there may be another one by now, after a rescan */
		pf->phase = BF_JOIN_PROBE_WAITING;
	}
}

/* Look at every row again. */
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

/* The next row of the child, while all filters are off. */
static TupleTableSlot *
hand_on(PlanState *pstate)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) pstate;

	if (++probe->handed_on == probe->resting)
	{
		wake_up(probe);
		rest(probe);
	}
	return ExecProcNode(outerPlanState(pstate));
}

/* No row is tested any more in this scan. */
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

/* At the end of a window: go on or switch off. */
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
	else if (pf->spec.groups == BF_JOIN_GROUPS_NONE || pf->filter->dropped_rows <= MAX_DROPPED_ROWS)
		switch_off(probe, pf);
	pf->tested = pf->passed = 0;
}

/*
 * Is there a complete filter?  One of another EState is none: EvalPlanQual
 * copies its parent's parameters.
 */
static void
find_filter(BfJoinProbeState *probe, BfJoinProbeFilter *pf)
{
	BfJoinFilter *filter = (BfJoinFilter *) DatumGetPointer(pf->mailbox->value);

	if (filter == NULL || filter->owner != probe->css.ss.ps.state ||
		(filter->shared != NULL && !bf_join_shared_is_complete(filter->shared)))
		return;
	pf->filter = filter;
	if (filter->shared != NULL)
		bf_join_shared_open(filter);
	if (filter->blocks == NULL)
		stop(probe, pf);
	else
		pf->phase = pf->in_group ? BF_JOIN_PROBE_WAITING_FOR_GROUP : BF_JOIN_PROBE_TESTING;
}

/* Of the group to which a row belongs, did other rows pass untested? */
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

/* Before a row that may have to pass untested. */
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

/* The word and the bit of a hash among those that were dropped. */
static inline uint32
dropped_bit(uint32 hash)
{
	return (uint32) (bf_join_hash_spread(hash) >> (64 - DROPPED_BITS));
}

static void
note_dropped(BfJoinProbeState *probe, BfJoinFilter *filter, bool has_key, uint32 hash)
{
	if (filter->dropped_rows > MAX_DROPPED_ROWS)
		return;
	filter->dropped_rows++;
	if (!has_key)
	{
		filter->dropped_null = true;
		return;
	}
	if (filter->dropped_keys == NULL)
		filter->dropped_keys = MemoryContextAllocZero(probe->css.ss.ps.state->es_query_cxt,
													  (1 << DROPPED_BITS) / 8);
	filter->dropped_keys[dropped_bit(hash) / 64] |= UINT64CONST(1) << (dropped_bit(hash) % 64);
}

/* Were rows of this key dropped?  Rarely true of another one. */
static inline bool
was_dropped(const BfJoinFilter *filter, bool has_key, uint32 hash)
{
	if (!has_key)
		return filter->dropped_null;
	return filter->dropped_keys != NULL &&
		((filter->dropped_keys[dropped_bit(hash) / 64] >> (dropped_bit(hash) % 64)) & 1) != 0;
}

/*
 * Does a row that gets into a group pass a filter that is in use?  Sets
 * *tested if it was not only looked at.
 */
static bool
test_in_group(BfJoinProbeState *probe, BfJoinProbeFilter *pf, TupleTableSlot *slot, bool *tested)
{
	BfJoinFilter *filter = pf->filter;
	uint32		hash = 0;
	bool		has_key = hash_row(probe, pf, slot, &hash);
	bool		pass;

	if (filter->groups_off && !was_dropped(filter, has_key, hash))
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
		note_dropped(probe, filter, has_key, hash);
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

	/* rows are hashed anew, and this node is not scanned anew with them */
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
		TupleTableSlot *slot = ExecProcNode(outerPlanState(pstate));

		if (TupIsNull(slot) || passes(probe, slot))
			return slot;
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
	for (i = 0; i < pf->nkeys; i++)
		pf->has_calls |= pf->hashes[i].kind == BF_JOIN_HASH_CALL;
	pf->max_pass = bf_join_filters == BF_JOIN_FILTERS_FORCE ? 1 : pf->spec.max_pass;
	pf->window_rows = WINDOW_ROWS;
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

/*
 * The filter may be another one, or not complete again.  What is known of its
 * use stays: scans may be short and many.
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
	bf_join_rescan_child(node);
}
