/*-------------------------------------------------------------------------
 *
 * hints.c
 *		A planner hook that changes a setting while a query is planned, as
 *		pg_hint_plan does, runs a statement before, as that does to read its
 *		table, and counts plannings, as pg_stat_statements does.
 *
 * For t/024_other_planners.pl.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "executor/spi.h"
#include "fmgr.h"
#include "optimizer/planner.h"
#include "utils/guc.h"

#include "compat.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);
BF_SQL_FUNCTION(hints_outermost);

static planner_hook_type previous_planner_hook = NULL;

/* The value that bloomfilter.join_filters has while a query is planned; empty: its own. */
static char *hint = NULL;

/* What is run before a query is planned; empty: nothing. */
static char *statement = NULL;

/* Is a copy of the query planned? */
static bool copies = false;

/* How many plannings had an identifier of the query, and how many had none. */
static int	identified = 0;
static int	unidentified = 0;

static void
run_statement(void)
{
	static bool running = false;

	if (statement[0] == '\0' || running)
		return;
	running = true;
	if (SPI_connect() != SPI_OK_CONNECT || SPI_execute(statement, true, 0) != SPI_OK_SELECT)
		elog(ERROR, "the statement of the hint fails");
	SPI_finish();
	running = false;
}

static
BF_PLANNER_HOOK(plan_with_hint)
{
	BfPlannerCall call = BF_PLANNER_CALL;
	planner_hook_type planner = previous_planner_hook ? previous_planner_hook : standard_planner;
	int			nesting = NewGUCNestLevel();
	PlannedStmt *result;

	run_statement();
	if (query->queryId != 0)
		identified++;
	else
		unidentified++;
	if (hint[0] != '\0')
		(void) set_config_option("bloomfilter.join_filters", hint, PGC_USERSET, PGC_S_SESSION,
								 GUC_ACTION_SAVE, true, 0, false);
	if (copies)
		call.query = copyObject(query);
	result = BF_CALL_PLANNER(planner, &call);
	AtEOXact_GUC(true, nesting);
	return result;
}

/* Has nobody hooked into the planner after this module? */
Datum
hints_outermost(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_BOOL(planner_hook == plan_with_hint);
}

void
_PG_init(void)
{
	DefineCustomStringVariable("hints.join_filters", "Sets join_filters while a query is planned.", NULL,
							   &hint, "", PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomStringVariable("hints.statement", "Runs before a query is planned.", NULL,
							   &statement, "", PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("hints.copies", "Plans a copy of the query.", NULL,
							 &copies, false, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("hints.identified", "Counts plannings with an identifier.", NULL,
							&identified, 0, 0, INT_MAX, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("hints.unidentified", "Counts plannings without an identifier.", NULL,
							&unidentified, 0, 0, INT_MAX, PGC_USERSET, 0, NULL, NULL, NULL);
	previous_planner_hook = planner_hook;
	planner_hook = plan_with_hint;
}
