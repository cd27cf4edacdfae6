/*-------------------------------------------------------------------------
 *
 * remote_estimate.c
 *		Estimates the rows of a join whose foreign table is filtered on its
 *		server.
 *
 * The rows that the filter lets through are the rows with a match.  The
 * planner does not know that: it expects the join to drop the same fraction
 * again, so nodes above the join would be planned for far too few rows.
 * Before joins are planned, the selectivity of the join's condition, which the
 * planner caches, is divided by the filter's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "joins/planning/remote_estimate.h"
#include "settings.h"
#include "type/symbol.h"

static set_rel_pathlist_hook_type previous_hook = NULL;

/* The column from which a filter is made. */
typedef struct LocalKey
{
	Oid			table;
	AttrNumber	column;
} LocalKey;

/*
 * Is the expression a test of a column by a filter that a sub-select returns?
 */
static bool
is_remote_test(const FuncExpr *test)
{
	return IsA(test, FuncExpr) && list_length(test->args) == 3 &&
		IsA(linitial(test->args), Param) && IsA(lsecond(test->args), Var) &&
		strcmp(bf_symbol(test->funcid), "bloomfilter_may_match") == 0;
}

/* Find the column that is read by the sub-select that sets the parameter. */
static bool
find_local_key(PlannerInfo *root, const Param *param, LocalKey *key)
{
	ListCell   *lc;

	foreach(lc, root->init_plans)
	{
		SubPlan    *subplan = lfirst_node(SubPlan, lc);
		Query	   *query;
		Aggref	   *aggref;
		Var		   *var;

		if (!list_member_int(subplan->setParam, param->paramid))
			continue;
		query = ((PlannerInfo *) list_nth(root->glob->subroots, subplan->plan_id - 1))->parse;
		aggref = (Aggref *) linitial_node(TargetEntry, query->targetList)->expr;
		if (!IsA(aggref, Aggref) || aggref->args == NIL)
			return false;
		var = (Var *) linitial_node(TargetEntry, aggref->args)->expr;
		if (!IsA(var, Var))
			return false;
		key->table = linitial_node(RangeTblEntry, query->rtable)->relid;
		key->column = var->varattno;
		return true;
	}
	return false;
}

/* Does the condition compare the two columns? */
static bool
compares(const RestrictInfo *condition, const Var *foreign, int local, AttrNumber column)
{
	bool		has_foreign = false;
	bool		has_local = false;
	List	   *vars = pull_var_clause((Node *) condition->clause, 0);
	ListCell   *lc;

	foreach(lc, vars)
	{
		Var		   *var = lfirst_node(Var, lc);

		has_foreign |= var->varno == foreign->varno && var->varattno == foreign->varattno;
		has_local |= var->varno == local && var->varattno == column;
	}
	return has_foreign && has_local;
}

static void
correct_condition(PlannerInfo *root, RestrictInfo *condition, RelOptInfo *foreign,
				  RelOptInfo *local, Selectivity passed)
{
	SpecialJoinInfo inner = {
		.type = T_SpecialJoinInfo,
		.min_lefthand = foreign->relids,
		.min_righthand = local->relids,
		.syn_lefthand = foreign->relids,
		.syn_righthand = local->relids,
		.jointype = JOIN_INNER
	};
	ListCell   *lc;

	(void) clause_selectivity(root, (Node *) condition, 0, JOIN_INNER, &inner);
	condition->norm_selec = Min(condition->norm_selec / passed, 1);
	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *join = lfirst_node(SpecialJoinInfo, lc);

		/* for a join on the other side there is no estimate yet */
		if (join->jointype != JOIN_SEMI || !bms_equal(local->relids, join->min_righthand))
			continue;
		(void) clause_selectivity(root, (Node *) condition, 0, JOIN_SEMI, join);
		condition->outer_selec = Min(condition->outer_selec / passed, 1);
		return;
	}
}

/*
 * Correct the conditions of joins between the foreign table and the table from
 * whose keys the filter is made.
 */
static void
correct_joins(PlannerInfo *root, RelOptInfo *rel, const Var *foreign, const LocalKey *key,
			  Selectivity passed)
{
	int			i;

	for (i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *other = root->simple_rel_array[i];
		List	   *conditions;
		ListCell   *lc;

		if (other == NULL || other == rel || other->reloptkind != RELOPT_BASEREL ||
			root->simple_rte_array[i]->relid != key->table)
			continue;
		conditions = BF_JOIN_EQUALITIES(root, bms_union(rel->relids, other->relids), rel->relids,
										other);
		foreach(lc, conditions)
			if (compares(lfirst(lc), foreign, i, key->column))
				correct_condition(root, lfirst(lc), rel, other, passed);
	}
}

static void
correct_estimates(PlannerInfo *root, RelOptInfo *rel, Index number, RangeTblEntry *rte)
{
	ListCell   *lc;

	if (previous_hook)
		previous_hook(root, rel, number, rte);
	if (bf_join_filters == BF_JOIN_FILTERS_OFF || root->init_plans == NIL ||
		rel->reloptkind != RELOPT_BASEREL)
		return;
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *condition = lfirst_node(RestrictInfo, lc);
		FuncExpr   *test = (FuncExpr *) condition->clause;
		Selectivity passed;
		LocalKey	key;

		if (!is_remote_test(test) || !find_local_key(root, linitial(test->args), &key))
			continue;
		passed = clause_selectivity(root, (Node *) condition, 0, JOIN_INNER, NULL);
		if (passed > 0)
			correct_joins(root, rel, lsecond(test->args), &key, passed);
	}
}

void
bf_remote_estimate_init(void)
{
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = correct_estimates;
}
