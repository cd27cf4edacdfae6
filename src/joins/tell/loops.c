/*-------------------------------------------------------------------------
 *
 * loops.c
 *		Why a join that has no keys to hash has no filter.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "joins/rules/nodes.h"
#include "joins/tell/loops.h"

static bool
has_parameter(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
		return true;
	return expression_tree_walker(node, BF_WALKER(has_parameter), context);
}

/* The conditions by which an index, or a row's place, is looked up. */
static List *
lookup_conditions(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_IndexScan:
			return ((const IndexScan *) plan)->indexqual;
		case T_IndexOnlyScan:
			return ((const IndexOnlyScan *) plan)->indexqual;
		case T_BitmapIndexScan:
			return ((const BitmapIndexScan *) plan)->indexqual;
		case T_TidScan:
			return ((const TidScan *) plan)->tidquals;
		default:
			return NIL;
	}
}

/* Of the outer row, or of one further out. */
static void
find_lookup(Plan *plan, void *found)
{
	*(bool *) found |= has_parameter((Node *) lookup_conditions(plan), NULL);
}

static bool
is_looked_up(Plan *inner)
{
	bool		found = false;

	bf_join_walk(inner, find_lookup, &found);
	return found;
}

/* Could a hash join join by one of the conditions? */
static bool
has_equality(const List *conditions)
{
	ListCell   *lc;

	foreach(lc, conditions)
	{
		const OpExpr *condition = lfirst(lc);

		if (IsA(condition, OpExpr) && list_length(condition->args) == 2 &&
			op_hashjoinable(condition->opno, exprType(linitial(condition->args))))
			return true;
	}
	return false;
}

BfJoinReason
bf_join_loop_reason(Join *join)
{
	if (IsA(join, NestLoop) && is_looked_up(innerPlan(join)))
		return BF_JOIN_BY_INDEX;
	if (IsA(join, NestLoop) && ((NestLoop *) join)->nestParams != NIL)
		return BF_JOIN_BY_ROW;
	return has_equality(join->joinqual) ? BF_JOIN_LOOPS : BF_JOIN_NO_EQUALITY;
}
