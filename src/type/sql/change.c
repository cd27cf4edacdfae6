/*-------------------------------------------------------------------------
 *
 * change.c
 *		Functions that change their first argument, a filter: the object that
 *		they change and return.
 *
 * An argument is never changed, not even if it is a read-write pointer: others
 * may have the same pointer.  The one exception: a function that an aggregate
 * calls for its state changes the state in place, as array_append does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "type/sql/change.h"
#include "type/sql/state.h"

BfExpanded *
bf_change_begin_as(BfFilterType type, FunctionCallInfo fcinfo)
{
	Datum		filter = PG_GETARG_DATUM(0);
	MemoryContext aggregate = bf_calling_aggregate(fcinfo);
	BfExpanded *state;

	/* final functions get their state as a read-only pointer */
	if (aggregate == NULL || VARATT_IS_EXTERNAL_EXPANDED_RO(DatumGetPointer(filter)))
		return bf_expanded_derive_as(type, filter);
	state = bf_owned_state(type, filter, aggregate);
	return state != NULL ? state : bf_state_copy_as(type, filter, bf_states_context(fcinfo, aggregate));
}

Datum
bf_change_nothing_as(BfFilterType type, FunctionCallInfo fcinfo, int argno)
{
	Datum		filter = PG_GETARG_DATUM(argno);

	/* an aggregate copies a result that is not its own */
	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)) ||
		bf_calling_aggregate(fcinfo) != NULL)
		return filter;
	/* return a read-only pointer to a state: a copy would cost more */
	if (bf_is_state(bf_expanded_get_as(type, filter)))
		return EOHPGetRODatum(&bf_expanded_get_as(type, filter)->hdr);
	return EOHPGetRWDatum(&bf_expanded_derive_as(type, filter)->hdr);
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
