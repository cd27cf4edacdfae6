/*-------------------------------------------------------------------------
 *
 * handover.c
 *		The handover node of join filters: copies filters of joins above a Gather
 *		to the processes below it.
 *
 * The node is below the Gather.  A join with a filter there hashes before it
 * asks for a row.  So its filter is complete when Gather allocates the memory
 * of its workers, into which the filter is copied.
 *
 * The decision is made then, for all processes and for a whole scan of the
 * Gather: either every process, including the leader, has the filter, or none
 * has it.  So whole groups are dropped, although each process aggregates a
 * part of their rows.
 *
 * If the server runs the plan without workers and without that memory, the
 * leader uses the join's own filter when it is asked for a first row.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"

#include "joins/run/explain.h"
#include "joins/run/node.h"
#include "joins/run/shared.h"
#include "joins/run/state.h"

/*
 * The filter that the join has made; NULL: there is none.  A filter that was
 * given up may still be collecting the keys by which scans skip.
 */
static BfJoinFilter *
find_filter(const BfJoinHandoverState *handover, int i)
{
	BfJoinFilter *filter = bf_mailbox_take(handover->filters[i].source, handover->css.ss.ps.state);

	return filter == NULL || (filter->keys != NULL && !filter->keys_complete) ? NULL : filter;
}

/* ---------- one process ---------- */

/* Called once: the filter keeps its address even if the join hashes anew. */
static void
decide_alone(BfJoinHandoverState *handover)
{
	int			i;

	handover->decided = true;
	for (i = 0; i < handover->nfilters; i++)
		bf_mailbox_publish(handover->filters[i].mailbox, find_filter(handover, i));
}

/*
 * The next row of the child; the probes below have their filters before it is
 * read.
 */
static TupleTableSlot *
next_row(PlanState *pstate)
{
	BfJoinHandoverState *handover = (BfJoinHandoverState *) pstate;

	if (unlikely(!handover->decided))
		decide_alone(handover);
	return ExecProcNode(outerPlanState(pstate));
}

static void
begin_handover(CustomScanState *node, EState *estate, int eflags)
{
	BfJoinHandoverState *handover = (BfJoinHandoverState *) node;
	List	   *specs = ((CustomScan *) node->ss.ps.plan)->custom_private;
	ListCell   *lc;

	bf_join_begin_child(node, estate, eflags, next_row);
	handover->filters = palloc0(list_length(specs) * sizeof(BfJoinHanded));
	foreach(lc, specs)
	{
		BfJoinHanded *handed = &handover->filters[handover->nfilters++];

		bf_join_filter_spec_from_list(lfirst(lc), &handed->spec);
		handed->source = bf_mailbox(estate, handed->spec.source);
		handed->mailbox = bf_mailbox(estate, handed->spec.param);
		bf_mailbox_publish(handed->mailbox, NULL);
	}
}

/* ---------- several processes ---------- */

/* Shared memory starts with the offset of each filter from its start. */
static BfJoinShared *
shared_filter(void *coordinate, int i)
{
	return (BfJoinShared *) ((char *) coordinate + ((Size *) coordinate)[i]);
}

static uint32
needed_blocks(const BfJoinFilter *filter)
{
	return filter == NULL || filter->blocks == NULL ? 0 : filter->nblocks;
}

/* The leader alone writes the copy, with the bits per key of its filter. */
static BfJoinSharedSize
needed_size(const BfJoinHandoverState *handover, int i)
{
	BfJoinSharedSize result = {
		.nblocks = needed_blocks(find_filter(handover, i)),
		.nkeys = list_length(handover->filters[i].spec.orders),
		.participants = 1
	};

	return result;
}

static Size
needed_bytes(const BfJoinHandoverState *handover, int i)
{
	return MAXALIGN(bf_join_shared_bytes(needed_size(handover, i)));
}

static Size
estimate_shared(CustomScanState *node, ParallelContext *pcxt pg_attribute_unused())
{
	BfJoinHandoverState *handover = (BfJoinHandoverState *) node;
	int			i;

	handover->bytes = MAXALIGN(handover->nfilters * sizeof(Size));
	for (i = 0; i < handover->nfilters; i++)
		handover->bytes += needed_bytes(handover, i);
	return handover->bytes;
}

/* Decide which filters all processes have. */
static void
hand_over(BfJoinHandoverState *handover, void *coordinate)
{
	int			i;

	handover->decided = true;
	for (i = 0; i < handover->nfilters; i++)
	{
		BfJoinFilter *filter = find_filter(handover, i);

		if (filter != NULL && !bf_join_shared_copy(shared_filter(coordinate, i), filter))
			filter = NULL;
		bf_mailbox_publish(handover->filters[i].mailbox, filter);
	}
}

/* Nothing has run since the size of this memory was computed. */
static void
initialize_shared(CustomScanState *node, ParallelContext *pcxt pg_attribute_unused(),
				  void *coordinate)
{
	BfJoinHandoverState *handover = (BfJoinHandoverState *) node;
	Size		offset = MAXALIGN(handover->nfilters * sizeof(Size));
	int			i;

	for (i = 0; i < handover->nfilters; i++)
	{
		((Size *) coordinate)[i] = offset;
		bf_join_shared_init(shared_filter(coordinate, i), needed_size(handover, i));
		offset += needed_bytes(handover, i);
	}
	hand_over(handover, coordinate);
}

/*
 * Called before the workers are launched for another scan.  The join may have
 * hashed anew, so a filter may have no room, or not exist any more.
 */
static void
reinitialize_shared(CustomScanState *node, ParallelContext *pcxt pg_attribute_unused(),
					void *coordinate)
{
	BfJoinHandoverState *handover = (BfJoinHandoverState *) node;
	int			i;

	for (i = 0; i < handover->nfilters; i++)
		bf_join_shared_clear(shared_filter(coordinate, i));
	hand_over(handover, coordinate);
}

static void
initialize_worker(CustomScanState *node, shm_toc *toc pg_attribute_unused(), void *coordinate)
{
	BfJoinHandoverState *handover = (BfJoinHandoverState *) node;
	EState	   *estate = node->ss.ps.state;
	int			i;

	handover->decided = true;
	for (i = 0; i < handover->nfilters; i++)
	{
		BfJoinHanded *handed = &handover->filters[i];
		BfJoinFilter *filter = &handed->filter;

		filter->owner = estate;
		filter->mcxt = estate->es_query_cxt;
		if (handed->spec.orders != NIL)
			filter->keys = bf_keys_create_all(handed->spec.orders, handed->spec.collations,
											  handed->spec.types, estate->es_query_cxt);
		bf_join_shared_attach(shared_filter(coordinate, i), filter);
		bf_mailbox_publish(handed->mailbox, filter);
	}
}

/* ---------- the node ---------- */

static const CustomExecMethods handover_exec_methods = {
	.CustomName = BF_JOIN_HANDOVER_NAME,
	.BeginCustomScan = begin_handover,
	.ExecCustomScan = bf_join_exec,
	.EndCustomScan = bf_join_end_child,
	.ReScanCustomScan = bf_join_rescan_child,
	.EstimateDSMCustomScan = estimate_shared,
	.InitializeDSMCustomScan = initialize_shared,
	.ReInitializeDSMCustomScan = reinitialize_shared,
	.InitializeWorkerCustomScan = initialize_worker,
	.ExplainCustomScan = bf_join_explain_handover
};

static Node *
create_handover_state(CustomScan *plan pg_attribute_unused())
{
	BfJoinHandoverState *handover = palloc0(sizeof(BfJoinHandoverState));

	NodeSetTag(handover, T_CustomScanState);
	handover->css.methods = &handover_exec_methods;
	return (Node *) handover;
}

const CustomScanMethods bf_join_handover_methods = {
	.CustomName = BF_JOIN_HANDOVER_NAME,
	.CreateCustomScanState = create_handover_state
};
