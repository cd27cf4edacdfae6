/*-------------------------------------------------------------------------
 *
 * short_calls.c
 *		Calls functions as extensions do that call them for each row anew:
 *		through an FmgrInfo whose memory is gone after the call.
 *
 * So partial aggregation is driven from outside, by Citus for one: within a
 * call of an aggregate's transition function that of another aggregate is
 * called, for a state in the outer one's memory, and it is not said what
 * expression the call stands in.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(short_call);
PG_FUNCTION_INFO_V1(driven_transition);
PG_FUNCTION_INFO_V1(driven_typed_transition);
PG_FUNCTION_INFO_V1(driven_final);
PG_FUNCTION_INFO_V1(driven_contexts);
PG_FUNCTION_INFO_V1(driven_bytes);

/* The state of an aggregate that drives another one. */
typedef struct DrivenState
{
	Datum		value;
	bool		isnull;
} DrivenState;

/* What the aggregate's context held when the last state was finished. */
static int64 last_contexts;
static int64 last_bytes;

static MemoryContext
create_call_context(void)
{
	return AllocSetContextCreate(CurrentMemoryContext, "short call", ALLOCSET_SMALL_SIZES);
}

/* The memory of a context that was deleted is likely to be used for another. */
static void
delete_and_overwrite(MemoryContext context)
{
	const Size	len = 512;
	MemoryContext next;

	MemoryContextDelete(context);
	next = create_call_context();
	memset(MemoryContextAlloc(next, len), 0x5A, len);
	MemoryContextDelete(next);
}

/* The function's call as an expression, with arguments of the given types. */
static Node *
make_call(Oid function, Oid collation, Oid *types, int nargs)
{
	List	   *args = NIL;
	int			i;

	for (i = 0; i < nargs; i++)
		args = lappend(args, makeNullConst(types[i], -1, InvalidOid));
	return (Node *) makeFuncExpr(function, get_func_rettype(function), args,
								 InvalidOid, collation, COERCE_EXPLICIT_CALL);
}

/*
 * Call the function with these arguments.  What it keeps in its fn_mcxt does
 * not outlive the call; its result is in the current context.
 */
static Datum
call(FunctionCallInfo outer, Oid function, NullableDatum *args, Oid *types, int nargs,
	 bool *isnull)
{
	LOCAL_FCINFO(fcinfo, FUNC_MAX_ARGS);
	MemoryContext context = create_call_context();
	FmgrInfo   *flinfo = MemoryContextAlloc(context, sizeof(FmgrInfo));
	Datum		result;
	int			i;

	fmgr_info_cxt(function, flinfo, context);
	if (types != NULL)
		fmgr_info_set_expr(make_call(function, PG_GET_COLLATION(), types, nargs), flinfo);
	InitFunctionCallInfoData(*fcinfo, flinfo, nargs, outer->fncollation, outer->context, NULL);
	*isnull = false;
	for (i = 0; i < nargs; i++)
	{
		fcinfo->args[i] = args[i];
		*isnull |= flinfo->fn_strict && args[i].isnull;
	}
	result = *isnull ? (Datum) 0 : FunctionCallInvoke(fcinfo);
	*isnull |= fcinfo->isnull;
	delete_and_overwrite(context);
	return result;
}

/* short_call(function, VARIADIC arguments) */
Datum
short_call(PG_FUNCTION_ARGS)
{
	Oid			types[FUNC_MAX_ARGS];
	bool		isnull;
	Datum		result;
	int			i;

	for (i = 1; i < PG_NARGS(); i++)
		types[i - 1] = get_fn_expr_argtype(fcinfo->flinfo, i);
	result = call(fcinfo, PG_GETARG_OID(0), fcinfo->args + 1, types, PG_NARGS() - 1, &isnull);
	if (isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(result);
}

/* Keep a transition function's result, by the executor's rules. */
static void
keep_result(DrivenState *state, Datum value, bool isnull, MemoryContext aggregate)
{
	MemoryContext old;

	if (!isnull && !state->isnull && value == state->value)
		return;
	old = MemoryContextSwitchTo(aggregate);
	if (!isnull && !(VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(value)) &&
					 MemoryContextGetParent(DatumGetEOHP(value)->eoh_context) == aggregate))
		value = datumCopy(value, false, -1);
	if (!state->isnull && VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(state->value)))
		DeleteExpandedObject(state->value);
	else if (!state->isnull)
		pfree(DatumGetPointer(state->value));
	MemoryContextSwitchTo(old);
	state->value = value;
	state->isnull = isnull;
}

/* driven_transition(state, function, VARIADIC arguments) */
static Datum
drive(FunctionCallInfo fcinfo, bool typed)
{
	NullableDatum args[FUNC_MAX_ARGS];
	Oid			types[FUNC_MAX_ARGS];
	MemoryContext aggregate;
	DrivenState *state;
	Datum		value;
	bool		isnull;
	int			i;

	if (!AggCheckCallContext(fcinfo, &aggregate))
		elog(ERROR, "called outside of an aggregate");
	if (!PG_ARGISNULL(0))
		state = (DrivenState *) PG_GETARG_POINTER(0);
	else
	{
		state = MemoryContextAllocZero(aggregate, sizeof(DrivenState));
		state->isnull = true;
	}

	args[0].value = state->value;
	args[0].isnull = state->isnull;
	types[0] = get_func_rettype(PG_GETARG_OID(1));
	for (i = 2; i < PG_NARGS(); i++)
	{
		args[i - 1] = fcinfo->args[i];
		types[i - 1] = get_fn_expr_argtype(fcinfo->flinfo, i);
	}
	value = call(fcinfo, PG_GETARG_OID(1), args, typed ? types : NULL, PG_NARGS() - 1, &isnull);
	keep_result(state, value, isnull, aggregate);
	PG_RETURN_POINTER(state);
}

Datum
driven_transition(PG_FUNCTION_ARGS)
{
	return drive(fcinfo, false);
}

Datum
driven_typed_transition(PG_FUNCTION_ARGS)
{
	return drive(fcinfo, true);
}

/* The inner aggregate's state. */
Datum
driven_final(PG_FUNCTION_ARGS)
{
	DrivenState *state = (DrivenState *) PG_GETARG_POINTER(0);
	MemoryContext aggregate;
	MemoryContext child;

	if (!AggCheckCallContext(fcinfo, &aggregate))
		elog(ERROR, "called outside of an aggregate");
	last_contexts = 0;
	for (child = aggregate->firstchild; child != NULL; child = child->nextchild)
		last_contexts++;
	last_bytes = MemoryContextMemAllocated(aggregate, true);
	if (state == NULL || state->isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(MakeExpandedObjectReadOnly(state->value, false, -1));
}

Datum
driven_contexts(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(last_contexts);
}

Datum
driven_bytes(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(last_bytes);
}
