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
 * The planner, here and there, does not know how long a list of keys is: it
 * expects ten keys.  The other server's does not know the filter.  Here this is
 * corrected in the paths that it has made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/selfuncs.h"

#include "compat.h"
#include "estimates/expression.h"
#include "estimates/selectivity.h"
#include "joins/remote/remote.h"
#include "joins/remote/rules.h"
#include "type/hashing/symbol.h"

/* A test of a foreign column by a filter or a list that a sub-select returns. */
typedef struct RemoteTest
{
	Var		   *foreign;
	Param	   *param;
	bool		is_list;
	Oid			table;			/* the local key, of which it is made */
	AttrNumber	column;
	double		keys;			/* in the list */
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

/* Is this the condition of a list?  If so, note its column and the list. */
static bool
is_list_test(const Node *node, RemoteTest *test)
{
	const NullTest *is_unknown;
	const ScalarArrayOpExpr *compared;

	if (!is_orclause(node) || list_length(((BoolExpr *) node)->args) != 2)
		return false;
	is_unknown = linitial(((BoolExpr *) node)->args);
	compared = lsecond(((BoolExpr *) node)->args);
	if (!IsA(is_unknown, NullTest) || !IsA(is_unknown->arg, Param) ||
		!IsA(compared, ScalarArrayOpExpr))
		return false;
	test->foreign = (Var *) bf_strip_relabel(linitial(compared->args));
	test->param = (Param *) bf_strip_relabel(lsecond(compared->args));
	return IsA(test->foreign, Var) && IsA(test->param, Param) &&
		test->param->paramkind == PARAM_EXEC &&
		((Param *) is_unknown->arg)->paramkind == PARAM_EXEC;
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

static RangeTblEntry *
first_entry(const PlannerInfo *root)
{
	return root->parse->rtable == NIL ? NULL : linitial(root->parse->rtable);
}

/* The planner's state for the CTE that a sub-select reads, or NULL. */
static PlannerInfo *
find_cte(PlannerInfo *root)
{
	const RangeTblEntry *rte = first_entry(root);
	int			levels = rte == NULL || rte->rtekind != RTE_CTE ? 0 : (int) rte->ctelevelsup;
	ListCell   *lc;

	if (levels == 0)
		return NULL;
	while (levels-- > 0)
		root = root->parent_root;
	foreach(lc, root->parse->cteList)
	{
		int			plan;

		if (strcmp(lfirst_node(CommonTableExpr, lc)->ctename, rte->ctename) != 0)
			continue;
		plan = list_nth_int(root->cte_plan_ids, foreach_current_index(lc));
		return plan > 0 ? list_nth(root->glob->subroots, plan - 1) : NULL;
	}
	return NULL;
}

/* Note the local key, which is the first column of a query or the first argument. */
static bool
set_key(RemoteTest *test, const Query *query, List *entries)
{
	Expr	   *key = linitial_node(TargetEntry, entries)->expr;

	/* CASE WHEN it may be sent THEN key END */
	if (IsA(key, CaseExpr))
		key = linitial_node(CaseWhen, ((CaseExpr *) key)->args)->result;
	if (!IsA(key, Var))
		return false;
	test->table = linitial_node(RangeTblEntry, query->rtable)->relid;
	test->column = ((Var *) key)->varattno;
	return true;
}

/* Find the local key of which the filter is made. */
static bool
find_filter_key(PlannerInfo *root, RemoteTest *test)
{
	const Query *query = root->parse;
	const Aggref *aggref = (Aggref *) linitial_node(TargetEntry, query->targetList)->expr;

	return IsA(aggref, Aggref) && aggref->args != NIL &&
		set_key(test, query, aggref->args);
}

/* Find the local key of which the list is made, and the list's length. */
static bool
find_list_key(PlannerInfo *root, RemoteTest *test)
{
	const RangeTblEntry *keys;

	root = find_cte(root);
	keys = root == NULL ? NULL : first_entry(root);
	/* what is pulled up is none any more */
	if (keys == NULL || keys->rtekind != RTE_SUBQUERY || keys->subquery == NULL ||
		keys->subquery->distinctClause == NIL || keys->subquery->rtable == NIL ||
		root->simple_rel_array[1] == NULL)
		return false;
	test->keys = root->simple_rel_array[1]->rows;
	return set_key(test, keys->subquery, keys->subquery->targetList);
}

/* Is the condition such a test? */
static bool
find_test(PlannerInfo *root, const RestrictInfo *condition, RemoteTest *test)
{
	const Node *clause = (Node *) condition->clause;

	test->is_list = is_list_test(clause, test);
	if (!test->is_list && !is_filter_test(clause, test))
		return false;
	root = find_sub_select(root, test->param);
	return root != NULL && (test->is_list ? find_list_key(root, test) : find_filter_key(root, test));
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

/* ---------- lists ---------- */

/*
 * The fraction of the foreign rows whose column is in the list: as if all keys
 * were values of the column.  All rows, if the column's values were not counted.
 */
static Selectivity
list_selectivity(PlannerInfo *root, const RemoteTest *test)
{
	VariableStatData vardata;
	bool		isdefault;
	double		ndistinct;

	examine_variable(root, (Node *) test->foreign, 0, &vardata);
	ndistinct = get_variable_numdistinct(&vardata, &isdefault);
	ReleaseVariableStats(vardata);
	return isdefault || ndistinct <= test->keys ? 1 : test->keys / ndistinct;
}

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
	{
		double		rows = rows_of_parts(root, rel);

		/* up to 17, a table of tables has no rows but those that pass */
		if (test->is_list)
			passed = Min(passed * rows / rel->rows, 1);
		rel->rows = rows;
	}
	else if (test->is_list)
	{
		Selectivity expected = passed;

		passed = list_selectivity(root, test);
		correct_rows(rel, rte, passed / expected);
	}
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
