/*-------------------------------------------------------------------------
 *
 * steps.c
 *		The ways from a node to a child by which the rows of a key can be
 *		followed, and what the node does with these rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/primnodes.h"
#include "optimizer/optimizer.h"

#include "joins/rules/nodes.h"
#include "joins/rules/stability.h"
#include "joins/rules/steps.h"

/* The ways down from a node to a child that the search can go. */
typedef enum Way
{
	WAY_RESULT,
	WAY_SUBQUERY,
	WAY_MATERIAL,
	WAY_SORT,
	WAY_INCREMENTAL_SORT,
	WAY_HASH_AGG,
	WAY_OTHER_AGG,
	WAY_GROUPING_SETS,
	WAY_GROUP,
	WAY_UNIQUE,
	WAY_WINDOW,
	WAY_NEST_LOOP_OUTER,
	WAY_MERGE_OUTER,
	WAY_HASH_OUTER,
	WAY_HASHED,					/* the inner side of a hash join */
	WAY_GATHER,
	WAY_APPEND,
	WAY_MERGE_APPEND
} Way;

enum
{
	no = false, yes = true
};

static const BfJoinProperties properties[] = {
	/*							stores	reads	looks	may		groups	dear */
	/*									all		ahead	stop				 */
	[WAY_RESULT] =				{no,	no,		no,		no,		no,		no},
	[WAY_SUBQUERY] =			{no,	no,		no,		no,		no,		no},
	[WAY_MATERIAL] =			{yes,	no,		no,		no,		no,		no},
	[WAY_SORT] =				{yes,	yes,	no,		no,		no,		yes},
	[WAY_INCREMENTAL_SORT] =	{no,	no,		yes,	no,		no,		yes},
	[WAY_HASH_AGG] =			{yes,	yes,	no,		no,		yes,	yes},
	[WAY_OTHER_AGG] =			{no,	no,		yes,	no,		yes,	yes},
	[WAY_GROUPING_SETS] =		{yes,	no,		yes,	no,		yes,	yes},
	[WAY_GROUP] =				{no,	no,		yes,	no,		yes,	yes},
	[WAY_UNIQUE] =				{no,	no,		yes,	no,		yes,	yes},
	[WAY_WINDOW] =				{no,	no,		yes,	no,		yes,	yes},
	[WAY_NEST_LOOP_OUTER] =		{no,	no,		no,		no,		no,		yes},
	[WAY_MERGE_OUTER] =			{no,	no,		yes,	yes,	no,		yes},
	[WAY_HASH_OUTER] =			{no,	no,		no,		yes,	no,		yes},
	[WAY_HASHED] =				{yes,	yes,	no,		no,		no,		yes},
	[WAY_GATHER] =				{no,	no,		yes,	no,		no,		yes},
	[WAY_APPEND] =				{no,	no,		no,		no,		no,		no},
	[WAY_MERGE_APPEND] =		{no,	no,		yes,	no,		no,		no}
};

Cost
bf_join_own_cost(Plan *plan, Cost below)
{
	return Max(plan->total_cost - below, 0);
}

/* To a child, whose columns are those of varno in the node's target list. */
static BfJoinReason
step_to(Way way, Plan *plan, Plan **place, int varno, AttrNumber column, BfJoinStep *step)
{
	if (*place == NULL)
		return BF_JOIN_LEAF;
	step->node = &properties[way];
	step->place = place;
	step->column = bf_join_passed_column(plan, column, varno);
	step->cost = bf_join_own_cost(plan, (*place)->total_cost);
	return step->column == 0 ? BF_JOIN_COMPUTED : BF_JOIN_ALLOWED;
}

/*
 * Through nodes like Sort, which return the same rows, perhaps in another
 * order.
 */
static BfJoinReason
step_through(Way way, Plan *plan, AttrNumber column, BfJoinStep *step)
{
	return step_to(way, plan, &outerPlan(plan), OUTER_VAR, column, step);
}

/* Only if the child's column is among the columns by which rows are grouped. */
static BfJoinReason
step_into_groups(Way way, Plan *plan, AttrNumber column, int n, const AttrNumber *columns,
				 const Oid *operators, const Oid *collations, const BfJoinPlanKey *key,
				 BfJoinStep *step)
{
	BfJoinReason refusal = step_through(way, plan, column, step);
	int			i;

	if (refusal != BF_JOIN_ALLOWED)
		return refusal;
	refusal = BF_JOIN_OTHER_GROUPS;
	for (i = 0; i < n; i++)
	{
		if (columns[i] != step->column)
			continue;
		if (bf_join_groups_agree(operators[i], collations[i], key))
			return BF_JOIN_ALLOWED;
		refusal = BF_JOIN_OTHER_EQUALITY;
	}
	return refusal;
}

/*
 * The grouping sets of a node are by its first columns, as many as each is long:
 * all of them by so many.
 */
static int
columns_of_all_sets(const Agg *plan)
{
	int			result = plan->numCols;
	ListCell   *lc;

	foreach(lc, plan->groupingSets)
		result = Min(result, list_length(lfirst(lc)));
	return result;
}

/* A key that is in all grouping sets: whole groups of each are dropped. */
static BfJoinReason
step_into_grouping_sets(Agg *plan, AttrNumber column, const BfJoinPlanKey *key, BfJoinStep *step)
{
	List	   *nodes = lcons(plan, list_copy(plan->chain));
	ListCell   *lc;

	foreach(lc, nodes)
	{
		Agg		   *node = lfirst(lc);
		BfJoinReason refusal = step_into_groups(WAY_GROUPING_SETS, &plan->plan, column,
												columns_of_all_sets(node), node->grpColIdx,
												node->grpOperators, node->grpCollations, key, step);

		if (refusal != BF_JOIN_ALLOWED)
			return refusal == BF_JOIN_OTHER_GROUPS ? BF_JOIN_GROUPING_SETS : refusal;
	}
	return BF_JOIN_ALLOWED;
}

/*
 * Whole groups are dropped, and the others do not change.  DISTINCT and GROUP
 * BY without aggregates are groups, too: equal values may differ, as 1.0 and
 * 1.00, and the first of them is returned.
 */
static BfJoinReason
step_into_agg(Agg *plan, AttrNumber column, const BfJoinPlanKey *key, BfJoinStep *step)
{
	Way			way = plan->aggstrategy == AGG_HASHED ? WAY_HASH_AGG : WAY_OTHER_AGG;

	if (plan->groupingSets != NIL || plan->chain != NIL)
		return step_into_grouping_sets(plan, column, key, step);
	return step_into_groups(way, &plan->plan, column, plan->numCols, plan->grpColIdx,
							plan->grpOperators, plan->grpCollations, key, step);
}

static BfJoinReason
step_into_group(Group *plan, AttrNumber column, const BfJoinPlanKey *key, BfJoinStep *step)
{
	return step_into_groups(WAY_GROUP, &plan->plan, column, plan->numCols, plan->grpColIdx,
							plan->grpOperators, plan->grpCollations, key, step);
}

/*
 * Not by a column that DISTINCT ON does not list: that could change the first
 * row.
 */
static BfJoinReason
step_into_unique(Unique *plan, AttrNumber column, const BfJoinPlanKey *key, BfJoinStep *step)
{
	return step_into_groups(WAY_UNIQUE, &plan->plan, column, plan->numCols, plan->uniqColIdx,
							plan->uniqOperators, plan->uniqCollations, key, step);
}

/* By the columns of PARTITION BY: whole partitions are dropped. */
static BfJoinReason
step_into_window(WindowAgg *plan, AttrNumber column, const BfJoinPlanKey *key, BfJoinStep *step)
{
	return step_into_groups(WAY_WINDOW, &plan->plan, column, plan->partNumCols, plan->partColIdx,
							plan->partOperators, plan->partCollations, key, step);
}

/*
 * If a join found nothing on its other side, does it read a first row, and no
 * more, in each scan?  False for a hash join that keeps its hash table: it
 * reads on although the table is empty.
 */
static bool
stops_anew(BfJoinStatement *statement, Join *join)
{
	return !IsA(join, HashJoin) ||
		!bms_is_subset(innerPlan(&join->plan)->extParam, statement->constant_params);
}

static BfJoinReason
step_into_outer(const BfJoinStepContext *context, Join *join, AttrNumber column, BfJoinStep *step)
{
	Plan	   *plan = &join->plan;
	Way			way = IsA(plan, HashJoin) ? WAY_HASH_OUTER :
		IsA(plan, MergeJoin) ? WAY_MERGE_OUTER : WAY_NEST_LOOP_OUTER;

	if (step_through(way, plan, column, step) != BF_JOIN_ALLOWED)
		return BF_JOIN_INNER_SIDE;
	/* what becomes of an inner row without a match depends on all outer rows */
	if (!bf_join_drops_unmatched_inner(join->jointype))
		return BF_JOIN_OUTER_DEPENDS;
	if (context->limits->differs_by_process && innerPlan(plan)->parallel_aware)
		return BF_JOIN_OTHER_PROCESSES;
	/* the other side may run less often: for fewer rows, or not at all */
	if (bf_join_stability(context->statement, innerPlan(plan)) == BF_JOIN_VOLATILE)
		return BF_JOIN_OTHER_SIDE_VOLATILE;
	step->cost = bf_join_own_cost(plan, outerPlan(plan)->total_cost + innerPlan(plan)->total_cost);
	step->ends_early = IsA(plan, MergeJoin) && plan->total_cost < outerPlan(plan)->total_cost;
	step->stops_anew = stops_anew(context->statement, join);
	return BF_JOIN_ALLOWED;
}

/* Into the inner side of a hash join, below its Hash. */
static BfJoinReason
step_into_hashed(const BfJoinStepContext *context, HashJoin *join, AttrNumber hash_column,
				 BfJoinStep *step)
{
	Plan	   *plan = &join->join.plan;
	Plan	   *hash = innerPlan(plan);
	BfJoinReason refusal;

	if (join->join.jointype != JOIN_INNER)
		return BF_JOIN_HASHED_NOT_INNER;
	if (context->limits->differs_by_process)
		return BF_JOIN_OTHER_PROCESSES;
	/* if nothing is hashed, the outer side does not run */
	if (bf_join_stability(context->statement, outerPlan(plan)) == BF_JOIN_VOLATILE)
		return BF_JOIN_OTHER_SIDE_VOLATILE;
	refusal = step_through(WAY_HASHED, hash, hash_column, step);
	step->hashes = join;
	/* the planner's cost of hashing a row */
	step->cost = (cpu_operator_cost + cpu_tuple_cost) * outerPlan(hash)->plan_rows;
	return refusal;
}

static BfJoinReason
step_into_join(const BfJoinStepContext *context, Join *join, AttrNumber column, BfJoinStep *step)
{
	BfJoinReason refusal = step_into_outer(context, join, column, step);
	AttrNumber	hash_column;

	if (refusal == BF_JOIN_ALLOWED || !IsA(join, HashJoin))
		return refusal;
	hash_column = bf_join_passed_column(&join->plan, column, INNER_VAR);
	return hash_column == 0 ? refusal :
		step_into_hashed(context, (HashJoin *) join, hash_column, step);
}

/*
 * Into a Gather, whose rows come from several processes, to which the filter
 * is copied.  Workers read ahead until their queues are full, and Gather Merge
 * reads first the rows that it has to compare.  The cost of starting the
 * workers is spent in any case.
 */
static BfJoinReason
step_into_gather(const BfJoinStepContext *context, Plan *plan, AttrNumber column,
				 BfJoinStep *step)
{
	BfJoinReason refusal;

	if (context->limits->first_row_untested)
		return BF_JOIN_WORKERS;
	if (!bf_join_hash_is_parallel_safe(context->key->operator))
		return BF_JOIN_UNSAFE_HASH;
	refusal = step_through(WAY_GATHER, plan, column, step);
	step->gather = plan;
	step->cost = Max(step->cost - (plan->startup_cost - outerPlan(plan)->startup_cost), 0);
	return refusal;
}

BfJoinReason
bf_join_find_step(const BfJoinStepContext *context, Plan *plan, AttrNumber column, BfJoinStep *step)
{
	const BfJoinPlanKey *key = context->key;

	switch (nodeTag(plan))
	{
		case T_Result:
			return step_through(WAY_RESULT, plan, column, step);
		case T_Material:
			return step_through(WAY_MATERIAL, plan, column, step);
		case T_Sort:
			return step_through(WAY_SORT, plan, column, step);
		case T_IncrementalSort:
			return step_through(WAY_INCREMENTAL_SORT, plan, column, step);
		case T_SubqueryScan:
			return step_to(WAY_SUBQUERY, plan, &((SubqueryScan *) plan)->subplan,
						   (int) ((Scan *) plan)->scanrelid, column, step);
		case T_Agg:
			return step_into_agg((Agg *) plan, column, key, step);
		case T_Group:
			return step_into_group((Group *) plan, column, key, step);
		case T_Unique:
			return step_into_unique((Unique *) plan, column, key, step);
		case T_WindowAgg:
			return step_into_window((WindowAgg *) plan, column, key, step);
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			return step_into_join(context, (Join *) plan, column, step);
		case T_Gather:
		case T_GatherMerge:
			return step_into_gather(context, plan, column, step);
		default:
			return bf_join_node_refusal(plan);
	}
}

void
bf_join_append_step(Plan *plan, AttrNumber column, BfJoinStep *step)
{
	memset(step, 0, sizeof(*step));
	step->node = &properties[IsA(plan, Append) ? WAY_APPEND : WAY_MERGE_APPEND];
	step->column = column;
}

void
bf_join_merge_step(const BfJoinSides *sides, BfJoinStep *step)
{
	memset(step, 0, sizeof(*step));
	step->node = &properties[WAY_MERGE_OUTER];
	step->place = sides->tested;
	step->ends_early = sides->join->plan.total_cost < (*sides->tested)->total_cost;
	step->stops_anew = true;
}
