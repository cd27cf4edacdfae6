/*-------------------------------------------------------------------------
 *
 * lookups.c
 *		Chooses between index lookups and hash joins with filters.
 *
 * A nested loop looks up rows of its inner table by index, for each row of its
 * outer side.  A hash join reads the tables instead, and its filter may drop
 * most of their rows early, or let their scans skip most of their blocks and
 * partitions.  The planner does not know of filters.  It may also expect far
 * fewer rows to be looked up than there are, where the hashed values of a join
 * lie close together.  So a query with lookups is planned again without them.
 * Of the two plans we keep the one that is cheaper with its filters.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/float.h"
#include "utils/syscache.h"

#include "compat.h"
#include "joins/planning/candidates.h"
#include "joins/planning/choice.h"
#include "joins/planning/gain.h"
#include "joins/planning/lookups.h"
#include "joins/planning/nodes.h"
#include "joins/planning/stability.h"
#include "joins/planning/statement.h"
#include "settings.h"

/*
 * Planning a join takes some 0.03 ms times 2 to the number of its tables:
 * measured 0.2 ms for 3 tables, 0.6 for 5, 3 for 7, and 10 to 17 for 8.  A
 * partition takes some 0.03 ms, too.  A unit of cost takes some 5 us.  So
 * planning again takes a twentieth of the time of a query that costs 100 units
 * times that number.  By default, these are a tenth of what reading
 * join_filter_min_rows costs: the setting says how small a query may be to have
 * filters.  The queries were those of TPC-DS.
 */
#define AGAIN_FRACTION	0.1

/*
 * The gains of filters at different places overlap: each is estimated as if
 * there were no others.  No query was measured to take less than this fraction
 * of its time with filters.
 */
#define LEAST_LEFT		0.1

/* The planner takes costs to be equal if they differ by less: STD_FUZZ_FACTOR. */
#define FUZZ			1.01

/* The query whose plan without lookups is being made, as given to the planner. */
static const Query *without_lookups = NULL;

static set_rel_pathlist_hook_type previous_hook = NULL;

/* ---------- tables ---------- */

/*
 * Is it a large table?  The number of rows of a partitioned table is often not
 * known.
 */
static bool
is_large(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	Form_pg_class form;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = (Form_pg_class) GETSTRUCT(tuple);
	result = form->relkind == RELKIND_PARTITIONED_TABLE ||
		form->reltuples >= bf_join_filter_min_rows;
	ReleaseSysCache(tuple);
	return result;
}

/* Is there a large table anywhere in the query? */
static bool
any_is_large(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *rte = (RangeTblEntry *) node;

		return rte->rtekind == RTE_RELATION && is_large(rte->relid);
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, BF_WALKER(any_is_large), context,
								 QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, BF_WALKER(any_is_large), context);
}

/* ---------- plans without lookups ---------- */

/* Is this a part of a query that runs again for each row of another part? */
static bool
runs_again(const PlannerInfo *root)
{
	for (root = root->parent_root; root != NULL; root = root->parent_root)
		if (root->plan_params != NIL)
			return true;
	return false;
}

/*
 * Remove the paths that need values of other tables of the same query: only
 * nested loops use them.  Columns that LATERAL refers to are needed by all
 * paths.
 */
static void
remove_lookups(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	ListCell   *lc;

	if (previous_hook != NULL)
		previous_hook(root, rel, rti, rte);
	if (without_lookups == NULL || rte->rtekind != RTE_RELATION || runs_again(root))
		return;
	foreach(lc, rel->pathlist)
		if (!bms_equal(PATH_REQ_OUTER((Path *) lfirst(lc)), rel->lateral_relids))
			rel->pathlist = foreach_delete_current(rel->pathlist, lc);
}

static PlannedStmt *
plan_without(const Query *query, BF_PLANNER_PARAMETERS, planner_hook_type planner)
{
	const Query *saved = without_lookups;
	PlannedStmt *result;

	without_lookups = query;
	PG_TRY();
	{
		result = planner(BF_PLANNER_ARGUMENTS);
	}
	PG_FINALLY();
	{
		without_lookups = saved;
	}
	PG_END_TRY();
	return result;
}

PlannedStmt *
bf_lookups_plan_as_is(BF_PLANNER_PARAMETERS, planner_hook_type planner)
{
	/* functions that the planner calls may plan other queries */
	if (without_lookups == NULL || without_lookups == parse)
		return planner(BF_PLANNER_ARGUMENTS);
	return plan_without(NULL, BF_PLANNER_ARGUMENTS, planner);
}

/* ---------- is it worth planning again? ---------- */

typedef struct Effort
{
	bool		has_lookups;
	int			scans;
	int			most_joined;	/* tables that are joined to one another */
} Effort;

/* Does the node return rows of the join below it, which may go into another? */
static bool
is_within_join(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_Hash:
		case T_Sort:
		case T_IncrementalSort:
		case T_Material:
		case T_Memoize:
		case T_Gather:
		case T_GatherMerge:
			return true;
		default:
			return false;
	}
}

/* Returns the number of tables of which the planner joined a node's rows. */
static int
measure_effort(Plan *plan, Effort *effort)
{
	int			tables;
	ListCell   *lc;

	if (plan == NULL)
		return 0;
	check_stack_depth();
	tables = measure_effort(outerPlan(plan), effort) + measure_effort(innerPlan(plan), effort);
	effort->most_joined = Max(effort->most_joined, tables);
	foreach(lc, bf_join_other_children(plan))
		(void) measure_effort(lfirst(lc), effort);
	if (tables == 0)
		effort->scans++;
	if (IsA(plan, NestLoop) && ((NestLoop *) plan)->nestParams != NIL)
		effort->has_lookups = true;
	return innerPlan(plan) != NULL || is_within_join(plan) ? tables : 1;
}

/*
 * The cost of a query from which on planning it again takes little time beside
 * running it; infinite if its plan has no lookups.
 */
static Cost
least_cost(PlannedStmt *stmt)
{
	Effort		effort = {0};
	ListCell   *lc;

	(void) measure_effort(stmt->planTree, &effort);
	foreach(lc, stmt->subplans)
		(void) measure_effort(lfirst(lc), &effort);
	if (!effort.has_lookups)
		return get_float8_infinity();
	return AGAIN_FRACTION * bf_join_rows_cost(bf_join_filter_min_rows) *
		(pow(2, effort.most_joined) + effort.scans);
}

/* ---------- the cost with filters ---------- */

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
	return innerPlan(plan) != NULL || is_within_join(plan) ? result : 1;
}

/* What a plan is expected to cost with its filters. */
static Cost
expected_cost(PlannedStmt *stmt, int cursor_options)
{
	BfJoinStatement statement = {.stmt = stmt};
	Cost		planned = bf_join_plan_cost(stmt, cursor_options);
	Cost		result = planned;
	List	   *candidates;
	ListCell   *lc;

	bf_join_learn_statement(&statement);
	bf_join_learn_stability(&statement);
	candidates = bf_join_find_candidates(&statement, cursor_options, NULL);
	(void) add_cost_of_more_rows(stmt->planTree, candidates, &result);
	foreach(lc, stmt->subplans)
		(void) add_cost_of_more_rows(lfirst(lc), candidates, &result);
	foreach(lc, bf_join_choose(candidates))
	{
		const BfJoinCandidate *candidate = lfirst(lc);

		if (!candidate->wants_few_rows)
			result -= candidate->added_gain;
	}
	return Max(result, LEAST_LEFT * planned);
}

PlannedStmt *
bf_lookups_plan(BF_PLANNER_PARAMETERS, planner_hook_type planner)
{
	Query	   *copy;
	PlannedStmt *stmt;
	PlannedStmt *other;
	Cost		least;
	Cost		cost;

	if (!bf_join_replan || bf_join_filters == BF_JOIN_FILTERS_FORCE ||
		!any_is_large((Node *) parse, NULL))
		return bf_lookups_plan_as_is(BF_PLANNER_ARGUMENTS, planner);
	copy = copyObject(parse);
	stmt = bf_lookups_plan_as_is(BF_PLANNER_ARGUMENTS, planner);
	least = least_cost(stmt);
	if (bf_join_plan_cost(stmt, cursor_options) < least)
		return stmt;
	cost = expected_cost(stmt, cursor_options);
	if (cost < least)
		return stmt;
	parse = copy;
	other = plan_without(copy, BF_PLANNER_ARGUMENTS, planner);
	return FUZZ * expected_cost(other, cursor_options) < cost ? other : stmt;
}

void
bf_lookups_init(void)
{
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = remove_lookups;
}
