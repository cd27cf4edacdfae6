/*-------------------------------------------------------------------------
 *
 * eligible.c
 *		Which hash joins may have a filter at all, whatever their keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "joins/rules/eligible.h"
#include "joins/rules/stability.h"

/*
 * Does the join drop the rows of its outer side that have no match?  LEFT,
 * FULL and ANTI joins return them.
 */
static bool
drops_unmatched_rows(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT ||
		BF_IS_RIGHT_ANTI(type) || BF_IS_RIGHT_SEMI(type);
}

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
 */
static BfJoinReason
parameter_refusal(BfJoinStatement *statement, Plan *hash)
{
	Bitmapset  *harmless = statement->constant_params;

	if (hash->parallel_aware)
		harmless = bms_union(harmless, statement->gather_params);
	if (bms_is_subset(hash->extParam, harmless))
		return BF_JOIN_ALLOWED;
	return bms_is_subset(hash->extParam, bms_union(harmless, statement->lock_params)) ?
		BF_JOIN_ROWS_MAY_CHANGE : BF_JOIN_DEPENDS_ON_PARAMETER;
}

BfJoinReason
bf_join_refusal(BfJoinStatement *statement, const HashJoin *join)
{
	Plan	   *hash = innerPlan(&join->join.plan);
	BfJoinReason refusal;

	if (!drops_unmatched_rows(join->join.jointype))
		return BF_JOIN_KEEPS_UNMATCHED;
	refusal = parameter_refusal(statement, hash);
	if (refusal != BF_JOIN_ALLOWED)
		return refusal;
	if (!bf_join_expression_is_calm(statement, (Node *) join->hashkeys))
		return BF_JOIN_VOLATILE_KEY;
	return bf_join_stability(statement, hash) == BF_JOIN_VOLATILE ?
		BF_JOIN_VOLATILE_HASHED : BF_JOIN_ALLOWED;
}

bool
bf_join_fetches_outer_row_first(const HashJoin *join)
{
	Plan	   *outer = outerPlan(&join->join.plan);
	Plan	   *hash = innerPlan(&join->join.plan);

	return join->join.jointype != JOIN_RIGHT && !BF_IS_RIGHT_ANTI(join->join.jointype) &&
		outer->startup_cost < hash->total_cost;
}
