/*-------------------------------------------------------------------------
 *
 * functions.c
 *		bloom_count, and the support functions of the aggregates.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "counting/sum.h"
#include "type/sql/functions.h"

BF_SQL_FUNCTION(counting_bloomfilter_count);
BF_SQL_FUNCTION(counting_bloomfilter_agg_transfn);
BF_SQL_FUNCTION(counting_bloomfilter_agg_combinefn);
BF_SQL_FUNCTION(counting_bloomfilter_sum_transfn);

Datum
counting_bloomfilter_count(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(bf_sql_count(fcinfo));
}

Datum
counting_bloomfilter_agg_transfn(PG_FUNCTION_ARGS)
{
	return bf_sql_accumulate(fcinfo);
}

/* Combine two states of counting_bloom_agg, of parts of a group. */
static void
combine_parts(BfExpanded *state, const BfView *other)
{
	bf_require_same_group(&state->header, &other->header);
	bf_counting_sum(state, other);
}

Datum
counting_bloomfilter_agg_combinefn(PG_FUNCTION_ARGS)
{
	return bf_sql_combine(BF_COUNTING, fcinfo, combine_parts);
}

Datum
counting_bloomfilter_sum_transfn(PG_FUNCTION_ARGS)
{
	return bf_sql_combine(BF_COUNTING, fcinfo, bf_counting_sum);
}
