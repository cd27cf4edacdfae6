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
#include "joins/choice/expected.h"
#include "joins/choice/gain.h"
#include "joins/hooks/lookups.h"
#include "joins/rules/nodes.h"
#include "joins/rules/statement.h"
#include "settings.h"

/*
 * Planning a join takes some 0.03 ms times 2 to the number of its tables:
 * measured 0.2 ms for 3 tables, 0.6 for 5, 3 for 7, and 10 to 17 for 8.  A
 * partition takes some 0.03 ms, too.  A unit of cost takes some 5 us.  So for
 * each 0.03 ms a query must cost 100 units, if planning again is to take a
 * twentieth of its time.  By default, 100 units are a tenth of what reading
 * join_filter_min_rows costs: the setting says how small a query may be to have
 * filters.  The queries were those of TPC-DS.
 */
#define AGAIN_FRACTION	0.1

/*
 * A small table may be read again for each row of a nested loop's outer side,
 * even if there are far more rows than expected.  The largest such table in
 * TPC-DS has 300 rows and costs 14.
 */
#define SMALL_RESCAN	(20 * seq_page_cost)

/*
 * A plan must be cheaper by so much to be taken: by more than what makes no
 * difference to the planner (STD_FUZZ_FACTOR) if its scans skip.  If they do
 * not, it does not read less than the planner thinks, and lookups in memory
 * cost less: TPC-H 3 was cheaper without them by a factor of 1.07, and took 1.45
 * times as long.  Where they were cheaper by 1.11, no query of the known sets took
 * longer.
 */
#define SKIPPING_MARGIN	1.01
#define READING_MARGIN	1.11

/* What is being planned. */
typedef struct Planning
{
	const Query *without;		/* without lookups, as given to the planner */
	bool		again;			/* or what the planner runs meanwhile */
} Planning;

static Planning planning = {0};

static set_rel_pathlist_hook_type previous_hook = NULL;

/* ---------- tables ---------- */

/*
 * Is it a large table?  The number of rows of a table with partitions or other
 * children is not counted, or often not known.
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
	result = form->relkind == RELKIND_PARTITIONED_TABLE || form->relhassubclass ||
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

/*
 * Might a plan without lookups call a volatile function more often or less
 * often?  Not in the outermost select list, for each row of the result.
 */
static bool
calls_may_differ(Query *query)
{
	List	   *targets = query->targetList;
	bool		result;

	if (query->hasSubLinks)
		return contain_volatile_functions((Node *) query);
	query->targetList = NIL;
	result = contain_volatile_functions((Node *) query);
	query->targetList = targets;
	return result;
}

/* ---------- plans without lookups ---------- */

/*
 * Is this a part of a query that runs again for each row of another part, or
 * for what it returned itself?
 */
static bool
runs_again(const PlannerInfo *root)
{
	for (root = root->parent_root; root != NULL; root = root->parent_root)
		if (root->plan_params != NIL || root->non_recursive_path != NULL)
			return true;
	return false;
}

/*
 * Remove the paths that need values of other tables of the same query: only
 * nested loops use them.
 */
static void
remove_lookups(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	List	   *others = NIL;
	ListCell   *lc;

	if (previous_hook != NULL)
		previous_hook(root, rel, rti, rte);
	if (planning.without == NULL || rte->rtekind != RTE_RELATION || runs_again(root))
		return;
	foreach(lc, rel->pathlist)
		if (PATH_REQ_OUTER((Path *) lfirst(lc)) == NULL)
			others = lappend(others, lfirst(lc));
	/*
	 * below LATERAL, or if it is foreign, a table may be read in no other way
	 */
	if (others != NIL)
		rel->pathlist = others;
}

static PlannedStmt *
plan_as(Planning what, BF_PLANNER_PARAMETERS, planner_hook_type planner)
{
	Planning	saved = planning;
	PlannedStmt *result;

	planning = what;
	PG_TRY();
	{
		result = planner(BF_PLANNER_ARGUMENTS);
	}
	PG_FINALLY();
	{
		planning = saved;
	}
	PG_END_TRY();
	return result;
}

PlannedStmt *
bf_lookups_plan_as_is(BF_PLANNER_PARAMETERS, planner_hook_type planner)
{
	Planning	as_is = {.again = planning.again};

	/* functions that the planner calls may plan other queries */
	if (planning.without == NULL || planning.without == parse)
		return planner(BF_PLANNER_ARGUMENTS);
	return plan_as(as_is, BF_PLANNER_ARGUMENTS, planner);
}

/* ---------- is it worth planning again? ---------- */

typedef struct Effort
{
	bool		has_lookups;
	int			scans;
	int			most_joined;	/* tables that are joined to one another */
	Cost		rescan;			/* of the dearest inner side of a nested loop */
} Effort;

/* Is the plan certain to return no more than one row? */
static bool
returns_one_row(const Plan *plan)
{
	if (IsA(plan, NestLoop))
		return returns_one_row(outerPlan(plan)) && returns_one_row(innerPlan(plan));
	return IsA(plan, Agg) && ((const Agg *) plan)->aggstrategy == AGG_PLAIN &&
		!DO_AGGSPLIT_SKIPFINAL(((const Agg *) plan)->aggsplit);
}

static void
note_loop(const NestLoop *loop, Effort *effort)
{
	const Plan *plan = &loop->join.plan;

	if (loop->nestParams != NIL)
		effort->has_lookups = true;
	if (!returns_one_row(outerPlan(plan)))
		effort->rescan = Max(effort->rescan, innerPlan(plan)->total_cost);
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
	if (IsA(plan, NestLoop))
		note_loop((NestLoop *) plan, effort);
	return innerPlan(plan) != NULL || bf_join_is_within_join(plan) ? tables : 1;
}

static Effort
effort_of(PlannedStmt *stmt)
{
	Effort		result = {0};
	ListCell   *lc;

	(void) measure_effort(stmt->planTree, &result);
	foreach(lc, stmt->subplans)
		(void) measure_effort(lfirst(lc), &result);
	return result;
}

/*
 * The cost of a query from which on planning it again takes little time beside
 * running it; infinite if its plan has no lookups.
 */
static Cost
least_cost(const Effort *effort)
{
	if (!effort->has_lookups)
		return get_float8_infinity();
	return AGAIN_FRACTION * bf_join_rows_cost(bf_join_filter_min_rows) *
		(pow(2, effort->most_joined) + effort->scans);
}

/* ---------- the choice ---------- */

/*
 * May the plan without lookups be far worse than the planner's?  Where the
 * planner expects one row, it may read a table again for each row: this is not
 * better than a lookup, and far worse if there are more rows.
 */
static bool
may_be_far_worse(PlannedStmt *other, PlannedStmt *stmt, const Effort *effort)
{
	return effort_of(other).rescan > Max(effort->rescan, SMALL_RESCAN) ||
		bf_join_has_more_disabled(other, stmt);
}

/* Is a plan cheap enough to take the place of one that costs this? */
static bool
is_cheaper(PlannedStmt *other, int cursor_options, Cost cost)
{
	bool		skips;
	Cost		of_other = bf_join_expected_cost(other, cursor_options, &skips);

	return of_other * (skips ? SKIPPING_MARGIN : READING_MARGIN) < cost;
}

PlannedStmt *
bf_lookups_plan(BF_PLANNER_PARAMETERS, planner_hook_type planner)
{
	Planning	without = {.again = true};
	Query	   *copy;
	PlannedStmt *stmt;
	PlannedStmt *other;
	Effort		effort;
	Cost		least;
	Cost		cost;

	if (!bf_join_replan || bf_join_filters == BF_JOIN_FILTERS_FORCE || planning.again ||
		!any_is_large((Node *) parse, NULL))
		return bf_lookups_plan_as_is(BF_PLANNER_ARGUMENTS, planner);
	without.without = copy = copyObject(parse);
	stmt = bf_lookups_plan_as_is(BF_PLANNER_ARGUMENTS, planner);
	effort = effort_of(stmt);
	least = least_cost(&effort);
	if (bf_join_plan_cost(stmt, cursor_options) < least)
		return stmt;
	cost = bf_join_expected_cost(stmt, cursor_options, NULL);
	if (cost < least || calls_may_differ(copy))
		return stmt;
	parse = copy;
	other = plan_as(without, BF_PLANNER_ARGUMENTS, planner);
	if (may_be_far_worse(other, stmt, &effort) || !is_cheaper(other, cursor_options, cost))
		return stmt;
	return other;
}

void
bf_lookups_init(void)
{
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = remove_lookups;
}
