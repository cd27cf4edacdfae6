/*-------------------------------------------------------------------------
 *
 * references.c
 *		Tells how many references from node to node lie between the conditions of
 *		a plan's hash joins and what their columns are computed from: the most.
 *
 * pg_qualstats follows them in this way.  At each reference to what is not a
 * column of a table, its description of that grows by a factor of three to four.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/executor.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"

#include "compat.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

typedef struct Search
{
	Plan	   *plan;
	int			most;
} Search;

static ExecutorStart_hook_type previous_hook = NULL;

static List *
list_of(Plan **plan, int varno)
{
	if (varno == INDEX_VAR)
		return IsA(*plan, CustomScan) ? ((CustomScan *) *plan)->custom_scan_tlist : NIL;
	*plan = varno == OUTER_VAR ? outerPlan(*plan) : innerPlan(*plan);
	return *plan == NULL ? NIL : (*plan)->targetlist;
}

/* 0 if the column is one of a table. */
static int
references(Plan *plan, Var *var)
{
	int			result = 0;
	Node	   *node = (Node *) var;

	while (node != NULL && IsA(node, Var) && IS_SPECIAL_VARNO(((Var *) node)->varno))
	{
		int			column = ((Var *) node)->varattno;
		TargetEntry *entry = get_tle_by_resno(list_of(&plan, ((Var *) node)->varno), column);

		node = entry == NULL ? NULL : (Node *) entry->expr;
		result++;
	}
	return node == NULL || IsA(node, Var) ? 0 : result;
}

static bool
search_expression(Node *node, Search *search)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		search->most = Max(search->most, references(search->plan, (Var *) node));
	return expression_tree_walker(node, BF_WALKER(search_expression), search);
}

static int
search_plan(Plan *plan)
{
	Search		search = {.plan = plan};

	if (plan == NULL)
		return 0;
	if (IsA(plan, HashJoin))
		(void) search_expression((Node *) ((HashJoin *) plan)->hashclauses, &search);
	return Max(search.most, Max(search_plan(outerPlan(plan)), search_plan(innerPlan(plan))));
}

static void
count_references(QueryDesc *desc, int flags)
{
	int			most = search_plan(desc->plannedstmt->planTree);

	if (most > 0)
		ereport(NOTICE, (errmsg("%d references", most)));
	if (previous_hook != NULL)
		previous_hook(desc, flags);
	else
		standard_ExecutorStart(desc, flags);
}

void
_PG_init(void)
{
	previous_hook = ExecutorStart_hook;
	ExecutorStart_hook = count_references;
}
