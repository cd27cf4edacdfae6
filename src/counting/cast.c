/*-------------------------------------------------------------------------
 *
 * cast.c
 *		The casts between counting_bloomfilter and bloomfilter.
 *
 * There is no way from a bloomfilter to a counting filter.  The implicit cast
 * only raises an error with the way out: without it, a call such as
 * bloom_remove(bloomfilter, value) matches no function, of which the server
 * says no more than that.  Its support function raises the error when the
 * statement is planned: coalesce(counting, bloomfilter) must not fail only on
 * the day of the first null.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/supportnodes.h"

#include "compat.h"
#include "counting/counters.h"
#include "type/memory/flat.h"
#include "type/stored/view.h"

BF_SQL_FUNCTION(counting_bloomfilter_to_bloomfilter);
BF_SQL_FUNCTION(counting_bloomfilter_from_bloomfilter);
BF_SQL_FUNCTION(counting_bloomfilter_from_bloomfilter_support);

Datum
counting_bloomfilter_to_bloomfilter(PG_FUNCTION_ARGS)
{
	BfView		view;
	BfHeader	header;
	struct varlena *result;
	uint8_t    *data;

	bf_view_open(BF_COUNTING, &view, PG_GETARG_DATUM(0));
	header = view.header;
	header.type = BF_PLAIN;
	result = bf_flat_create(&header, &data);
	if (header.representation == BF_DENSE)
		bf_counters_to_bits(view.data, data, header.blocks);
	else
		memcpy(data, view.data, bf_data_length(&header));
	bf_view_close(&view);
	PG_RETURN_POINTER(result);
}

BF_NORETURN static void
refuse_bloomfilter(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_CANNOT_COERCE),
			 errmsg("a bloomfilter cannot be turned into a counting filter"),
			 errdetail("It does not record how often its bits were set, so that no value can be removed or counted."),
			 errhint("Build a counting filter by counting_bloom_agg(value, expected_items) or counting_bloom_create(expected_items). To combine it with a bloomfilter, cast it: counting::bloomfilter.")));
}

Datum
counting_bloomfilter_from_bloomfilter(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	refuse_bloomfilter();
}

Datum
counting_bloomfilter_from_bloomfilter_support(PG_FUNCTION_ARGS)
{
	if (IsA(PG_GETARG_POINTER(0), SupportRequestSimplify))
		refuse_bloomfilter();
	PG_RETURN_POINTER(NULL);
}
