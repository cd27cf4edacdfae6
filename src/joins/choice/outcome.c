/*-------------------------------------------------------------------------
 *
 * outcome.c
 *		A finished plan, and the filters that it is to have.
 *
 * The plan's expected cost is the planner's, less what its filters save.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "joins/choice/candidates.h"
#include "joins/choice/choice.h"
#include "joins/choice/outcome.h"
#include "joins/choice/selectivity.h"
#include "joins/choice/skipping.h"
#include "joins/rules/keys.h"
#include "joins/rules/statement.h"

/*
 * The gains of filters at different places overlap: each is estimated as if
 * there were no others.  No query was measured to take less than this fraction
 * of its time with filters.
 */
#define LEAST_LEFT		0.1

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

BfJoinOutcome
bf_join_assess(PlannedStmt *stmt, int cursor_options, bool tell)
{
	Cost		planned = bf_join_plan_cost(stmt, cursor_options);
	BfJoinOutcome result = {
		.stmt = stmt,
		.statement = palloc0(sizeof(BfJoinStatement)),
		.cost = planned
	};
	ListCell   *lc;

	result.statement->stmt = stmt;
	result.filters = bf_join_choose(bf_join_find_candidates(result.statement, cursor_options,
															tell ? &result.verdicts : NULL));
	foreach(lc, result.filters)
	{
		Cost		gain = expected_gain(result.statement, lfirst(lc));

		result.cost -= gain;
		result.skips |= gain > 0 && ((BfJoinCandidate *) lfirst(lc))->estimate.skipped_cost > 0;
	}
	result.cost = Max(result.cost, LEAST_LEFT * planned);
	return result;
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

/* ---------- hashes ---------- */

static void
visit_hash_join(Plan *plan, void *context)
{
	bool	   *follow = context;
	ListCell   *operator;
	ListCell   *collation;

	if (!IsA(plan, HashJoin))
		return;
	forboth(operator, ((HashJoin *) plan)->hashoperators, collation, ((HashJoin *) plan)->hashcollations)
		*follow = *follow &&
			bf_join_hashes_follow_equality(lfirst_oid(operator), lfirst_oid(collation));
}

bool
bf_join_hashes_as_compared(PlannedStmt *stmt)
{
	bool		result = true;

	bf_join_walk_statement(stmt, visit_hash_join, &result);
	return result;
}
