/*-------------------------------------------------------------------------
 *
 * node.c
 *		What the nodes of a join filter have in common.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"

#include "joins/run/node.h"

/*
 * The server expects a custom scan to return virtual tuples of its own, and
 * calls its method through another function; neither is needed here.
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
	/* if a parameter changed, the child is rescanned at its next call */
	if (outerPlanState(node)->chgParam == NULL)
		ExecReScan(outerPlanState(node));
}

void
bf_join_mark_child(CustomScanState *node)
{
	ExecMarkPos(outerPlanState(node));
}

void
bf_join_restore_child(CustomScanState *node)
{
	ExecRestrPos(outerPlanState(node));
}

TupleTableSlot *
bf_join_exec(CustomScanState *node)
{
	return node->ss.ps.ExecProcNodeReal(&node->ss.ps);
}
