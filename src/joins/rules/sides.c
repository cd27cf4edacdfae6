/*-------------------------------------------------------------------------
 *
 * sides.c
 *		The two sides of a join: one whose rows are all known before the first
 *		row of the other is needed, and one whose rows may be tested.
 *
 * A hash join hashes its inner side.  A merge join knows all rows of a side that
 * a Sort returns, from the first of them on.  It reads its outer side first: if
 * that is sorted, rows of the inner side may be tested.  If the inner side is
 * sorted, rows of the outer side may be tested, once the Sort was made to run
 * first (see run/first.c).
 *
 * A merge join compares values by the order of a btree family, and calls no hash
 * function: so one is called in its place only if it cannot fail, and if values
 * that are equal in that order have one hash.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "estimates/expression.h"
#include "joins/rules/keys.h"
#include "joins/rules/nodes.h"
#include "joins/rules/sides.h"

/* ---------- sides ---------- */

/* LEFT, FULL and ANTI joins return rows of the outer side without a match. */
static bool
drops_unmatched_outer(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT ||
		BF_IS_RIGHT_ANTI(type) || BF_IS_RIGHT_SEMI(type);
}

bool
bf_join_drops_unmatched_inner(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_SEMI || type == JOIN_ANTI;
}

/*
 * The pointer to the Sort of a side; NULL: there is none.  Above it may be a
 * Material, which spares the Sort to go back in its file.
 */
static Plan **
find_sort(Plan **side)
{
	if (IsA(*side, Material))
		side = &outerPlan(*side);
	return IsA(*side, Sort) ? side : NULL;
}

static void
set_sides(BfJoinSides *sides, Plan **tested, Plan **store)
{
	sides->tested = tested;
	sides->store = *store;
	sides->store_place = store;
}

static BfJoinReason
find_merge_sides(MergeJoin *merge, BfJoinSides *sides)
{
	Plan	   *plan = &merge->join.plan;
	JoinType	type = merge->join.jointype;
	Plan	  **outer = bf_join_drops_unmatched_inner(type) ? find_sort(&outerPlan(plan)) : NULL;
	Plan	  **inner = drops_unmatched_outer(type) ? find_sort(&innerPlan(plan)) : NULL;

	if (outer == NULL && inner == NULL)
		return BF_JOIN_MERGES;
	if (outer == NULL || (inner != NULL && (*inner)->plan_rows <= (*outer)->plan_rows))
		set_sides(sides, &outerPlan(plan), inner);
	else
		set_sides(sides, &innerPlan(plan), outer);
	return BF_JOIN_ALLOWED;
}

BfJoinReason
bf_join_find_sides(Plan *plan, BfJoinSides *sides)
{
	sides->join = (Join *) plan;
	if (IsA(plan, MergeJoin))
		return find_merge_sides((MergeJoin *) plan, sides);
	if (!drops_unmatched_outer(sides->join->jointype))
		return BF_JOIN_KEEPS_UNMATCHED;
	set_sides(sides, &outerPlan(plan), &innerPlan(plan));
	return BF_JOIN_ALLOWED;
}

/* ---------- conditions ---------- */

static BfJoinPlanKey *
new_key(int number, Expr *outer, int side, Expr *inner, Oid operator, Oid collation)
{
	BfJoinPlanKey *result = palloc0(sizeof(BfJoinPlanKey));
	const Var  *var = (const Var *) bf_strip_relabel(outer);

	result->number = number;
	if (IsA(var, Var) && var->varno == side && var->varattno > 0)
		result->column = var->varattno;
	result->outer = outer;
	result->inner = inner;
	result->operator = operator;
	result->collation = collation;
	return result;
}

static List *
hash_keys(const HashJoin *join)
{
	const Hash *hash = (const Hash *) innerPlan(&join->join.plan);
	List	   *result = NIL;
	int			i;

	for (i = 0; i < list_length(join->hashkeys); i++)
		result = lappend(result, new_key(i, list_nth(join->hashkeys, i), OUTER_VAR,
										 list_nth(hash->hashkeys, i),
										 list_nth_oid(join->hashoperators, i),
										 list_nth_oid(join->hashcollations, i)));
	return result;
}

/*
 * A column of a side, which its Sort returns, as a column of the Sort's child;
 * NULL: it is something else.
 */
static Expr *
column_below_sort(const BfJoinSides *sides, Plan *side, Expr *expression, int varno)
{
	const Var  *var = (const Var *) bf_strip_relabel(expression);
	AttrNumber	column = IsA(var, Var) && var->varno == varno ? var->varattno : 0;
	Plan	   *sort = sides->store;
	Var		   *result;

	if (column > 0 && side != sort)
		column = bf_join_passed_column(side, column, OUTER_VAR);
	if (column > 0)
		column = bf_join_passed_column(sort, column, OUTER_VAR);
	if (column <= 0)
		return NULL;
	result = copyObject((Var *) var);
	result->varno = OUTER_VAR;
	result->varattno = column;
	/* as the operator takes it: text for varchar */
	result->vartype = exprType((Node *) expression);
	return (Expr *) result;
}

static bool
can_hash_as_merged(Oid operator, Oid collation)
{
	return OidIsValid(operator) && bf_join_hash_is_harmless(operator) &&
		bf_join_hashes_follow_equality(operator, collation);
}

static BfJoinPlanKey *
merge_key(const BfJoinSides *sides, int number, OpExpr *expression, Oid collation)
{
	Plan	   *plan = &sides->join->plan;
	bool		outer_tested = sides->tested == &outerPlan(plan);
	Expr	   *outer = linitial(expression->args);
	Expr	   *inner = lsecond(expression->args);
	Expr	   *hashed = outer_tested ?
		column_below_sort(sides, innerPlan(plan), inner, INNER_VAR) :
		column_below_sort(sides, outerPlan(plan), outer, OUTER_VAR);
	BfJoinPlanKey *result = new_key(number, outer_tested ? outer : inner,
									outer_tested ? OUTER_VAR : INNER_VAR, hashed,
									outer_tested ? expression->opno :
									get_commutator(expression->opno), collation);

	/* it does not evaluate an expression for every row */
	if (result->column == 0 || hashed == NULL ||
		!can_hash_as_merged(result->operator, collation))
		result->refusal = BF_JOIN_MERGED_OTHERWISE;
	return result;
}

static List *
merge_keys(const BfJoinSides *sides)
{
	const MergeJoin *merge = (const MergeJoin *) sides->join;
	List	   *result = NIL;
	int			i;

	for (i = 0; i < list_length(merge->mergeclauses); i++)
		result = lappend(result, merge_key(sides, i, list_nth(merge->mergeclauses, i),
										   merge->mergeCollations[i]));
	return result;
}

List *
bf_join_keys(const BfJoinSides *sides)
{
	return IsA(sides->join, HashJoin) ? hash_keys((const HashJoin *) sides->join) :
		merge_keys(sides);
}
