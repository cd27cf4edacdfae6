/*-------------------------------------------------------------------------
 *
 * effort.c
 *		What planning a query takes, beside running it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "parser/parsetree.h"

#include "joins/hooks/effort.h"
#include "joins/remote/rules.h"
#include "joins/rules/nodes.h"
#include "joins/rules/statement.h"

/*
 * Planning a join takes some 0.03 ms times 2 to the number of its tables:
 * measured 0.2 ms for 3 tables, 0.6 for 5, 3 for 7, and 10 to 17 for 8, of
 * TPC-DS.  A partition takes some 0.03 ms, too.  A unit of the cost of index
 * lookups in cached data took 0.75 us: 66 ms for 88,800 of 30,000 lookups.
 */
#define TABLE_EFFORT	40

/*
 * For a foreign table with use_remote_estimate, planning asks the other server:
 * 16 times for a join of five tables with two of them, which took 11 ms.
 */
#define REMOTE_EFFORT	300

/* All further plannings together may take a twentieth of the query's time. */
#define BUDGET_FRACTION	0.05

/*
 * A unit of the cost of a foreign scan takes at least so many times as long as a
 * unit of lookups: a million rows, at a cost of 39,446, took 0.6 to 1.7 s from
 * another database of the same server.
 */
#define FOREIGN_FACTOR	19

typedef struct Effort
{
	PlannedStmt *stmt;
	int			scans;
	int			most_joined;	/* tables that are joined to one another */
	int			asked;			/* foreign tables whose servers are asked */
} Effort;

static void
note_foreign(const ForeignScan *scan, Effort *effort)
{
	int			relation = -1;

	while ((relation = bms_next_member(scan->fs_relids, relation)) >= 0)
	{
		const RangeTblEntry *rte = rt_fetch((Index) relation, effort->stmt->rtable);

		if (rte->rtekind == RTE_RELATION && bf_remote_asks_for_estimates(rte->relid))
			effort->asked++;
	}
}

/* Returns the number of tables of which the planner joined a node's rows. */
static int
measure(Plan *plan, Effort *effort)
{
	int			tables;
	ListCell   *lc;

	if (plan == NULL)
		return 0;
	check_stack_depth();
	tables = measure(outerPlan(plan), effort) + measure(innerPlan(plan), effort);
	effort->most_joined = Max(effort->most_joined, tables);
	foreach(lc, bf_join_other_children(plan))
		(void) measure(lfirst(lc), effort);
	if (tables == 0)
		effort->scans++;
	if (IsA(plan, ForeignScan))
		note_foreign((ForeignScan *) plan, effort);
	return innerPlan(plan) != NULL || bf_join_is_within_join(plan) ? tables : 1;
}

Cost
bf_join_planning_effort(PlannedStmt *stmt)
{
	Effort		effort = {.stmt = stmt};
	ListCell   *lc;

	(void) measure(stmt->planTree, &effort);
	foreach(lc, stmt->subplans)
		(void) measure(lfirst(lc), &effort);
	return TABLE_EFFORT * (pow(2, effort.most_joined) + effort.scans) +
		REMOTE_EFFORT * (double) effort.asked;
}

static void
visit_foreign(Plan *plan, void *cost)
{
	if (IsA(plan, ForeignScan))
		*(Cost *) cost += plan->total_cost;
}

Cost
bf_join_planning_budget(PlannedStmt *stmt, Cost cost)
{
	Cost		foreign = 0;

	bf_join_walk_statement(stmt, visit_foreign, &foreign);
	/* perhaps only some of the rows are fetched */
	foreign = Min(foreign, cost);
	return BUDGET_FRACTION * (cost + (FOREIGN_FACTOR - 1) * foreign);
}
