/*-------------------------------------------------------------------------
 *
 * estimate.c
 *		Estimates the rows of a join whose foreign table is filtered on its
 *		server.
 *
 * The rows that the filter lets through are the rows with a match.  The
 * planner does not know that: it expects the join to drop the same fraction
 * again, so nodes above the join would be planned for far too few rows.
 * Before joins are planned, the selectivity of the join's condition, which the
 * planner caches, is divided by the filter's.  Without this, 5 rows of 240 were
 * expected above such a join, and a filter that every row passes seemed to save
 * two fifths of the plan's cost.
 *
 * The other server's planner does not know the filter.  Where it is asked for
 * estimates, the paths that are made of these are corrected here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "estimates/selectivity.h"
#include "joins/remote/remote.h"
#include "joins/remote/rules.h"
#include "type/hashing/symbol.h"

/* A test of a foreign column by a filter that a sub-select returns. */
typedef struct RemoteTest
{
	Var		   *foreign;
	Param	   *param;
	Oid			table;			/* the local key, of which it is made */
	AttrNumber	column;
} RemoteTest;

/* ---------- tests ---------- */

/* Is this the condition of a filter?  If so, note its column and the filter. */
static bool
is_filter_test(const Node *node, RemoteTest *test)
{
	const FuncExpr *function = (const FuncExpr *) node;

	if (!IsA(node, FuncExpr) || list_length(function->args) != 3)
		return false;
	test->param = linitial(function->args);
	test->foreign = lsecond(function->args);
	return IsA(test->foreign, Var) && IsA(test->param, Param) &&
		test->param->paramkind == PARAM_EXEC &&
		strcmp(bf_symbol(function->funcid), "bloomfilter_may_match") == 0;
}

/* The planner's state for the sub-select that sets the parameter, or NULL. */
static PlannerInfo *
find_sub_select(PlannerInfo *root, const Param *param)
{
	ListCell   *lc;

	foreach(lc, root->init_plans)
	{
		SubPlan    *subplan = lfirst_node(SubPlan, lc);

		if (list_member_int(subplan->setParam, param->paramid))
			return list_nth(root->glob->subroots, subplan->plan_id - 1);
	}
	return NULL;
}

/* Find the local key of which the filter is made. */
static bool
find_key(PlannerInfo *root, RemoteTest *test)
{
	const Query *query = root->parse;
	const Aggref *aggref = (Aggref *) linitial_node(TargetEntry, query->targetList)->expr;
	const Var  *key;

	if (!IsA(aggref, Aggref) || aggref->args == NIL)
		return false;
	key = (Var *) linitial_node(TargetEntry, aggref->args)->expr;
	if (!IsA(key, Var))
		return false;
	test->table = linitial_node(RangeTblEntry, query->rtable)->relid;
	test->column = key->varattno;
	return true;
}

/* Is the condition such a test? */
static bool
find_test(PlannerInfo *root, const RestrictInfo *condition, RemoteTest *test)
{
	if (!is_filter_test((Node *) condition->clause, test))
		return false;
	root = find_sub_select(root, test->param);
	return root != NULL && find_key(root, test);
}

/* ---------- joins ---------- */

/* Does the condition compare the two columns? */
static bool
compares(const RestrictInfo *condition, const Var *foreign, int local, AttrNumber column)
{
	bool		has_foreign = false;
	bool		has_local = false;
	List	   *vars = pull_var_clause((Node *) condition->clause,
									   PVC_RECURSE_AGGREGATES | PVC_RECURSE_WINDOWFUNCS |
									   PVC_RECURSE_PLACEHOLDERS);
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
correct_joins(PlannerInfo *root, RelOptInfo *rel, const RemoteTest *test, Selectivity passed)
{
	int			i;

	for (i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *other = root->simple_rel_array[i];
		List	   *conditions;
		ListCell   *lc;

		if (other == NULL || other == rel || other->reloptkind != RELOPT_BASEREL ||
			root->simple_rte_array[i]->relid != test->table)
			continue;
		conditions = BF_JOIN_EQUALITIES(root, bms_union(rel->relids, other->relids), rel->relids,
										other);
		foreach(lc, conditions)
			if (compares(lfirst(lc), test->foreign, i, test->column))
				correct_condition(root, lfirst(lc), rel, other, passed);
	}
}

/* ---------- rows ---------- */

static void
correct_path(Path *path, double factor, Cost tuple_cost)
{
	double		rows = clamp_row_est(path->rows * factor);

	path->total_cost = Max(path->startup_cost,
						   path->total_cost + (rows - path->rows) * tuple_cost);
	path->rows = rows;
}

/*
 * The rows of a table of tables, which are corrected already: its paths are made of
 * theirs.
 */
static double
rows_of_parts(PlannerInfo *root, const RelOptInfo *rel)
{
	double		result = 0;
	ListCell   *lc;

	foreach(lc, root->append_rel_list)
	{
		const AppendRelInfo *info = lfirst_node(AppendRelInfo, lc);
		RelOptInfo *part = root->simple_rel_array[info->child_relid];

		if (info->parent_relid == rel->relid && part != NULL && !IS_DUMMY_REL(part))
			result += part->rows;
	}
	return clamp_row_est(result);
}

/* Multiply the rows that a table is expected to return. */
static void
correct_rows(RelOptInfo *rel, const RangeTblEntry *rte, double factor)
{
	Cost		tuple_cost = cpu_tuple_cost + bf_remote_tuple_cost(rte->relid);
	ListCell   *lc;

	rel->rows = clamp_row_est(rel->rows * factor);
	foreach(lc, rel->pathlist)
		correct_path(lfirst(lc), factor, tuple_cost);
	foreach(lc, rel->ppilist)
	{
		ParamPathInfo *info = lfirst_node(ParamPathInfo, lc);

		info->ppi_rows = clamp_row_est(info->ppi_rows * factor);
	}
}

static void
correct_by_test(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte,
				RestrictInfo *condition, const RemoteTest *test)
{
	Selectivity passed = clause_selectivity(root, (Node *) condition, 0, JOIN_INNER, NULL);

	if (passed <= 0)
		return;
	if (rte->inh)
		rel->rows = rows_of_parts(root, rel);
	else if (bf_remote_asks_for_estimates(rte->relid))
		correct_rows(rel, rte, passed / BF_DEFAULT_SELECTIVITY);
	if (rel->reloptkind == RELOPT_BASEREL)
		correct_joins(root, rel, test, passed);
}

void
bf_remote_correct_estimates(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte)
{
	ListCell   *lc;

	if (root->init_plans == NIL || rte->rtekind != RTE_RELATION)
		return;
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *condition = lfirst_node(RestrictInfo, lc);
		RemoteTest	test = {0};

		if (find_test(root, condition, &test))
			correct_by_test(root, rel, rte, condition, &test);
	}
}
