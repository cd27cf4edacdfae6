/*-------------------------------------------------------------------------
 *
 * join_filter_node.c
 *		What the two nodes of a join filter have in common.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/value.h"

#include "planner/join_filter.h"

/*
 * A specification as a list of nodes that can be copied, written and read:
 * integers, operators, collations, numbers.  These are strings, since a Float
 * without a fraction is read as an Integer.
 */
List *
bf_join_filter_spec_to_list(const BfJoinFilterSpec *spec)
{
	return list_make4(list_make3_int(spec->number, spec->param, spec->groups),
					  list_copy(spec->operators),
					  list_copy(spec->collations),
					  list_make2(makeString(psprintf("%g", spec->rows)),
								 makeString(psprintf("%g", spec->max_pass))));
}

void
bf_join_filter_spec_from_list(List *list, BfJoinFilterSpec *spec)
{
	List	   *integers = linitial(list);
	List	   *numbers = lfourth(list);

	spec->number = linitial_int(integers);
	spec->param = lsecond_int(integers);
	spec->groups = lthird_int(integers);
	spec->operators = lsecond(list);
	spec->collations = lthird(list);
	spec->rows = strtod(strVal(linitial(numbers)), NULL);
	spec->max_pass = strtod(strVal(lsecond(numbers)), NULL);
}

/*
 * The server takes a custom scan to return virtual tuples of its own and
 * calls its method through another one; neither is needed here.
 */
void
bf_join_begin_child(CustomScanState *node, EState *estate, int eflags, ExecProcNodeMtd method)
{
	PlanState  *child = ExecInitNode(outerPlan(node->ss.ps.plan), estate, eflags);

	outerPlanState(node) = child;
	node->ss.ps.resultops = ExecGetResultSlotOps(child, &node->ss.ps.resultopsfixed);
	node->ss.ps.resultopsset = true;
	node->ss.ps.ExecProcNode = method;
}

void
bf_join_end_child(CustomScanState *node)
{
	ExecEndNode(outerPlanState(node));
}

void
bf_join_rescan_child(CustomScanState *node)
{
	/* if a parameter changed, the child's first call does it */
	if (outerPlanState(node)->chgParam == NULL)
		ExecReScan(outerPlanState(node));
}

TupleTableSlot *
bf_join_exec(CustomScanState *node)
{
	return node->ss.ps.ExecProcNodeReal(&node->ss.ps);
}
