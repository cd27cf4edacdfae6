/*-------------------------------------------------------------------------
 *
 * mailbox.h
 *		The place where a filter is handed to the nodes of the same process.
 *
 * A mailbox is an executor parameter to which no expression refers.  The
 * planner adds it to the plan (see hooks/plan.c); the build, or in the
 * processes below a Gather the handover, puts a pointer to the filter there,
 * and probes take it.  This is sound for three reasons:
 *
 * - Gather sends the parameters of its initParam to workers.  A mailbox is not
 *   among them, since it is no sub-select's output: the pointer stays in its
 *   process.
 * - EvalPlanQual copies the values of all parameters from its parent EState,
 *   without regard to their types.  There may be other rows then, so nobody
 *   gets a filter that belongs to another EState.
 * - Nothing sets or reads the parameter's bit in chgParam, so a filter that is
 *   put there causes no rescan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_MAILBOX_H
#define BF_JOIN_MAILBOX_H

#include "nodes/execnodes.h"

#include "joins/run/filter.h"
#include "joins/run/shared.h"

typedef ParamExecData BfMailbox;

static inline BfMailbox *
bf_mailbox(EState *estate, int param)
{
	return &estate->es_param_exec_vals[param];
}

/*
 * Hand a filter to whoever looks.  NULL takes it away, before the rows change of
 * which it was made.
 */
static inline void
bf_mailbox_publish(BfMailbox *mailbox, BfJoinFilter *filter)
{
	mailbox->value = PointerGetDatum(filter);
}

/*
 * The filter for nodes of this EState, once all keys are in it or it was given
 * up: then it has no blocks.  NULL: there is no such filter yet.
 */
static inline BfJoinFilter *
bf_mailbox_take(const BfMailbox *mailbox, const EState *estate)
{
	BfJoinFilter *filter = (BfJoinFilter *) DatumGetPointer(mailbox->value);

	if (filter == NULL || filter->owner != estate ||
		(filter->shared != NULL && !bf_join_shared_is_complete(filter->shared)))
		return NULL;
	return filter;
}

#endif							/* BF_JOIN_MAILBOX_H */
