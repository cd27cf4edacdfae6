/*-------------------------------------------------------------------------
 *
 * expected.c
 *		What a plan is expected to cost with its filters.
 *
 * The planner's cost is corrected for what it does not know: that filters save
 * something, and that more rows of a join have a match than it expects.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "optimizer/optimizer.h"

#include "compat.h"
#include "joins/choice/candidates.h"
#include "joins/choice/choice.h"
#include "joins/choice/expected.h"
#include "joins/choice/selectivity.h"
#include "joins/choice/skipping.h"
#include "joins/rules/nodes.h"
#include "joins/rules/statement.h"

/*
 * The gains of filters at different places overlap: each is estimated as if
 * there were no others.  No query was measured to take less than this fraction
 * of its time with filters.
 */
#define LEAST_LEFT		0.1

/* ---------- more rows than expected ---------- */

/* How many times the rows that the planner expects does a join return? */
static double
more_rows(const Plan *join, List *candidates)
{
	ListCell   *lc;

	foreach(lc, candidates)
	{
		const BfJoinCandidate *candidate = lfirst(lc);

		if (&candidate->join->join.plan == join && candidate->estimate.more_rows > 1)
			return candidate->estimate.more_rows;
	}
	return 1;
}

/*
 * Add what nodes cost more where joins return more rows than the planner
 * expects.  A node costs in proportion to the rows of its outer side, and a
 * join also costs for each row that it returns.  Returns how many times the
 * expected rows the node returns.
 */
static double
add_cost_of_more_rows(Plan *plan, List *candidates, Cost *cost)
{
	double		outer;
	double		result;
	Cost		own;
	ListCell   *lc;

	if (plan == NULL)
		return 1;
	check_stack_depth();
	foreach(lc, bf_join_other_children(plan))
		(void) add_cost_of_more_rows(lfirst(lc), candidates, cost);
	if (outerPlan(plan) == NULL)
		return 1;
	outer = add_cost_of_more_rows(outerPlan(plan), candidates, cost);
	own = plan->total_cost - outerPlan(plan)->total_cost;
	result = outer;
	if (innerPlan(plan) != NULL)
	{
		result *= add_cost_of_more_rows(innerPlan(plan), candidates, cost);
		result *= more_rows(plan, candidates);
		*cost += (result - outer) * cpu_tuple_cost * plan->plan_rows;
		if (!IsA(plan, NestLoop))
			own -= innerPlan(plan)->total_cost;
	}
	*cost += (outer - 1) * Max(own, 0);
	return innerPlan(plan) != NULL || bf_join_is_within_join(plan) ? result : 1;
}

/* ---------- what filters save ---------- */

/*
 * What a filter's scans skip less than its gain counts: that takes the keys to
 * lie close together, which may be wrong.
 */
static Cost
doubtful_gain(BfJoinStatement *statement, const BfJoinCandidate *candidate)
{
	const BfJoinEstimate *estimate = &candidate->estimate;
	Cost		result = 0;
	ListCell   *lk;
	ListCell   *ld;

	forboth(lk, candidate->keys, ld, candidate->descents)
	{
		const BfJoinDescent *descent = lfirst(ld);
		Cost		skipped = bf_join_skipped_cost(statement, descent, estimate->hashed_rows, false);

		if (skipped == 0 || bf_join_lies_together(statement->stmt, candidate->join, lfirst(lk)))
			continue;
		skipped = (1 - estimate->pass) * skipped -
			bf_join_skipped_cost(statement, descent, estimate->hashed_rows, true);
		result += Max(skipped, 0);
	}
	return result;
}

/* What a filter is expected to save, if all rows of its join are wanted. */
static Cost
expected_gain(BfJoinStatement *statement, const BfJoinCandidate *candidate)
{
	if (candidate->wants_few_rows)
		return 0;
	return Max(candidate->added_gain - doubtful_gain(statement, candidate), 0);
}

Cost
bf_join_expected_cost(PlannedStmt *stmt, int cursor_options, bool *skips)
{
	BfJoinStatement statement = {.stmt = stmt};
	Cost		planned = bf_join_plan_cost(stmt, cursor_options);
	Cost		result = planned;
	bool		any_skips = false;
	List	   *candidates;
	ListCell   *lc;

	candidates = bf_join_find_candidates(&statement, cursor_options, NULL);
	(void) add_cost_of_more_rows(stmt->planTree, candidates, &result);
	foreach(lc, stmt->subplans)
		(void) add_cost_of_more_rows(lfirst(lc), candidates, &result);
	foreach(lc, bf_join_choose(candidates))
	{
		Cost		gain = expected_gain(&statement, lfirst(lc));

		result -= gain;
		any_skips |= gain > 0 && ((BfJoinCandidate *) lfirst(lc))->estimate.skipped_cost > 0;
	}
	if (skips != NULL)
		*skips = any_skips;
	return Max(result, LEAST_LEFT * planned);
}

/* ---------- disabled nodes ---------- */

static int
disabled_nodes(const PlannedStmt *stmt)
{
	int			result = BF_DISABLED_NODES(stmt->planTree);
	ListCell   *lc;

	/* sub-selects that are not used have no plan */
	foreach(lc, stmt->subplans)
		if (lfirst(lc) != NULL)
			result += BF_DISABLED_NODES((Plan *) lfirst(lc));
	return result;
}

bool
bf_join_has_more_disabled(const PlannedStmt *stmt, const PlannedStmt *other)
{
	return disabled_nodes(stmt) > disabled_nodes(other);
}
