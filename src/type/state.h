/*-------------------------------------------------------------------------
 *
 * state.h
 *		Transition states of aggregates: whose they are, and where they live.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_STATE_H
#define BF_STATE_H

#include "postgres.h"
#include "fmgr.h"
#include "utils/memutils.h"

#include "type/expanded.h"

/*
 * The memory context of the aggregate or window aggregate that calls the
 * function for one of its states, or NULL if none does.  The functions for
 * aggregates only raise 0A000 then.
 */
extern MemoryContext bf_calling_aggregate(FunctionCallInfo fcinfo);
extern MemoryContext bf_require_aggregate(FunctionCallInfo fcinfo);

/*
 * The context in which new states of the aggregate are to be made: one for
 * all its groups, a child of the aggregate's.  Or one of their own, if others
 * would take them over; then the executor copies what is returned.
 */
extern MemoryContext bf_states_context(FunctionCallInfo fcinfo, MemoryContext aggregate);

/*
 * The object, if that is what the aggregate keeps its state in, or NULL.
 * Final functions get their state read-only, so it may be changed in place;
 * and it must be, and be returned: for another one, the executor would delete
 * this one's context, with the states of all groups.
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
