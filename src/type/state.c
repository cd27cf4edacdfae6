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
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/hsearch.h"
#include "utils/memutils.h"

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

MemoryContext
bf_states_context(MemoryContext aggregate)
{
	StatesContext *context;
	MemoryContext states;

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
