/*-------------------------------------------------------------------------
 *
 * clock.c
 *		Takes the time of executions, in the server's executor.
 *
 * Only plans that are marked with an arm are timed, and only executions that
 * end well, after the last row was read, are noted.  The time is that in the
 * executor, from the start of the plan to its end, since filters on many
 * partitions cost most of theirs there; not that between calls, when a cursor's
 * client may wait, nor that of triggers, which run when all rows are there.
 *
 * The hooks are installed when a trial is first wanted: who has none has no
 * hooks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/explain.h"
#include "executor/executor.h"
#include "lib/ilist.h"
#include "portability/instr_time.h"
#include "tcop/pquery.h"
#include "tcop/utility.h"
#include "utils/portal.h"

#include "compat.h"
#include "evidence/clock.h"
#include "evidence/trial.h"

/* An execution that is timed.  It lies in the memory of its query. */
typedef struct Execution
{
	dlist_node	link;
	QueryDesc  *query;
	instr_time	time;
	bool		continued;		/* were rows asked for before? */
	bool		complete;		/* was the last row read? */
	bool		spoiled;		/* or some read twice? */
	MemoryContextCallback callback;
} Execution;

static bool installed = false;
static ExecutorStart_hook_type previous_start = NULL;
static ExecutorRun_hook_type previous_run = NULL;
static ExecutorEnd_hook_type previous_end = NULL;
static ProcessUtility_hook_type previous_utility = NULL;

static dlist_head executions = DLIST_STATIC_INIT(executions);

/* The number of calls of ExecutorRun that have not returned. */
static int	depth = 0;

/* The depth at which EXPLAIN runs; -1: it does not. */
static int	explain_depth = -1;

/* ---------- EXPLAIN ---------- */

static const char *
description(BfArm arm)
{
	switch (arm)
	{
		case BF_ARM_WITHOUT:
			return "planned without join filters (trial)";
		case BF_ARM_GUARDED:
			return "planned without join filters (guard)";
		default:
			return NULL;
	}
}

/* Is this EXPLAIN, with ANALYZE or without, of the query itself? */
static bool
is_explained(const QueryDesc *query, int eflags)
{
	return (eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0 ||
		(explain_depth == depth && query->instrument_options != 0);
}

static void
call_utility(PlannedStmt *stmt, const char *text, bool is_kept, ProcessUtilityContext context,
			 ParamListInfo params, QueryEnvironment *environment, DestReceiver *dest,
			 QueryCompletion *completion)
{
	ProcessUtility_hook_type utility = previous_utility != NULL ? previous_utility :
		standard_ProcessUtility;

	utility(stmt, text, is_kept, context, params, environment, dest, completion);
}

static void
run_utility(PlannedStmt *stmt, const char *text, bool is_kept, ProcessUtilityContext context,
			ParamListInfo params, QueryEnvironment *environment, DestReceiver *dest,
			QueryCompletion *completion)
{
	const int	saved = explain_depth;

	explain_depth = IsA(stmt->utilityStmt, ExplainStmt) ? depth : -1;
	PG_TRY();
	{
		call_utility(stmt, text, is_kept, context, params, environment, dest, completion);
	}
	PG_FINALLY();
	{
		explain_depth = saved;
	}
	PG_END_TRY();
}

#if BF_HAVE_EXPLAIN_PER_PLAN
static explain_per_plan_hook_type previous_per_plan = NULL;

static void
explain_plan(PlannedStmt *stmt, IntoClause *into, ExplainState *es, const char *text,
			 ParamListInfo params, QueryEnvironment *environment)
{
	const char *arm = description(bf_arm_of(stmt));

	if (previous_per_plan != NULL)
		previous_per_plan(stmt, into, es, text, params, environment);
	if (arm != NULL)
		ExplainPropertyText("Join Filters", arm, es);
}

static void
hook_into_explain(void)
{
	previous_per_plan = explain_per_plan_hook;
	explain_per_plan_hook = explain_plan;
}

static void
notice_arm(BfArm arm pg_attribute_unused())
{
}
#else
static void
hook_into_explain(void)
{
}

/* Nobody else is asked to add to what EXPLAIN shows. */
static void
notice_arm(BfArm arm)
{
	if (description(arm) != NULL)
		ereport(NOTICE, (errmsg_internal("%s", description(arm))));
}
#endif

/* ---------- executions ---------- */

static Execution *
find(const QueryDesc *query)
{
	dlist_iter	iter;

	dlist_foreach(iter, &executions)
	{
		Execution  *execution = dlist_container(Execution, link, iter.cur);

		if (execution->query == query)
			return execution;
	}
	return NULL;
}

static void
forget(void *execution)
{
	dlist_delete(&((Execution *) execution)->link);
}

static void
add_time(Execution *execution, instr_time start)
{
	instr_time	end;

	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(execution->time, end, start);
}

static void
begin(QueryDesc *query, instr_time start)
{
	MemoryContext context = query->estate->es_query_cxt;
	Execution  *execution = MemoryContextAllocZero(context, sizeof(Execution));

	add_time(execution, start);
	execution->query = query;
	execution->callback.func = forget;
	execution->callback.arg = execution;
	dlist_push_head(&executions, &execution->link);
	MemoryContextRegisterResetCallback(context, &execution->callback);
}

static void
call_start(QueryDesc *query, int eflags)
{
	if (previous_start != NULL)
		previous_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
}

static void
start_query(QueryDesc *query, int eflags)
{
	BfArm		arm = bf_arm_of(query->plannedstmt);
	instr_time	start;

	if (arm == BF_ARM_NONE)
		call_start(query, eflags);
	else if (is_explained(query, eflags))
	{
		call_start(query, eflags);
		notice_arm(arm);
	}
	else
	{
		INSTR_TIME_SET_CURRENT(start);
		call_start(query, eflags);
		begin(query, start);
	}
}

/* Is the plan certain to have been read to its end when it has returned a row? */
static bool
ends_with_a_row(const Plan *plan)
{
	return IsA(plan, Agg) && ((const Agg *) plan)->aggstrategy == AGG_PLAIN;
}

/*
 * Was the last row read by a call that asked for so many, 0 being all?  Who asks
 * for one, as SELECT INTO of PL/pgSQL does, learns only where there is none: such
 * executions alone would tell nothing of the others.
 */
static bool
is_complete(const Execution *execution, uint64 count)
{
	const QueryDesc *query = execution->query;

	if (count == 0 || ends_with_a_row(query->plannedstmt->planTree))
		return true;
	return query->estate->es_processed < count && (count > 1 || execution->continued);
}

/*
 * Did a cursor begin again?  One that can go back does so, too, when its rows are kept
 * beyond its transaction.
 */
static bool
began_again(const Execution *execution)
{
	const PortalData *portal = ActivePortal;

	if (!execution->continued || portal == NULL || portal->queryDesc != execution->query)
		return false;
	/* the portal's place is from before this run */
	return portal->atStart ||
		(portal->holdStore != NULL && (portal->cursorOptions & CURSOR_OPT_SCROLL) != 0);
}

static void
note_run(Execution *execution, ScanDirection direction, uint64 count, instr_time start)
{
	add_time(execution, start);
	/* at the end of a cursor the portal asks for no movement; else it went back */
	if (ScanDirectionIsForward(direction))
	{
		execution->spoiled |= began_again(execution) ||
			(execution->complete && execution->query->estate->es_processed > 0);
		execution->complete |= is_complete(execution, count);
	}
	execution->spoiled |= ScanDirectionIsBackward(direction);
	execution->continued |= !ScanDirectionIsNoMovement(direction);
}

static
BF_EXECUTOR_RUN_HOOK(call_run)
{
	ExecutorRun_hook_type run = previous_run != NULL ? previous_run : standard_ExecutorRun;

	BF_CALL_EXECUTOR_RUN(run);
}

static
BF_EXECUTOR_RUN_HOOK(run_deeper)
{
	depth++;
	PG_TRY();
	{
		BF_CALL_EXECUTOR_RUN(call_run);
	}
	PG_FINALLY();
	{
		depth--;
	}
	PG_END_TRY();
}

static
BF_EXECUTOR_RUN_HOOK(run_query)
{
	Execution  *execution = find(query);
	instr_time	start;

	if (execution == NULL)
	{
		BF_CALL_EXECUTOR_RUN(run_deeper);
		return;
	}
	INSTR_TIME_SET_CURRENT(start);
	BF_CALL_EXECUTOR_RUN(run_deeper);
	note_run(execution, direction, count, start);
}

static void
note(const Execution *execution)
{
	const PlannedStmt *stmt = execution->query->plannedstmt;
	int			location = stmt->stmt_location;
	int			length = stmt->stmt_len;
	const char *text = CleanQuerytext(execution->query->sourceText, &location, &length);

	bf_trial_note(stmt, INSTR_TIME_GET_MILLISEC(execution->time), text, length);
}

static void
call_end(QueryDesc *query)
{
	if (previous_end != NULL)
		previous_end(query);
	else
		standard_ExecutorEnd(query);
}

static void
end_query(QueryDesc *query)
{
	const Execution *found = find(query);
	Execution	execution;
	instr_time	start;

	if (found == NULL || !found->complete || found->spoiled)
	{
		call_end(query);
		return;
	}
	/* what was found goes with the memory of the query */
	execution = *found;
	INSTR_TIME_SET_CURRENT(start);
	call_end(query);
	add_time(&execution, start);
	note(&execution);
}

/* As for pg_stat_statements, queries get identifiers if compute_query_id is auto. */
void
bf_clock_install(void)
{
	EnableQueryId();
	if (installed)
		return;
	installed = true;
	previous_start = ExecutorStart_hook;
	ExecutorStart_hook = start_query;
	previous_run = ExecutorRun_hook;
	ExecutorRun_hook = run_query;
	previous_end = ExecutorEnd_hook;
	ExecutorEnd_hook = end_query;
	previous_utility = ProcessUtility_hook;
	ProcessUtility_hook = run_utility;
	hook_into_explain();
}
