/*-------------------------------------------------------------------------
 *
 * change.c
 *		What a function that changes its first argument, a filter, works on
 *		and returns.
 *
 * An argument is never changed, not even by a read-write pointer, which others
 * may have been given, too.  With one exception: called by an aggregate for
 * its state, a function changes that in place, as array_append does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "type/change.h"
#include "type/state.h"

BfExpanded *
bf_change_begin(FunctionCallInfo fcinfo)
{
	Datum		filter = PG_GETARG_DATUM(0);
	MemoryContext aggregate = bf_calling_aggregate(fcinfo);
	BfExpanded *state;

	/* read-only it is given to final functions */
	if (aggregate == NULL || VARATT_IS_EXTERNAL_EXPANDED_RO(DatumGetPointer(filter)))
		return bf_expanded_derive(filter);
	state = bf_owned_state(filter, aggregate);
	return state != NULL ? state : bf_state_copy(filter, bf_states_context(aggregate));
}

Datum
bf_change_nothing(FunctionCallInfo fcinfo, int argno)
{
	Datum		filter = PG_GETARG_DATUM(argno);

	/* an aggregate copies what is not its own */
	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)) ||
		bf_calling_aggregate(fcinfo) != NULL)
		return filter;
	/* to copy a state is not worth it */
	if (bf_is_state(bf_expanded_get(filter)))
		return EOHPGetRODatum(&bf_expanded_get(filter)->hdr);
	return EOHPGetRWDatum(&bf_expanded_derive(filter)->hdr);
}
