/*-------------------------------------------------------------------------
 *
 * build.c
 *		The build node of a join filter: makes the filter of the rows that a
 *		hash join hashes, while it returns them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"
#include "utils/memutils.h"

#include "joins/run/explain.h"
#include "joins/run/node.h"
#include "joins/run/shared.h"
#include "joins/run/state.h"

static void
init_keys(BfJoinBuildState *build, List *expressions)
{
	BfJoinKey  *key;
	ListCell   *lc;

	build->nkeys = list_length(expressions);
	build->keys = key = palloc0(build->nkeys * sizeof(BfJoinKey));
	foreach(lc, expressions)
	{
		Expr	   *expression = lfirst(lc);

		if (IsA(expression, Var) && ((Var *) expression)->varattno > 0)
			key->column = ((Var *) expression)->varattno;
		else
			key->expression = ExecInitExpr(expression, &build->css.ss.ps);
		key++;
	}
}

/*
 * The hash of a row's key; false if a column is NULL.  The columns by which
 * scans skip are added to the keys for skipping.
 */
static bool
collect_key(BfJoinBuildState *build, TupleTableSlot *slot, uint32 *hash)
{
	ExprContext *econtext = build->css.ss.ps.ps_ExprContext;
	MemoryContext old_context;
	int			i;

	ResetExprContext(econtext);
	old_context = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	econtext->ecxt_outertuple = slot;
	*hash = 0;
	for (i = 0; i < build->nkeys; i++)
	{
		BfJoinKey  *key = &build->keys[i];
		bool		isnull;
		Datum		value = key->expression == NULL ?
			slot_getattr(slot, key->column, &isnull) :
			ExecEvalExpr(key->expression, econtext, &isnull);

		if (isnull)
			break;
		*hash = bf_join_hash_combine(*hash, bf_join_hash_value(&build->hashes[i], value));
		if (build->keysets != NULL && build->keysets[i] != NULL)
			bf_keys_add(build->keysets[i], value);
	}
	MemoryContextSwitchTo(old_context);
	return i == build->nkeys;
}

/* ---------- keys for skipping ---------- */

static BfKeySet **
create_keysets(const BfJoinBuildState *build)
{
	return bf_keys_create_all(build->spec.orders, build->spec.collations, build->spec.types,
							  build->css.ss.ps.state->es_query_cxt);
}

static void
init_keysets(BfJoinBuildState *build)
{
	if (build->spec.orders == NIL)
		return;
	build->keysets = create_keysets(build);
	build->filter.keys = build->keysets;
}

static void
reset_keysets(BfJoinBuildState *build)
{
	int			i;

	build->filter.keys_complete = build->keys_finished = false;
	for (i = 0; build->keysets != NULL && i < build->nkeys; i++)
		if (build->keysets[i] != NULL)
			bf_keys_reset(build->keysets[i]);
}

/* Called when all rows have passed this process. */
static void
finish_keysets(BfJoinBuildState *build)
{
	int			i;

	build->keys_finished = true;
	if (build->keysets == NULL)
		return;
	for (i = 0; i < build->nkeys; i++)
		if (build->keysets[i] != NULL)
			bf_keys_finish(build->keysets[i]);
	if (build->filter.shared != NULL)
		bf_join_shared_write_keys(build->filter.shared, build->keysets);
	else
		build->filter.keys_complete = true;
}

/* ---------- filters ---------- */

static void
start(BfJoinBuildState *build)
{
	build->phase = BF_JOIN_BUILD_COLLECTING;
	if (build->filter.shared != NULL)
		bf_join_shared_start(build->filter.shared);
}

/*
 * There will be no filter: probes need not wait for one.  Keys for skipping
 * are still added, so this process has not yet finished its part of a shared
 * filter.
 */
static void
give_up(BfJoinBuildState *build)
{
	build->phase = BF_JOIN_BUILD_GIVEN_UP;
	bf_hash_buffer_reset(&build->collected);
	if (build->filter.shared != NULL)
	{
		bf_join_shared_give_up(build->filter.shared);
		return;
	}
	build->filter.blocks = NULL;
	bf_mailbox_publish(build->mailbox, &build->filter);
}

static void
add(BfJoinBuildState *build, uint32 hash)
{
	if (bf_hash_buffer_add(&build->collected, hash))
		return;
	if (build->filter.shared == NULL || !bf_join_shared_merge(build->filter.shared, &build->collected) ||
		!bf_hash_buffer_add(&build->collected, hash))
		give_up(build);
}

/* All rows have passed. */
static void
complete(BfJoinBuildState *build)
{
	BfJoinFilter *filter = &build->filter;
	bool		given_up = build->phase == BF_JOIN_BUILD_GIVEN_UP;

	finish_keysets(build);
	if (!given_up)
		build->phase = BF_JOIN_BUILD_COMPLETE;
	if (build->filter.shared != NULL)
	{
		if (!given_up)
			(void) bf_join_shared_merge(build->filter.shared, &build->collected);
		bf_join_shared_end(build->filter.shared);
		return;
	}
	if (given_up)
		return;
	filter->blocks = bf_hash_buffer_blocks(&build->collected, &filter->nblocks, &filter->k);
	if (filter->blocks == NULL)
		give_up(build);
	else
		bf_mailbox_publish(build->mailbox, &build->filter);
}

/* The next row of the child, after its key was added to the filter. */
static TupleTableSlot *
next_row(PlanState *pstate)
{
	BfJoinBuildState *build = (BfJoinBuildState *) pstate;
	TupleTableSlot *slot;
	uint32		hash;

	if (build->phase == BF_JOIN_BUILD_NOT_STARTED)
		start(build);
	slot = ExecProcNode(outerPlanState(pstate));
	if (build->keys_finished)
		return slot;
	if (TupIsNull(slot))
		complete(build);
	else if (build->phase == BF_JOIN_BUILD_GIVEN_UP && build->keysets == NULL)
		return slot;
	else if (collect_key(build, slot, &hash) && build->phase == BF_JOIN_BUILD_COLLECTING)
		add(build, hash);
	return slot;
}

/* The most hashes that a process gathers by itself. */
static uint64
most_hashes(void)
{
	return (uint64) (bf_join_filter_max_bytes(1) / BF_JOIN_KEY_BYTES);
}

static void
begin_build(CustomScanState *node, EState *estate, int eflags)
{
	BfJoinBuildState *build = (BfJoinBuildState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;
	MemoryContext mcxt = AllocSetContextCreate(estate->es_query_cxt, "join filter",
											   ALLOCSET_DEFAULT_SIZES);

	bf_join_begin_child(node, estate, eflags, next_row);
	bf_join_filter_spec_from_list(plan->custom_private, &build->spec);
	build->mailbox = bf_mailbox(estate, build->spec.param);
	build->filter.owner = estate;
	build->filter.mcxt = mcxt;
	init_keys(build, plan->custom_exprs);
	build->hashes = bf_join_hash_init(build->spec.operators, build->spec.collations, false);
	init_keysets(build);
	bf_hash_buffer_init(&build->collected, mcxt, most_hashes());
	bf_mailbox_publish(build->mailbox, NULL);
}

/*
 * The old filter must not be used in the new scan.  A shared filter was
 * cleared before, and other processes may already add to it.
 */
static void
rescan_build(CustomScanState *node)
{
	BfJoinBuildState *build = (BfJoinBuildState *) node;

	if (build->filter.shared == NULL)
		bf_mailbox_publish(build->mailbox, NULL);
	build->filter.blocks = NULL;
	bf_hash_buffer_reset(&build->collected);
	reset_keysets(build);
	build->phase = BF_JOIN_BUILD_NOT_STARTED;
	bf_join_rescan_child(node);
}

/* ---------- a Parallel Hash ---------- */

static void
attach(BfJoinBuildState *build, BfJoinShared *shared)
{
	/* a copy that was tested in the scan before: this node may not have run since */
	bf_hash_buffer_reset(&build->collected);
	bf_join_shared_attach(shared, &build->filter);
	if (build->keysets != NULL && build->merged == NULL)
		build->merged = create_keysets(build);
	build->filter.keys = build->merged;
	build->collected.max_count = BF_JOIN_MERGE_BATCH;
	bf_mailbox_publish(build->mailbox, &build->filter);
}

/* Depends on the plan and the settings alone, which stay while memory is allocated. */
static BfJoinSharedSize
shared_size(const BfJoinBuildState *build, const ParallelContext *pcxt)
{
	return bf_join_shared_choose_size(build->spec.rows, build->keysets == NULL ? 0 : build->nkeys,
									  pcxt->nworkers + 1);
}

static Size
estimate_shared(CustomScanState *node, ParallelContext *pcxt)
{
	return bf_join_shared_bytes(shared_size((BfJoinBuildState *) node, pcxt));
}

static void
initialize_shared(CustomScanState *node, ParallelContext *pcxt, void *coordinate)
{
	BfJoinBuildState *build = (BfJoinBuildState *) node;

	/* without shared memory, the join, too, makes a hash table of its own */
	if (pcxt->seg == NULL)
		return;
	bf_join_shared_init(coordinate, shared_size(build, pcxt));
	attach(build, coordinate);
}

/* Called before the workers are launched for another scan. */
static void
reinitialize_shared(CustomScanState *node, ParallelContext *pcxt, void *coordinate)
{
	if (pcxt->seg == NULL)
		return;
	bf_join_shared_clear(coordinate);
	attach((BfJoinBuildState *) node, coordinate);
}

static void
initialize_worker(CustomScanState *node, shm_toc *toc pg_attribute_unused(), void *coordinate)
{
	attach((BfJoinBuildState *) node, coordinate);
}

/* The shared memory is about to be freed; EXPLAIN comes later. */
static void
shutdown_shared(CustomScanState *node)
{
	BfJoinBuildState *build = (BfJoinBuildState *) node;

	if (build->filter.shared == NULL)
		return;
	build->phase = bf_join_shared_is_given_up(build->filter.shared) ?
		BF_JOIN_BUILD_GIVEN_UP : BF_JOIN_BUILD_COMPLETE;
	bf_mailbox_publish(build->mailbox, NULL);
	bf_join_shared_detach(&build->filter);
	/* another scan may have no shared memory */
	build->filter.keys = build->keysets;
	build->filter.keys_complete = false;
	build->collected.max_count = most_hashes();
}

/* ---------- the node ---------- */

static const CustomExecMethods build_exec_methods = {
	.CustomName = BF_JOIN_BUILD_NAME,
	.BeginCustomScan = begin_build,
	.ExecCustomScan = bf_join_exec,
	.EndCustomScan = bf_join_end_child,
	.ReScanCustomScan = rescan_build,
	.EstimateDSMCustomScan = estimate_shared,
	.InitializeDSMCustomScan = initialize_shared,
	.ReInitializeDSMCustomScan = reinitialize_shared,
	.InitializeWorkerCustomScan = initialize_worker,
	.ShutdownCustomScan = shutdown_shared,
	.ExplainCustomScan = bf_join_explain_build
};

static Node *
create_build_state(CustomScan *plan pg_attribute_unused())
{
	BfJoinBuildState *build = palloc0(sizeof(BfJoinBuildState));

	NodeSetTag(build, T_CustomScanState);
	build->css.methods = &build_exec_methods;
	return (Node *) build;
}

const CustomScanMethods bf_join_build_methods = {
	.CustomName = BF_JOIN_BUILD_NAME,
	.CreateCustomScanState = create_build_state
};
