/*-------------------------------------------------------------------------
 *
 * hooks.c
 *		Join filters in the server's planner.
 *
 * The query is planned as always, by the planner of whoever had hooked into it
 * before, with all that other hooks do.  If filters can be added that are
 * expected to pay, the plan gets their nodes.  Before that, a query with foreign
 * tables may be planned again with conditions for their servers, and the plan
 * that is cheapest with its filters is kept.
 *
 * Further plannings of a query go through the other hooks, too: what these do
 * for the query, such as replacing tables, must not be lost.  They get the
 * query without its identifier, so that pg_stat_statements and others do not
 * count it again.
 *
 * While there are trials (evidence/trial.h), a part of the queries that would get
 * filters run by the plan that was made first.
 *
 * The hooks are installed when the setting is not off for the first time: who
 * does not use join filters has none.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"

#include "compat.h"
#include "evidence/trial.h"
#include "joins/hooks/effort.h"
#include "joins/hooks/hooks.h"
#include "joins/hooks/plan.h"
#include "joins/remote/find.h"
#include "joins/remote/remote.h"
#include "joins/spec.h"
#include "settings.h"

static bool installed = false;
static planner_hook_type previous_planner = NULL;
static set_rel_pathlist_hook_type previous_pathlist = NULL;

/*
 * What is being planned.  Functions that the planner calls may plan other
 * queries meanwhile, for which this is set anew.
 */
typedef struct Current
{
	bool		again;			/* is it planned again, or part of what is? */
	int			filters;		/* bloomfilter.join_filters, as other hooks have set it */
} Current;

static Current current = {0};

/*
 * Who waits for the findings about a query; NULL: nobody.  Hooks around this one
 * may plan other queries first.
 */
static BfJoinFindings *asking = NULL;

/* A query, and how it is planned. */
typedef struct Planning
{
	BfJoinPlanning base;		/* must be first */
	BfPlannerCall call;
	Current		seen;			/* when it was planned last */
	Cost		effort;			/* of planning it once more */
	Cost		budget;			/* for further plannings */
} Planning;

/* ---------- planning ---------- */

/* The planner below this hook. */
static PlannedStmt *
call_planner(const BfPlannerCall *call)
{
	planner_hook_type planner = previous_planner != NULL ? previous_planner : standard_planner;

	return BF_CALL_PLANNER(planner, call);
}

static PlannedStmt *
plan(Planning *planning, Query *query, bool again)
{
	Current		saved = current;
	BfPlannerCall call = planning->call;
	PlannedStmt *result;

	call.query = query;
	current.again |= again;
	current.filters = bf_join_filters;
	PG_TRY();
	{
		result = call_planner(&call);
		planning->seen = current;
	}
	PG_FINALLY();
	{
		current = saved;
	}
	PG_END_TRY();
	return result;
}

static PlannedStmt *
plan_again(BfJoinPlanning *base, Query *query)
{
	Planning   *planning = (Planning *) base;
	PlannedStmt *result;

	if (bf_join_filters != BF_JOIN_FILTERS_FORCE)
	{
		if (planning->budget < planning->effort)
			return NULL;
		planning->budget -= planning->effort;
	}
	query->queryId = 0;
	result = plan(planning, query, true);
	result->queryId = planning->call.query->queryId;
	return result;
}

static PlannedStmt *
plan_aside(BfJoinPlanning *base, Query *query)
{
	query->queryId = 0;
	return plan((Planning *) base, query, true);
}

/* ---------- the hooks ---------- */

static void
see_table(PlannerInfo *root, RelOptInfo *rel, Index number, RangeTblEntry *rte)
{
	if (previous_pathlist != NULL)
		previous_pathlist(root, rel, number, rte);
	current.filters = bf_join_filters;
	if (current.again)
		bf_remote_correct_estimates(root, rel, rte);
}

/* May the query be planned again?  Not while another query is. */
static bool
may_plan_again(bool tell)
{
	return !current.again && (bf_join_filters != BF_JOIN_FILTERS_OFF || tell);
}

/*
 * The arm of a trial in which the query runs, by one of the two plans.  None if it
 * is a statement which a rule adds, with the identifier of the query, or may change
 * rows after the last one is returned, when no time is taken.
 */
static BfArm
choose_arm(const Query *query, const PlannedStmt *without, const BfJoinOutcome *outcome)
{
	if (bf_join_filter_trial == 0 || !query->canSetTag || query->hasModifyingCTE ||
		(outcome->filters == NIL && outcome->stmt == without))
		return BF_ARM_NONE;
	return bf_trial_choose((uint64) query->queryId);
}

static PlannedStmt *
plan_with_filters(Planning *planning, BfJoinFindings *findings)
{
	BfJoinPlanning *base = &planning->base;
	PlannedStmt *stmt = plan(planning, planning->call.query, false);
	BfArm		arm = BF_ARM_NONE;
	BfJoinOutcome outcome;

	if (findings == NULL && planning->seen.filters == BF_JOIN_FILTERS_OFF)
		return stmt;
	outcome = bf_join_assess(stmt, base->cursor_options, base->tell);
	if (base->query != NULL)
	{
		planning->effort = bf_join_planning_effort(stmt);
		planning->budget = bf_join_planning_budget(stmt, outcome.cost);
		bf_remote_choose(base, &outcome, findings == NULL ? NULL : &findings->remote);
	}
	if (findings == NULL)
		arm = choose_arm(planning->call.query, stmt, &outcome);
	if (arm == BF_ARM_WITHOUT || arm == BF_ARM_GUARDED)
	{
		bf_arm_mark(stmt, arm);
		return stmt;
	}
	bf_arm_mark(outcome.stmt, arm);
	bf_join_add_filters(&outcome);
	if (findings != NULL)
		findings->verdicts = outcome.verdicts;
	return outcome.stmt;
}

static
BF_PLANNER_HOOK(plan_query)
{
	BfJoinFindings *findings = asking != NULL && asking->query == query ? asking : NULL;
	Planning	planning = {
		.base = {
			.cursor_options = cursor_options,
			.tell = findings != NULL,
			.plan_again = plan_again,
			.plan_aside = plan_aside
		},
		.call = BF_PLANNER_CALL
	};

	/* the planner changes the query that it is given */
	if (may_plan_again(findings != NULL) && (findings != NULL || bf_remote_may_find(query)))
		planning.base.query = copyObject(query);
	if (findings != NULL)
		asking = NULL;
	return plan_with_filters(&planning, findings);
}

void
bf_join_hooks_install(void)
{
	if (installed)
		return;
	installed = true;
	previous_planner = planner_hook;
	planner_hook = plan_query;
	previous_pathlist = set_rel_pathlist_hook;
	set_rel_pathlist_hook = see_table;
}

PlannedStmt *
bf_join_plan_and_tell(Query *query, const char *text, int cursor_options,
					  BfJoinFindings *findings)
{
	BfJoinFindings *saved = asking;
	PlannedStmt *result;

	bf_join_hooks_install();
	findings->query = query;
	asking = findings;
	PG_TRY();
	{
		result = planner(query, text, cursor_options, BF_NO_PARAMS);
		if (asking != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("another extension planned the query without bloomfilter"),
					 errdetail("Its planner hook was given the query, and bloomfilter's another one or none."),
					 errhint("Load bloomfilter as the last library.")));
	}
	PG_FINALLY();
	{
		asking = saved;
	}
	PG_END_TRY();
	return result;
}

void
bf_join_filters_init(void)
{
	RegisterCustomScanMethods(&bf_join_build_methods);
	RegisterCustomScanMethods(&bf_join_probe_methods);
	RegisterCustomScanMethods(&bf_join_handover_methods);
	RegisterCustomScanMethods(&bf_join_first_methods);
	RegisterCustomScanMethods(&bf_join_wait_methods);
}
