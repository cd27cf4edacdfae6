/*-------------------------------------------------------------------------
 *
 * places.c
 *		Where the rows of a join's outer side may be tested by its filter.
 *
 * A row may be dropped as soon as it is certain that the join drops all that
 * becomes of it, and that nothing else becomes of the others.  From the
 * join's outer child the search goes down for as long as the key is a column
 * that passes unchanged and the node allows it; every exception below was a
 * wrong result once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "miscadmin.h"
#include "nodes/primnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "joins/planning/places.h"
#include "joins/planning/stability.h"
#include "planner/expression.h"

typedef struct DescentContext
{
	BfJoinStatement *statement;
	const BfJoinPlanKey *key;
	const BfJoinLimits *limits;
	BfJoinGroups groups;		/* above the place that was reached */
	BfJoinDescent *result;
} DescentContext;

/* One step down: the child, and which of its columns is the key. */
typedef struct Step
{
	Plan	  **place;
	AttrNumber	column;
	bool		is_store;		/* see BfJoinLimits */
	bool		is_lookahead;
	bool		may_stop;		/* asks for no more rows after a first one */
	bool		ends_early;
	bool		is_dear;		/* worth keeping rows from */
	bool		makes_groups;	/* see BfJoinGroups */
	bool		scatters;		/* as stores do: rows that follow one another may not below */
	Cost		cost;			/* of the node for the rows that it gets this way */
} Step;

static bool find_targets(DescentContext *context, Plan **place, AttrNumber column);

/* ---------- columns ---------- */

AttrNumber
bf_join_passed_column(Plan *plan, AttrNumber column, int varno)
{
	ListCell   *lc;

	foreach(lc, plan->targetlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		Expr	   *expression = bf_strip_relabel(entry->expr);

		if (entry->resno != column)
			continue;
		if (IsA(expression, Var) && ((Var *) expression)->varno == varno &&
			((Var *) expression)->varattno > 0)
			return ((Var *) expression)->varattno;
		return 0;
	}
	return 0;
}

static bool
is_deterministic(Oid collation)
{
	return !OidIsValid(collation) || get_collation_isdeterministic(collation);
}

/*
 * Are rows that a grouping takes for one also one to the join?  Otherwise 'a'
 * and 'A', one group under a collation that ignores case, would be counted
 * apart when only one of them has a match.
 */
static bool
groups_as_the_join(Oid operator, Oid collation, const BfJoinPlanKey *key)
{
	return equality_ops_are_compatible(operator, key->operator) &&
		(collation == key->collation ||
		 (is_deterministic(collation) && is_deterministic(key->collation)));
}

/* Is the child's column one of those that rows are grouped by? */
static bool
is_grouping_column(AttrNumber column, int n, const AttrNumber *columns, const Oid *operators,
				   const Oid *collations, const BfJoinPlanKey *key)
{
	int			i;

	for (i = 0; i < n; i++)
		if (columns[i] == column && groups_as_the_join(operators[i], collations[i], key))
			return true;
	return false;
}

/* ---------- nodes ---------- */

/* The cost of a node itself, for all that it does. */
static Cost
own_cost(Plan *plan, Cost below)
{
	return Max(plan->total_cost - below, 0);
}

/* Sort and the like hand on rows, changed in order only. */
static bool
step_through(Plan *plan, AttrNumber column, Step *step)
{
	step->place = &outerPlan(plan);
	step->column = bf_join_passed_column(plan, column, OUTER_VAR);
	if (outerPlan(plan) == NULL || step->column == 0)
		return false;
	step->cost = own_cost(plan, outerPlan(plan)->total_cost);
	return true;
}

static bool
step_into_subquery(SubqueryScan *plan, AttrNumber column, Step *step)
{
	step->place = &plan->subplan;
	step->column = bf_join_passed_column(&plan->scan.plan, column, (int) plan->scan.scanrelid);
	step->cost = own_cost(&plan->scan.plan, plan->subplan->total_cost);
	return step->column != 0;
}

/*
 * Whole groups are dropped, and nothing changes in the others.  DISTINCT and
 * GROUP BY without aggregates are no exception: values that are equal may
 * differ, as 1.0 and 1.00, and the first of them is returned.
 */
static bool
step_into_agg(Agg *plan, AttrNumber column, const BfJoinPlanKey *key, Step *step)
{
	step->is_dear = true;
	step->makes_groups = true;
	step->is_store = plan->aggstrategy == AGG_HASHED;
	step->is_lookahead = plan->aggstrategy == AGG_SORTED;
	return plan->groupingSets == NIL && plan->chain == NIL &&
		step_through(&plan->plan, column, step) &&
		is_grouping_column(step->column, plan->numCols, plan->grpColIdx,
						   plan->grpOperators, plan->grpCollations, key);
}

static bool
step_into_group(Group *plan, AttrNumber column, const BfJoinPlanKey *key, Step *step)
{
	step->is_dear = true;
	step->makes_groups = true;
	step->is_lookahead = true;
	return step_through(&plan->plan, column, step) &&
		is_grouping_column(step->column, plan->numCols, plan->grpColIdx,
						   plan->grpOperators, plan->grpCollations, key);
}

/* Not by another column of DISTINCT ON: the first row would be another. */
static bool
step_into_unique(Unique *plan, AttrNumber column, const BfJoinPlanKey *key, Step *step)
{
	step->is_dear = true;
	step->makes_groups = true;
	step->is_lookahead = true;
	return step_through(&plan->plan, column, step) &&
		is_grouping_column(step->column, plan->numCols, plan->uniqColIdx,
						   plan->uniqOperators, plan->uniqCollations, key);
}

/* Whole partitions are dropped. */
static bool
step_into_window(WindowAgg *plan, AttrNumber column, const BfJoinPlanKey *key, Step *step)
{
	step->is_dear = true;
	step->makes_groups = true;
	step->is_lookahead = true;
	return step_through(&plan->plan, column, step) &&
		is_grouping_column(step->column, plan->partNumCols, plan->partColIdx,
						   plan->partOperators, plan->partCollations, key);
}

/* Is what becomes of a row of the outer side of its own making only? */
static bool
outer_rows_are_independent(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_SEMI || type == JOIN_ANTI;
}

static bool
step_into_outer(DescentContext *context, Join *join, AttrNumber column, Step *step)
{
	Plan	   *plan = &join->plan;

	step->place = &outerPlan(plan);
	step->column = bf_join_passed_column(plan, column, OUTER_VAR);
	step->cost = own_cost(plan, outerPlan(plan)->total_cost + innerPlan(plan)->total_cost);
	if (step->column == 0 || !outer_rows_are_independent(join->jointype))
		return false;
	if (context->limits->differs_by_process && innerPlan(plan)->parallel_aware)
		return false;
	/* the other side may run less often: for fewer rows, or for none */
	if (bf_join_stability(context->statement, innerPlan(plan)) == BF_JOIN_VOLATILE)
		return false;
	/* looks at a first row, and at no other if nothing is hashed then */
	step->may_stop = IsA(plan, HashJoin);
	/* by batches */
	step->scatters = IsA(plan, HashJoin);
	step->is_lookahead = IsA(plan, MergeJoin);
	step->ends_early = IsA(plan, MergeJoin) && plan->total_cost < outerPlan(plan)->total_cost;
	return true;
}

/* The inner side of a hash join, below its Hash. */
static bool
step_into_hashed(DescentContext *context, HashJoin *join, AttrNumber column, Step *step)
{
	Plan	   *plan = &join->join.plan;
	Plan	   *hash = innerPlan(plan);
	AttrNumber	hash_column = bf_join_passed_column(plan, column, INNER_VAR);

	step->is_store = true;
	if (hash_column == 0 || join->join.jointype != JOIN_INNER)
		return false;
	if (context->limits->differs_by_process)
		return false;
	/* if nothing is hashed, the outer side does not run */
	if (bf_join_stability(context->statement, outerPlan(plan)) == BF_JOIN_VOLATILE)
		return false;
	if (!step_through(hash, hash_column, step))
		return false;
	/* as the planner reckons for a row that is hashed */
	step->cost = (cpu_operator_cost + cpu_tuple_cost) * outerPlan(hash)->plan_rows;
	return true;
}

static bool
step_into_join(DescentContext *context, Join *join, AttrNumber column, Step *step)
{
	step->is_dear = true;
	if (step_into_outer(context, join, column, step))
		return true;
	return IsA(join, HashJoin) && step_into_hashed(context, (HashJoin *) join, column, step);
}

/*
 * The step through a node with one way on.  False: rows are to be tested
 * above it.
 */
static bool
find_step(DescentContext *context, Plan *plan, AttrNumber column, Step *step)
{
	const BfJoinPlanKey *key = context->key;

	switch (nodeTag(plan))
	{
		case T_Material:
			step->is_store = true;
			return step_through(plan, column, step);
		case T_Sort:
			step->is_store = true;
			step->is_dear = true;
			return step_through(plan, column, step);
		case T_IncrementalSort:
			step->is_lookahead = true;
			step->scatters = true;
			step->is_dear = true;
			return step_through(plan, column, step);
		case T_Result:
			return step_through(plan, column, step);
		case T_SubqueryScan:
			return step_into_subquery((SubqueryScan *) plan, column, step);
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
		default:
			return false;
	}
}

/*
 * May a probe be put above this node?  Not above one that is not known, nor
 * above one that an Append runs asynchronously, which knows its children.
 */
static bool
may_have_probe(Plan *plan)
{
	if (plan->async_capable)
		return false;
	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_SampleScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
		case T_SubqueryScan:
		case T_FunctionScan:
		case T_ValuesScan:
		case T_TableFuncScan:
		case T_CteScan:
		case T_NamedTuplestoreScan:
		case T_WorkTableScan:
		case T_ForeignScan:
		case T_CustomScan:
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
		case T_Material:
		case T_Sort:
		case T_IncrementalSort:
		case T_Group:
		case T_Agg:
		case T_WindowAgg:
		case T_Unique:
		case T_Gather:
		case T_GatherMerge:
		case T_SetOp:
		case T_LockRows:
		case T_Limit:
		case T_Result:
		case T_ProjectSet:
		case T_Append:
		case T_MergeAppend:
		case T_RecursiveUnion:
			return true;
		default:
			return false;
	}
}

/* ---------- the search ---------- */

/*
 * What becomes of rows between the child and the join.  Stores return them in
 * another order, or what they kept of one scan before rows of the next.
 */
static BfJoinGroups
groups_above_child(const DescentContext *context, const Step *step)
{
	if (context->groups == BF_JOIN_GROUPS_NONE && !step->makes_groups)
		return BF_JOIN_GROUPS_NONE;
	if (context->groups == BF_JOIN_GROUPS_SCATTERED || step->is_store || step->scatters)
		return BF_JOIN_GROUPS_SCATTERED;
	return BF_JOIN_GROUPS_ADJACENT;
}

static bool
limits_allow(DescentContext *context, const Step *step)
{
	const BfJoinLimits *limits = context->limits;

	if ((step->is_store && limits->not_below_stores) ||
		(step->ends_early && limits->not_below_early_end) ||
		(step->is_lookahead && limits->not_below_lookahead) ||
		(limits->first_row_untested &&
		 groups_above_child(context, step) == BF_JOIN_GROUPS_SCATTERED))
		return false;
	if (step->is_store && limits->runs_again &&
		bf_join_stability(context->statement, *step->place) == BF_JOIN_VOLATILE)
		return false;
	/* until there is one that passes, what is below is asked for more rows */
	return !(step->is_lookahead || step->may_stop) ||
		(bf_join_stability(context->statement, *step->place) != BF_JOIN_VOLATILE &&
		 !bf_join_may_be_endless(context->statement, *step->place));
}

static bool
find_below_step(DescentContext *context, const Step *step)
{
	DescentContext below = *context;

	below.groups = groups_above_child(context, step);
	return find_targets(&below, step->place, step->column);
}

static bool
find_below(DescentContext *context, Plan *plan, AttrNumber column)
{
	Step		step = {0};

	if (!find_step(context, plan, column, &step) ||
		!limits_allow(context, &step) ||
		!bf_join_is_calm(context->statement, plan) ||
		!find_below_step(context, &step))
		return false;

	context->result->cost_above += step.cost;
	context->result->saves_more |= step.is_dear;
	return true;
}

/*
 * The children of an Append or MergeAppend; each has the same columns.  The
 * latter wants the next row of that child from which it took one.
 */
static bool
find_below_append(DescentContext *context, Plan *plan, List *children, AttrNumber column)
{
	Step		step = {.column = column, .is_lookahead = IsA(plan, MergeAppend), .scatters = true};
	Cost		below = 0;
	ListCell   *lc;

	if (!bf_join_is_calm(context->statement, plan))
		return false;
	foreach(lc, children)
	{
		step.place = (Plan **) &lfirst(lc);
		if (!may_have_probe(lfirst(lc)) || !limits_allow(context, &step))
			return false;
	}
	foreach(lc, children)
	{
		below += ((Plan *) lfirst(lc))->total_cost;
		step.place = (Plan **) &lfirst(lc);
		(void) find_below_step(context, &step);
	}
	context->result->cost_above += own_cost(plan, below);
	return children != NIL;
}

static void
add_target(BfJoinDescent *result, Plan **place, AttrNumber column, BfJoinGroups groups)
{
	BfJoinTarget *target = palloc(sizeof(BfJoinTarget));

	target->place = place;
	target->column = column;
	target->groups = groups;
	result->targets = lappend(result->targets, target);
	result->rows += (*place)->plan_rows;
}

/*
 * Find the deepest targets at or below a place.  False: there are none, and
 * nothing was changed.
 */
static bool
find_targets(DescentContext *context, Plan **place, AttrNumber column)
{
	Plan	   *plan = *place;

	check_stack_depth();
	if (!may_have_probe(plan))
		return false;
	if (IsA(plan, Append))
	{
		if (find_below_append(context, plan, ((Append *) plan)->appendplans, column))
			return true;
	}
	else if (IsA(plan, MergeAppend))
	{
		if (find_below_append(context, plan, ((MergeAppend *) plan)->mergeplans, column))
			return true;
	}
	else if (find_below(context, plan, column))
		return true;

	add_target(context->result, place, column, context->groups);
	return true;
}

/*
 * Does a hash function tell nothing of its argument?  The server's own do not,
 * but for those of containers, which call the functions of the types that they
 * contain.  None is marked leakproof, because hardly anybody calls them by hand.
 */
static bool
is_harmless(Oid function)
{
	return get_func_leakproof(function) ||
		(function < FirstGenbkiObjectId &&
		 function != F_HASH_ARRAY && function != F_HASH_RECORD &&
		 function != F_HASH_RANGE && function != F_HASH_MULTIRANGE);
}

bool
bf_join_hash_is_harmless(Oid operator)
{
	Oid			left;
	Oid			right;

	return get_op_hash_functions(operator, &left, &right) &&
		is_harmless(left) && is_harmless(right);
}

bool
bf_join_descend(BfJoinStatement *statement, Plan **place, const BfJoinPlanKey *key,
				const BfJoinLimits *limits, BfJoinDescent *result)
{
	DescentContext context = {
		.statement = statement,
		.key = key,
		.limits = limits,
		.result = result
	};

	memset(result, 0, sizeof(*result));

	/*
	 * Below, there may be rows that the user is not allowed to see.  So a hash
	 * function that may tell what it is called for is called for those rows
	 * only that the join itself would hash.  And EXPLAIN ANALYZE shows how many
	 * rows passed a filter: where rows are hidden, no more is tested there than
	 * what the server tests there.
	 */
	if (!bf_join_hash_is_harmless(key->operator) ||
		(statement->hides_rows && !get_func_leakproof(get_opcode(key->operator))))
	{
		if (!may_have_probe(*place))
			return false;
		add_target(result, place, key->column, BF_JOIN_GROUPS_NONE);
		return true;
	}
	return find_targets(&context, place, key->column);
}
