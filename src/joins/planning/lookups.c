/*-------------------------------------------------------------------------
 *
 * lookups.c
 *		Chooses between index lookups and scans that skip.
 *
 * A nested loop looks up rows of its inner table by index, for each row of its
 * outer side.  A hash join reads the tables instead, and its filter may let
 * their scans skip most of their blocks and partitions.  The planner does not
 * know of filters: it compares the lookups with scans of whole tables.  So a
 * query with lookups and a table that a scan could skip in is planned again
 * without lookups.  Of the two plans we keep the one that is cheaper if what
 * its filters are expected to save is subtracted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/float.h"
#include "utils/rel.h"
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

static bool
is_brin_index(Oid index)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(index));
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	result = ((Form_pg_class) GETSTRUCT(tuple))->relam == BRIN_AM_OID;
	ReleaseSysCache(tuple);
	return result;
}

static bool
has_brin_index(Oid table)
{
	Relation	relation = table_open(table, NoLock);
	List	   *indexes = RelationGetIndexList(relation);
	bool		result = false;
	ListCell   *lc;

	foreach(lc, indexes)
		result |= is_brin_index(lfirst_oid(lc));
	list_free(indexes);
	table_close(relation, NoLock);
	return result;
}

/*
 * Is it a large table in which a scan could skip by some column?  The number
 * of rows of a partitioned table is often not known.
 */
static bool
may_skip(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	FormData_pg_class form;

	if (!HeapTupleIsValid(tuple))
		return false;
	form = *(Form_pg_class) GETSTRUCT(tuple);
	ReleaseSysCache(tuple);
	return form.relkind == RELKIND_PARTITIONED_TABLE ||
		(form.relkind == RELKIND_RELATION && form.relhasindex &&
		 form.reltuples >= bf_join_filter_min_rows && has_brin_index(table));
}

/* Is there such a table anywhere in the query? */
static bool
any_may_skip(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		const RangeTblEntry *rte = (RangeTblEntry *) node;

		return rte->rtekind == RTE_RELATION && may_skip(rte->relid);
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, BF_WALKER(any_may_skip), context,
								 QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, BF_WALKER(any_may_skip), context);
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

/* ---------- the choice ---------- */

/*
 * What the filters of a plan are expected to save, where all rows are wanted.
 */
static Cost
expected_gain(PlannedStmt *stmt, int cursor_options)
{
	BfJoinStatement statement = {.stmt = stmt};
	Cost		result = 0;
	ListCell   *lc;

	bf_join_learn_statement(&statement);
	bf_join_learn_stability(&statement);
	foreach(lc, bf_join_choose(bf_join_find_candidates(&statement, cursor_options, NULL)))
	{
		const BfJoinCandidate *candidate = lfirst(lc);

		if (!candidate->wants_few_rows)
			result += candidate->added_gain;
	}
	return result;
}

/* The cost of a plan with its filters. */
static Cost
expected_cost(PlannedStmt *stmt, int cursor_options)
{
	Cost		cost = bf_join_plan_cost(stmt, cursor_options);

	return Max(cost - expected_gain(stmt, cursor_options), LEAST_LEFT * cost);
}

PlannedStmt *
bf_lookups_plan(BF_PLANNER_PARAMETERS, planner_hook_type planner)
{
	Query	   *copy;
	PlannedStmt *stmt;
	PlannedStmt *other;
	Cost		least;
	Cost		cost;

	if (!bf_join_skip || bf_join_filters == BF_JOIN_FILTERS_FORCE ||
		!any_may_skip((Node *) parse, NULL))
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
