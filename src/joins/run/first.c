/*-------------------------------------------------------------------------
 *
 * first.c
 *		Two nodes that make a merge join sort its inner side first.
 *
 * A merge join asks its outer side for a row before it asks its inner side.
 * Where the filter of the inner side's keys tests rows of the outer side, it must
 * be complete by then.  So a node above the outer side waits: before its first
 * row it has a node above the inner side's Sort fetch the first row from that.
 * This sorts the side, which completes the filter.  The row is returned when the
 * join asks for it.
 *
 * If the outer side has no rows, the inner side is sorted in vain.  Whether
 * that is allowed was found out when the query was planned.
 *
 * The executor initializes the outer side first.  The waiting node leaves a
 * pointer to itself in the parameter, for the other node, which is initialized
 * in the same way and then knows it: later, EvalPlanQual may overwrite the
 * parameter by that of another EState.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"

#include "joins/run/node.h"
#include "joins/spec.h"

typedef struct FirstState
{
	CustomScanState css;
	bool		fetched;		/* was a row fetched in this scan? */
	TupleTableSlot *row;		/* the first row; NULL: it was returned */
} FirstState;

typedef struct WaitState
{
	CustomScanState css;
	FirstState *first;
	bool		waited;			/* in this scan */
} WaitState;

/* Where the waiting node leaves the pointer to itself. */
static Datum *
meeting_place(const CustomScanState *node, EState *estate)
{
	const CustomScan *plan = (const CustomScan *) node->ss.ps.plan;

	return &estate->es_param_exec_vals[linitial_int(plan->custom_private)].value;
}

/* ---------- the node above the Sort ---------- */

static void
fetch_first(FirstState *first)
{
	PlanState  *pstate = &first->css.ss.ps;

	/* as ExecProcNode() does for whoever asks for a row */
	if (pstate->chgParam != NULL)
		ExecReScan(pstate);
	if (first->fetched)
		return;
	first->fetched = true;
	first->row = ExecProcNode(outerPlanState(pstate));
}

static TupleTableSlot *
next_row_of_first(PlanState *pstate)
{
	FirstState *first = (FirstState *) pstate;
	TupleTableSlot *row = first->row;

	first->fetched = true;
	if (row == NULL)
		return ExecProcNode(outerPlanState(pstate));
	first->row = NULL;
	return row;
}

static void
begin_first(CustomScanState *node, EState *estate, int eflags)
{
	WaitState  *wait = (WaitState *) DatumGetPointer(*meeting_place(node, estate));

	Assert(wait->css.ss.ps.state == estate);
	wait->first = (FirstState *) node;
	bf_join_begin_child(node, estate, eflags, next_row_of_first);
}

static void
rescan_first(CustomScanState *node)
{
	FirstState *first = (FirstState *) node;

	first->fetched = false;
	first->row = NULL;
	bf_join_rescan_child(node);
}

static const CustomExecMethods first_exec_methods = {
	.CustomName = BF_JOIN_FIRST_NAME,
	.BeginCustomScan = begin_first,
	.ExecCustomScan = bf_join_exec,
	.EndCustomScan = bf_join_end_child,
	.ReScanCustomScan = rescan_first,
	.MarkPosCustomScan = bf_join_mark_child,
	.RestrPosCustomScan = bf_join_restore_child
};

static Node *
create_first_state(CustomScan *plan pg_attribute_unused())
{
	FirstState *first = palloc0(sizeof(FirstState));

	NodeSetTag(first, T_CustomScanState);
	first->css.methods = &first_exec_methods;
	return (Node *) first;
}

const CustomScanMethods bf_join_first_methods = {
	.CustomName = BF_JOIN_FIRST_NAME,
	.CreateCustomScanState = create_first_state
};

/* ---------- the node above the outer side ---------- */

static TupleTableSlot *
next_row_of_wait(PlanState *pstate)
{
	WaitState  *wait = (WaitState *) pstate;

	if (unlikely(!wait->waited))
	{
		wait->waited = true;
		fetch_first(wait->first);
	}
	return ExecProcNode(outerPlanState(pstate));
}

static void
begin_wait(CustomScanState *node, EState *estate, int eflags)
{
	*meeting_place(node, estate) = PointerGetDatum(node);
	bf_join_begin_child(node, estate, eflags, next_row_of_wait);
}

static void
rescan_wait(CustomScanState *node)
{
	((WaitState *) node)->waited = false;
	bf_join_rescan_child(node);
}

static const CustomExecMethods wait_exec_methods = {
	.CustomName = BF_JOIN_WAIT_NAME,
	.BeginCustomScan = begin_wait,
	.ExecCustomScan = bf_join_exec,
	.EndCustomScan = bf_join_end_child,
	.ReScanCustomScan = rescan_wait
};

static Node *
create_wait_state(CustomScan *plan pg_attribute_unused())
{
	WaitState  *wait = palloc0(sizeof(WaitState));

	NodeSetTag(wait, T_CustomScanState);
	wait->css.methods = &wait_exec_methods;
	return (Node *) wait;
}

const CustomScanMethods bf_join_wait_methods = {
	.CustomName = BF_JOIN_WAIT_NAME,
	.CreateCustomScanState = create_wait_state
};
