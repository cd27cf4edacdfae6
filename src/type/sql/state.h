/*-------------------------------------------------------------------------
 *
 * state.h
 *		Transition states of aggregates: who owns them, and in which memory
 *		context they are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_STATE_H
#define BF_STATE_H

#include "postgres.h"
#include "fmgr.h"
#include "utils/memutils.h"

#include "type/memory/expanded.h"

/*
 * The memory context of the aggregate or window aggregate that calls the
 * function for one of its states.  If none does, the first function returns
 * NULL, and the second, for functions of aggregates only, raises 0A000.
 */
extern MemoryContext bf_calling_aggregate(FunctionCallInfo fcinfo);
extern MemoryContext bf_require_aggregate(FunctionCallInfo fcinfo);

/*
 * The context for new states of the aggregate: a child of the aggregate's that
 * is shared by all groups.  If another function could take over the state, a
 * context for this state alone; the executor then copies what is returned.
 */
extern MemoryContext bf_states_context(FunctionCallInfo fcinfo, MemoryContext aggregate);

/*
 * The expanded object in which the aggregate keeps its state, or NULL if the
 * datum is something else.  Final functions get the state as a read-only
 * pointer, so a state behind a read-write pointer may be changed in place.
 * The same object must also be returned: if another were returned, the
 * executor would delete the context of this object, with the states of all
 * groups.
 */
static inline BfExpanded *
bf_owned_state(BfFilterType type, Datum filter, MemoryContext aggregate)
{
	BfExpanded *state;

	if (!VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(filter)))
		return NULL;
	state = bf_expanded_get_as(type, filter);
	if (!bf_is_state(state) || MemoryContextGetParent(state->mcxt) != aggregate)
		return NULL;
	Assert(!bf_is_shared(state));
	return state;
}

#endif							/* BF_STATE_H */
