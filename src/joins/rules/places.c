/*-------------------------------------------------------------------------
 *
 * places.c
 *		Which joins may have a filter, and where the rows of one side may be
 *		tested by it.
 *
 * A row may be dropped as soon as it is certain that the join drops all rows
 * made of it, and that rows made of other rows do not change.  From the join's
 * child the search goes down as long as the key is a column that passes
 * unchanged and the node allows it.  Every exception below was once a wrong
 * result.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "joins/rules/nodes.h"
#include "joins/rules/places.h"
#include "joins/rules/stability.h"
#include "settings.h"

/* ---------- joins ---------- */

/*
 * The same must be hashed each time that the plan runs.  Otherwise a parameter
 * could change the hash table while nodes on the outer side keep rows that
 * were tested by the earlier filter.  The Hash's own parameters are checked:
 * its keys may have a parameter that its child does not have.  Parameters that
 * only tell parallel scans to start again are harmless, as all those scans are
 * below the same Gather.
 *
 * This also keeps filters out of nearly all plans that EvalPlanQual runs anew.
 * Below LockRows and ModifyTable, except for INSERT, every scan has a
 * parameter that tells it to start again, unless it is in a sub-select in FROM
 * that is not pulled up.  Such sub-selects may have filters, and so may joins
 * that hash constants: a probe uses no filter of another EState.
 *
 * A Sort below a Gather sorts a part of the rows in each process, and other rows
 * when the Gather starts again; nodes on the other side, which each process runs
 * as a whole, might keep rows.
 */
static BfJoinReason
parameter_refusal(BfJoinStatement *statement, const BfJoinSides *sides, bool runs_again)
{
	Bitmapset  *params = sides->store->extParam;
	Bitmapset  *harmless = statement->constant_params;

	if (sides->store->parallel_aware || (IsA(sides->join, MergeJoin) && !runs_again))
		harmless = bms_union(harmless, statement->gather_params);
	if (bms_is_subset(params, harmless))
		return BF_JOIN_ALLOWED;
	return bms_is_subset(params, bms_union(harmless, statement->lock_params)) ?
		BF_JOIN_ROWS_MAY_CHANGE : BF_JOIN_DEPENDS_ON_PARAMETER;
}

BfJoinReason
bf_join_refusal(BfJoinStatement *statement, const BfJoinSides *sides, bool runs_again)
{
	Plan	   *store = sides->store;
	BfJoinReason refusal = parameter_refusal(statement, sides, runs_again);
	ListCell   *lc;

	if (refusal != BF_JOIN_ALLOWED)
		return refusal;
	foreach(lc, bf_join_keys(sides))
		if (!bf_join_expression_is_calm(statement, (Node *) ((BfJoinPlanKey *) lfirst(lc))->outer))
			return BF_JOIN_VOLATILE_KEY;
	return bf_join_stability(statement, store) == BF_JOIN_VOLATILE ?
		BF_JOIN_VOLATILE_HASHED : BF_JOIN_ALLOWED;
}

bool
bf_join_fetches_row_first(const BfJoinSides *sides)
{
	JoinType	type = sides->join->jointype;

	if (IsA(sides->join, MergeJoin))
		return sides->tested == &outerPlan(&sides->join->plan);
	return type != JOIN_RIGHT && !BF_IS_RIGHT_ANTI(type) &&
		(*sides->tested)->startup_cost < sides->store->total_cost;
}

/* ---------- the search ---------- */

typedef struct DescentContext
{
	BfJoinStepContext step;
	bool		groups;			/* are rows grouped between the join and the place reached? */
	bool		divided;		/* do groups get their rows from parts of an Append? */
	bool		read_whole;		/* does a node between them read all rows first? */
	Plan	   *gather;			/* a Gather between them; or NULL */
	BfJoinDescent *result;
} DescentContext;

static bool find_targets(DescentContext *context, Plan **place, AttrNumber column);

/*
 * May a probe be put above this node?  Not above a node of an unknown kind,
 * nor above a node that an Append runs asynchronously: that Append requires
 * the node itself as its child.
 */
static bool
may_have_probe(const Plan *plan)
{
	return !plan->async_capable && bf_join_node_name(plan) != NULL;
}

/*
 * May a node that reads ahead, or that may stop early, get fewer rows from
 * this child?  Until a row passes, such a node asks the nodes below it for
 * more rows than without a filter.  So these nodes must have no side effects,
 * and must end.  In one scan, the additional rows are at most one table.  In
 * each of many scans they could be a table where the node reads a single row
 * without a filter.
 */
static BfJoinReason
reading_on_refusal(DescentContext *context, const BfJoinStep *step)
{
	const BfJoinProperties *node = step->node;

	if (!node->looks_ahead && !node->may_stop)
		return BF_JOIN_ALLOWED;
	if (node->may_stop && step->stops_anew && context->step.limits->runs_again)
		return BF_JOIN_STOPS_ANEW;
	if (bf_join_stability(context->step.statement, *step->place) == BF_JOIN_VOLATILE)
		return BF_JOIN_READ_ON_VOLATILE;
	return bf_join_may_be_endless(context->step.statement, *step->place) ?
		BF_JOIN_ENDLESS : BF_JOIN_ALLOWED;
}

/*
 * The rule that forbids a step that the node allows.  When a join runs again, its
 * filter may have other false positives, since another filter dropped fewer of the
 * rows that are hashed, or be larger than what a Gather has room for.  So of a group,
 * one part may be kept, or come without the filter, while the rest is tested by it.
 */
static BfJoinReason
step_refusal(DescentContext *context, const BfJoinStep *step)
{
	const BfJoinProperties *node = step->node;
	const BfJoinLimits *limits = context->step.limits;

	if (node->stores && limits->not_below_stores)
		return BF_JOIN_KEEPS_ROWS;
	if (step->ends_early && bf_join_filters != BF_JOIN_FILTERS_FORCE)
		return BF_JOIN_ENDS_EARLY;
	if (node->looks_ahead && limits->not_below_lookahead)
		return BF_JOIN_FEW_ROWS;
	if (node->groups && limits->first_row_untested)
		return BF_JOIN_FIRST_ROW;
	if ((step->gather != NULL || node->stores) && context->divided && limits->runs_again)
		return BF_JOIN_GROUPS_ANEW;
	if (node->stores && limits->runs_again &&
		bf_join_stability(context->step.statement, *step->place) == BF_JOIN_VOLATILE)
		return BF_JOIN_KEPT_VOLATILE;
	return reading_on_refusal(context, step);
}

/*
 * Steps down if allowed, and notes whether the filter must be complete before
 * the first row: a store is filled for that row, workers are started for it,
 * and groups need the same filter for all of their rows.
 */
static bool
find_below_step(DescentContext *context, const BfJoinStep *step)
{
	DescentContext below = *context;

	below.groups |= step->node->groups;
	below.read_whole |= step->node->reads_all;
	if (step->gather != NULL)
		below.gather = step->gather;
	if (!find_targets(&below, step->place, step->column))
		return false;
	if (context->step.limits->may_hash_first &&
		(step->node->stores || step->gather != NULL || below.groups))
		context->result->hash_first = true;
	if (step->hashes != NULL)
		context->result->fewer_hashed = lappend(context->result->fewer_hashed, step->hashes);
	return true;
}

/* BF_JOIN_ALLOWED: targets were found below.  Otherwise nothing was changed. */
static BfJoinReason
find_below(DescentContext *context, Plan *plan, AttrNumber column)
{
	BfJoinStep	step = {0};
	BfJoinReason refusal = bf_join_find_step(&context->step, plan, column, &step);

	if (refusal == BF_JOIN_ALLOWED)
		refusal = step_refusal(context, &step);
	if (refusal != BF_JOIN_ALLOWED)
		return refusal;
	if (!bf_join_is_calm(context->step.statement, plan))
		return BF_JOIN_NOT_CALM;
	if (!find_below_step(context, &step))
		return BF_JOIN_NOT_KNOWN;

	context->result->cost_above += step.cost;
	context->result->saves_more |= step.node->dear;
	return BF_JOIN_ALLOWED;
}

/*
 * The children of an Append or MergeAppend; the column has the same number in
 * each.  A MergeAppend reads the next row from the child whose row it returned
 * last.
 */
static BfJoinReason
find_below_append(DescentContext *context, Plan *plan, AttrNumber column)
{
	List	   *children = bf_join_other_children(plan);
	DescentContext parts = *context;
	BfJoinStep	step;
	Cost		below = 0;
	ListCell   *lc;

	bf_join_append_step(plan, column, &step);
	if (!bf_join_is_calm(context->step.statement, plan))
		return BF_JOIN_NOT_CALM;
	foreach(lc, children)
	{
		BfJoinReason refusal;

		step.place = (Plan **) &lfirst(lc);
		refusal = may_have_probe(lfirst(lc)) ? step_refusal(context, &step) : BF_JOIN_NOT_KNOWN;
		if (refusal != BF_JOIN_ALLOWED)
			return refusal;
	}
	parts.divided |= context->groups;
	foreach(lc, children)
	{
		below += ((Plan *) lfirst(lc))->total_cost;
		step.place = (Plan **) &lfirst(lc);
		(void) find_below_step(&parts, &step);
	}
	context->result->cost_above += bf_join_own_cost(plan, below);
	return children != NIL ? BF_JOIN_ALLOWED : BF_JOIN_LEAF;
}

static void
add_target(DescentContext *context, Plan **place, AttrNumber column, BfJoinReason obstacle)
{
	BfJoinTarget *target = palloc0(sizeof(BfJoinTarget));

	target->place = place;
	target->column = column;
	target->groups = context->groups;
	target->read_whole = context->read_whole;
	target->gather = context->gather;
	target->obstacle = obstacle;
	context->result->targets = lappend(context->result->targets, target);
	context->result->rows += (*place)->plan_rows;
}

/* For a key that is an expression of the columns of the join's outer child. */
static void
add_expression_target(DescentContext *context, Plan **place)
{
	if (may_have_probe(*place))
		add_target(context, place, 0,
				   bf_join_is_table_scan(*place) ? BF_JOIN_LEAF : BF_JOIN_EXPRESSION);
}

/*
 * Find the deepest targets at or below a place.  False: there are none, and
 * nothing was changed.
 */
static bool
find_targets(DescentContext *context, Plan **place, AttrNumber column)
{
	Plan	   *plan = *place;
	BfJoinReason refusal;

	check_stack_depth();
	if (!may_have_probe(plan))
		return false;
	refusal = IsA(plan, Append) || IsA(plan, MergeAppend) ?
		find_below_append(context, plan, column) : find_below(context, plan, column);
	if (refusal != BF_JOIN_ALLOWED)
		add_target(context, place, column, refusal);
	return true;
}

/*
 * May a merge join get fewer rows of the side?  It may stop before that ends, if
 * the other does; until a row passes, it would read on.  Where a node below
 * sorts or hashes them, all are read in any case; Materialize reads no more rows
 * than it is asked for.
 */
static BfJoinReason
merge_refusal(DescentContext *context, const BfJoinSides *sides)
{
	BfJoinStep	step;
	ListCell   *lc;

	foreach(lc, context->result->targets)
		if (!((BfJoinTarget *) lfirst(lc))->read_whole)
		{
			bf_join_merge_step(sides, &step);
			return step_refusal(context, &step);
		}
	return BF_JOIN_ALLOWED;
}

BfJoinReason
bf_join_descend(BfJoinStatement *statement, const BfJoinSides *sides, const BfJoinPlanKey *key,
				const BfJoinLimits *limits, BfJoinDescent **result)
{
	Plan	  **place = sides->tested;
	DescentContext context = {
		.step = {.statement = statement, .key = key, .limits = limits},
		.result = palloc0(sizeof(BfJoinDescent))
	};
	bool		harmless = bf_join_hash_is_harmless(key->operator);

	context.result->key = key;
	bf_join_watch_hash(statement, key->operator);

	/*
	 * Below the join, there may be rows that the user must not see.  So a hash
	 * function that may reveal its arguments is called only for rows that the
	 * join itself would hash.  EXPLAIN ANALYZE shows how many rows passed a
	 * filter: where rows are hidden, no test is made there that the server
	 * itself would not make there.  An expression may raise an error or reveal
	 * its arguments, too, and equal arguments need not give equal results: so it
	 * is evaluated where the join does that.
	 */
	if (key->column == 0)
		add_expression_target(&context, place);
	else if (!harmless || (statement->hides_rows && !get_func_leakproof(get_opcode(key->operator))))
	{
		if (may_have_probe(*place))
			add_target(&context, place, key->column,
					   harmless ? BF_JOIN_HIDDEN_ROWS : BF_JOIN_TELLING_HASH);
	}
	else
		(void) find_targets(&context, place, key->column);
	*result = context.result;
	if (context.result->targets == NIL)
		return BF_JOIN_NOT_KNOWN;
	return IsA(sides->join, MergeJoin) ? merge_refusal(&context, sides) : BF_JOIN_ALLOWED;
}

bool
bf_join_may_test_first(BfJoinStatement *statement, Plan *scan, Oid operator)
{
	bool		hides_rows = scan->qual != NIL &&
		(statement->hides_rows || statement->has_policies);

	return bf_join_is_calm(statement, scan) && bf_join_hash_is_harmless(operator) &&
		(!hides_rows || get_func_leakproof(get_opcode(operator)));
}
