/* change.h: declarations of change.c */
#ifndef BF_CHANGE_H
#define BF_CHANGE_H

#include "fmgr.h"
#include "utils/memutils.h"

#include "compat.h"
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
	state = bf_expanded_get(type, filter);
	if (!bf_is_state(state) || MemoryContextGetParent(state->mcxt) != aggregate)
		return NULL;
	Assert(!bf_is_shared(state));
	return state;
}

/*
 * The object to change, which the function returns as a read-write pointer.
 * For the transition function of an aggregate it is the state, otherwise a new
 * object with the same values.
 */
extern BfExpanded *bf_change_begin(BfFilterType type, FunctionCallInfo fcinfo);

/*
 * The result if nothing is changed: the filter in an argument.  An expanded
 * object gets a new head, so that PL/pgSQL can take it over.
 */
extern Datum bf_change_nothing(BfFilterType type, FunctionCallInfo fcinfo, int argno);

/*
 * Raise the error for a change of a null filter.  A null result would lose the
 * values that were to be added or removed.
 */
BF_NORETURN extern void bf_refuse_null_filter(BfFilterType type);

#endif							/* BF_CHANGE_H */
