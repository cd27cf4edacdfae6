/*-------------------------------------------------------------------------
 *
 * discard_caches.c
 *		Discards what is cached of the catalogs, as soon as it can be, while
 *		the extension runs: its functions, what it does to plans, and where its
 *		nodes are set up.
 *
 * debug_discard_caches alone does so everywhere.  But to find the operators that
 * a name may stand for takes hundreds of lookups, each of which has to read
 * again what all need: most of the regression tests do not end in hours then.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_proc.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "optimizer/planner.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/syscache.h"

#include "compat.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

/* So many times in a transaction; later ever more rarely. */
#define FIRST_TIMES		4

static uint64 calls = 0;
static uint64 starts = 0;

static bool
is_chosen(uint64 time)
{
	return time <= FIRST_TIMES || (time & (time - 1)) == 0;
}

/* ---------- functions ---------- */

static bool
is_of_extension(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		result = false;
	bool		isnull;
	Datum		datum;

	if (!HeapTupleIsValid(tuple))
		return false;
	datum = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_probin, &isnull);
	if (!isnull)
	{
		char	   *library = TextDatumGetCString(datum);

		result = strcmp(library, "$libdir/bloomfilter") == 0;
		pfree(library);
	}
	ReleaseSysCache(tuple);
	return result;
}

/* A call that looks nothing up would not notice if caches were not empty before. */
static void
around_call(FmgrHookEventType event, FmgrInfo *flinfo, Datum *private)
{
	if (event == FHET_START)
	{
		*private = Int32GetDatum(debug_discard_caches);
		if (is_chosen(++calls))
		{
			debug_discard_caches = 1;
			InvalidateSystemCaches();
		}
	}
	else
		debug_discard_caches = DatumGetInt32(*private);
}

/* ---------- plans ---------- */

/* The extension's hook, once it is there, and whether it is about to call ours. */
static planner_hook_type extension_planner = NULL;
static bool is_below = false;

/*
 * Around the extension's hook and below it: in between, it looks at the plan that
 * the server made.
 */
static
BF_PLANNER_HOOK(plan)
{
	BfPlannerCall call = BF_PLANNER_CALL;
	PlannedStmt *result;
	int			before = debug_discard_caches;

	if (extension_planner == NULL || is_below)
	{
		is_below = false;
		result = BF_CALL_PLANNER(standard_planner, &call);
		debug_discard_caches = extension_planner == NULL ? before : 1;
		return result;
	}
	is_below = true;
	result = BF_CALL_PLANNER(extension_planner, &call);
	debug_discard_caches = before;
	return result;
}

static void
start(QueryDesc *desc, int flags)
{
	int			before = debug_discard_caches;

	if (planner_hook != plan)
	{
		extension_planner = planner_hook;
		planner_hook = plan;
	}
	if (is_chosen(++starts))
		debug_discard_caches = 1;
	standard_ExecutorStart(desc, flags);
	debug_discard_caches = before;
}

static void
at_transaction_end(XactEvent event, void *arg)
{
	debug_discard_caches = 0;
	is_below = false;
	calls = 0;
	starts = 0;
}

/* It is loaded before all others. */
void
_PG_init(void)
{
	needs_fmgr_hook = is_of_extension;
	fmgr_hook = around_call;
	planner_hook = plan;
	ExecutorStart_hook = start;
	RegisterXactCallback(at_transaction_end, NULL);
}
