/*-------------------------------------------------------------------------
 *
 * statement.c
 *		What is known of a whole statement before its joins are examined.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "nodes/parsenodes.h"
#include "optimizer/planmain.h"
#include "utils/syscache.h"

#include "joins/rules/nodes.h"
#include "joins/rules/statement.h"

void
bf_join_walk_statement(PlannedStmt *stmt, void (*visit) (Plan *plan, void *context),
					   void *context)
{
	ListCell   *lc;

	bf_join_walk(stmt->planTree, visit, context);
	foreach(lc, stmt->subplans)
		bf_join_walk(lfirst(lc), visit, context);
}

static void
add_param(Bitmapset **params, int param)
{
	if (param >= 0)
		*params = bms_add_member(*params, param);
}

/*
 * Collects node numbers, and the parameters that nodes use to signal each
 * other.  The parameter by which ModifyTable tells the nodes below it to start
 * again is not used by INSERT, because INSERT changes no rows that others may
 * have changed meanwhile.
 */
static void
visit_node(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;

	statement->last_node_id = Max(statement->last_node_id, plan->plan_node_id);
	if (IsA(plan, Gather))
		add_param(&statement->gather_params, ((Gather *) plan)->rescan_param);
	else if (IsA(plan, GatherMerge))
		add_param(&statement->gather_params, ((GatherMerge *) plan)->rescan_param);
	else if (IsA(plan, LockRows))
		add_param(&statement->lock_params, ((LockRows *) plan)->epqParam);
	else if (IsA(plan, ModifyTable))
		add_param(((ModifyTable *) plan)->operation == CMD_INSERT ?
				  &statement->constant_params : &statement->lock_params,
				  ((ModifyTable *) plan)->epqParam);
}

void
bf_join_add_outputs(Bitmapset **params, SubPlan *subplan)
{
	ListCell   *lc;

	foreach(lc, subplan->setParam)
		*params = bms_add_member(*params, lfirst_int(lc));
}

/*
 * Collects sub-selects that run once: neither they nor the sub-selects that
 * they use are correlated.  Some are found only after the sub-selects that
 * they use were found.
 */
static void
visit_constant_params(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;
	ListCell   *lc;

	foreach(lc, plan->initPlan)
	{
		SubPlan    *subplan = lfirst_node(SubPlan, lc);

		if (subplan->parParam != NIL ||
			!bms_is_subset(bf_join_sub_select(statement, subplan->plan_id)->extParam,
						   statement->constant_params))
			continue;
		bf_join_add_outputs(&statement->constant_params, subplan);
		statement->run_once = bms_add_member(statement->run_once, subplan->plan_id);
	}
}

static bool
has_row_security(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return true;
	result = ((Form_pg_class) GETSTRUCT(tuple))->relrowsecurity;
	ReleaseSysCache(tuple);
	return result;
}

static void
learn_tables(BfJoinStatement *statement)
{
	ListCell   *lc;

	foreach(lc, statement->stmt->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		/* a view may hide rows by a join, a policy in the table's own scan */
		statement->hides_rows |= rte->security_barrier;
		statement->has_policies = statement->has_policies ||
			(rte->rtekind == RTE_RELATION && has_row_security(rte->relid));
	}
}

/*
 * Repeated until nothing changes: a parameter is found to be constant only
 * after those that its sub-select uses.
 */
static void
learn_constant_params(BfJoinStatement *statement)
{
	int			known;

	do
	{
		known = bms_num_members(statement->constant_params);
		bf_join_walk_statement(statement->stmt, visit_constant_params, statement);
	} while (bms_num_members(statement->constant_params) > known);
}

void
bf_join_learn_statement(BfJoinStatement *statement)
{
	learn_tables(statement);
	bf_join_walk_statement(statement->stmt, visit_node, statement);
	learn_constant_params(statement);
}

static bool
is_watched(PlannedStmt *stmt, uint32 hash_value)
{
	ListCell   *lc;

	foreach(lc, stmt->invalItems)
	{
		PlanInvalItem *item = lfirst_node(PlanInvalItem, lc);

		if (item->cacheId == PROCOID && item->hashValue == hash_value)
			return true;
	}
	return false;
}

Cost
bf_join_plan_cost(const PlannedStmt *stmt, int cursor_options)
{
	const Plan *plan = stmt->planTree;
	double		part = cursor_options & CURSOR_OPT_FAST_PLAN ? cursor_tuple_fraction : 1;

	return plan->startup_cost + part * (plan->total_cost - plan->startup_cost);
}

void
bf_join_watch_function(BfJoinStatement *statement, Oid function)
{
	PlannedStmt *stmt = statement->stmt;
	uint32		hash_value = GetSysCacheHashValue1(PROCOID, ObjectIdGetDatum(function));
	PlanInvalItem *item;

	if (function < FirstNormalObjectId || is_watched(stmt, hash_value))
		return;
	item = makeNode(PlanInvalItem);
	item->cacheId = PROCOID;
	item->hashValue = hash_value;
	stmt->invalItems = lappend(stmt->invalItems, item);
}
