/*-------------------------------------------------------------------------
 *
 * change.c
 *		The object that a function changes and returns: a new one, or the
 *		state of the aggregate that calls it.
 *
 * An argument is never changed, not even if it is a read-write pointer: others
 * may have the same pointer.  The one exception: a function that an aggregate
 * calls for its state changes the state in place, as array_append does.
 *
 * The executor takes over an expanded object without a copy if its context is
 * a child of the aggregate's.  It never deletes an object that is returned
 * again each time; it only resets the aggregate's context.  So the states of
 * all groups can share one child context.
 *
 * For each new group this context has to be found again.  Searching the
 * children of the aggregate's context would take too long: other aggregates
 * make one child for each group.  The call site cannot keep a pointer: its
 * memory may live for one row only.  Hence a table for the whole backend, in
 * memory that outlives all contexts; a context is removed from the table when
 * it is deleted.
 *
 * A moving window aggregate passes its state, as a read-write pointer, to two
 * functions, one of which may be a user's.  A function in PL/pgSQL takes over
 * what it is passed, from 18 on, or what it returns of it, and puts its whole
 * context where that is freed soon.
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
#include "type/sql/change.h"

/* ---------- states of aggregates ---------- */

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

/*
 * Is the function one of the two functions of a moving aggregate, and the
 * other one not in C?
 */
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
 * May another function take over states?  A window node does not tell which of
 * its aggregates calls: true if that holds for any of them.
 */
static bool
states_may_be_taken(FunctionCallInfo fcinfo)
{
	ListCell   *lc;

	if (!IsA(fcinfo->context, WindowAggState))
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

/* ---------- changes ---------- */

BfExpanded *
bf_change_begin(BfFilterType type, FunctionCallInfo fcinfo)
{
	Datum		filter = PG_GETARG_DATUM(0);
	MemoryContext aggregate = bf_calling_aggregate(fcinfo);
	BfExpanded *state;

	/* final functions get their state as a read-only pointer */
	if (aggregate == NULL || VARATT_IS_EXTERNAL_EXPANDED_RO(DatumGetPointer(filter)))
		return bf_expanded_derive(type, filter);
	state = bf_owned_state(type, filter, aggregate);
	return state != NULL ? state : bf_state_copy(type, filter, bf_states_context(fcinfo, aggregate));
}

Datum
bf_change_nothing(BfFilterType type, FunctionCallInfo fcinfo, int argno)
{
	Datum		filter = PG_GETARG_DATUM(argno);

	/* an aggregate copies a result that is not its own */
	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)) ||
		bf_calling_aggregate(fcinfo) != NULL)
		return filter;
	/* return a read-only pointer to a state: a copy would cost more */
	if (bf_is_state(bf_expanded_get(type, filter)))
		return EOHPGetRODatum(&bf_expanded_get(type, filter)->hdr);
	return EOHPGetRWDatum(&bf_expanded_derive(type, filter)->hdr);
}

void
bf_refuse_null_filter(BfFilterType type)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg("cannot change a null filter"),
			 errdetail("The result would be null, and the change would be lost."),
			 type == BF_COUNTING ?
			 errhint("Declare the column NOT NULL, or start with an empty filter: coalesce(filter, counting_bloom_create(expected_items)).") :
			 errhint("Declare the column NOT NULL, or start with an empty filter: coalesce(filter, bloom_create(expected_items)).")));
}
