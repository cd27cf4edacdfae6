/*-------------------------------------------------------------------------
 *
 * remove.c
 *		Removing values.
 *
 * A value that the filter says is absent is not removed: one of its counters,
 * which stand for other values, would have to go below zero.  A value that was
 * never added, but is a false positive, cannot be told from one that was.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "counting/changes.h"
#include "type/callsite.h"
#include "type/change.h"
#include "type/compatible.h"

BF_SQL_FUNCTION(counting_bloomfilter_remove);
BF_SQL_FUNCTION(counting_bloomfilter_remove_all);

static void
remove_value(BfExpanded *filter, const BfElement *element, Datum value)
{
	uint64_t	hash;

	bf_require_accepts(&filter->header, element);
	hash = bf_hash_value(element, bf_strips_blanks(&filter->header), value,
						 (uint64_t) filter->header.seed);
	if (bf_counting_count(filter, hash) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("value to be removed is not in the counting_bloomfilter"),
				 errdetail("It was never added, or was removed as often as it was added."),
				 errhint("Remove only what was added. If the filter is no longer in step with its table, build it anew with counting_bloom_agg.")));
	bf_expanded_change(filter, hash, -1);
}

Datum
counting_bloomfilter_remove(PG_FUNCTION_ARGS)
{
	BfElement  *element;
	BfExpanded *filter;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(bf_change_nothing_as(BF_COUNTING, fcinfo, 0));

	element = bf_call_site_of_value(fcinfo, 1, sizeof(BfElement));
	filter = bf_change_begin_as(BF_COUNTING, fcinfo);
	remove_value(filter, element, PG_GETARG_DATUM(1));
	PG_RETURN_DATUM(EOHPGetRWDatum(&filter->hdr));
}

Datum
counting_bloomfilter_remove_all(PG_FUNCTION_ARGS)
{
	ArrayType  *array;
	BfElement  *element;
	BfArray		elements;
	BfExpanded *filter;
	int			i;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(bf_change_nothing_as(BF_COUNTING, fcinfo, 0));

	array = PG_GETARG_ARRAYTYPE_P(1);
	element = bf_call_site_of_array(fcinfo, array, sizeof(BfElement));
	bf_array_open(&elements, array);
	filter = bf_change_begin_as(BF_COUNTING, fcinfo);
	for (i = 0; i < elements.n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!elements.nulls[i])
			remove_value(filter, element, elements.values[i]);
	}
	PG_RETURN_DATUM(EOHPGetRWDatum(&filter->hdr));
}
