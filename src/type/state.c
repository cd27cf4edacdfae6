/*-------------------------------------------------------------------------
 *
 * state.c
 *		Transition states of aggregates: whose they are, and where they live.
 *
 * The executor takes an expanded object over without a copy if its context is
 * a child of the aggregate's.  It never deletes an object that is returned
 * each time anew, only resets the aggregate's context.  So the states of all
 * groups can share one child context.
 *
 * That has to be found again for each new group, and not among the children
 * of the aggregate's context, which may be as many as there are groups: other
 * aggregates make one for each.  Nor is there a place at the call site: its
 * memory may live for one row only.  Hence a table for the whole backend, in
 * memory that outlives all contexts, from which a context is removed when it
 * is deleted.
 *
 * A moving window aggregate gives its state, read-write, to two functions, of
 * which one may be somebody else's.  From 18 on one in PL/pgSQL takes what it
 * gets for its own, and frees it with all that shares its context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_language_d.h"
#include "catalog/pg_proc.h"
#include "nodes/execnodes.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "compat.h"
#include "type/state.h"

typedef struct StatesContext
{
	MemoryContext aggregate;	/* the key */
	MemoryContext states;
	MemoryContextCallback forget;
} StatesContext;

static HTAB *contexts;

MemoryContext
bf_calling_aggregate(FunctionCallInfo fcinfo)
{
	MemoryContext aggregate;

	return AggCheckCallContext(fcinfo, &aggregate) ? aggregate : NULL;
}

MemoryContext
bf_require_aggregate(FunctionCallInfo fcinfo)
{
	MemoryContext aggregate = bf_calling_aggregate(fcinfo);

	if (unlikely(aggregate == NULL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of a bloomfilter aggregate called outside of an aggregate")));
	return aggregate;
}

static void
create_table(void)
{
	HASHCTL		control = {0};

	control.keysize = sizeof(MemoryContext);
	control.entrysize = sizeof(StatesContext);
	control.hcxt = TopMemoryContext;
	contexts = hash_create("bloomfilter aggregates", 16, &control,
						   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* Reset callback of a context for states. */
static void
forget_states(void *arg)
{
	MemoryContext aggregate = ((StatesContext *) arg)->aggregate;

	hash_search(contexts, &aggregate, HASH_REMOVE, NULL);
}

static bool
is_in_c(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Oid			language = InvalidOid;

	if (HeapTupleIsValid(tuple))
	{
		language = ((Form_pg_proc) GETSTRUCT(tuple))->prolang;
		ReleaseSysCache(tuple);
	}
	return language == ClanguageId;
}

/* Does the aggregate give states of the function to one not in C, too? */
static bool
shares_states(Oid aggregate, Oid function)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	bool		result = false;

	if (HeapTupleIsValid(tuple))
	{
		Form_pg_aggregate form = (Form_pg_aggregate) GETSTRUCT(tuple);

		if (form->aggmtransfn == function)
			result = OidIsValid(form->aggminvtransfn) && !is_in_c(form->aggminvtransfn);
		else if (form->aggminvtransfn == function)
			result = !is_in_c(form->aggmtransfn);
		ReleaseSysCache(tuple);
	}
	return result;
}

/*
 * Which of a window's aggregates calls, it does not tell: so if any of them
 * would.
 */
static bool
states_may_be_taken(FunctionCallInfo fcinfo)
{
	ListCell   *lc;

	if (!BF_PLPGSQL_TAKES_OVER || !IsA(fcinfo->context, WindowAggState))
		return false;
	foreach(lc, ((WindowAggState *) fcinfo->context)->funcs)
		if (shares_states(((WindowFuncExprState *) lfirst(lc))->wfunc->winfnoid,
						  fcinfo->flinfo->fn_oid))
			return true;
	return false;
}

MemoryContext
bf_states_context(FunctionCallInfo fcinfo, MemoryContext aggregate)
{
	StatesContext *context;
	MemoryContext states;

	if (states_may_be_taken(fcinfo))
		return AllocSetContextCreate(CurrentMemoryContext, "bloomfilter state",
									 ALLOCSET_SMALL_SIZES);
	if (contexts == NULL)
		create_table();
	context = hash_search(contexts, &aggregate, HASH_FIND, NULL);
	if (context == NULL)
	{
		states = AllocSetContextCreate(aggregate, "bloomfilter states", ALLOCSET_DEFAULT_SIZES);
		context = hash_search(contexts, &aggregate, HASH_ENTER, NULL);
		context->states = states;
		context->forget.func = forget_states;
		context->forget.arg = context;
		MemoryContextRegisterResetCallback(states, &context->forget);
	}
	Assert(MemoryContextGetParent(context->states) == aggregate);
	return context->states;
}
