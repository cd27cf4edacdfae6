/*-------------------------------------------------------------------------
 *
 * functions.c
 *		The SQL functions of counting filters that exist for bloomfilters, too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "counting/sum.h"
#include "type/sql/functions.h"

BF_SQL_FUNCTION(counting_bloomfilter_create);
BF_SQL_FUNCTION(counting_bloomfilter_create_like);
BF_SQL_FUNCTION(counting_bloomfilter_compatible);
BF_SQL_FUNCTION(counting_bloomfilter_add);
BF_SQL_FUNCTION(counting_bloomfilter_add_all);
BF_SQL_FUNCTION(counting_bloomfilter_contains);
BF_SQL_FUNCTION(counting_bloomfilter_contained_by);
BF_SQL_FUNCTION(counting_bloomfilter_contains_any);
BF_SQL_FUNCTION(counting_bloomfilter_contains_all);
BF_SQL_FUNCTION(counting_bloomfilter_count);
BF_SQL_FUNCTION(counting_bloomfilter_eq);
BF_SQL_FUNCTION(counting_bloomfilter_ne);
BF_SQL_FUNCTION(counting_bloomfilter_hash);
BF_SQL_FUNCTION(counting_bloomfilter_hash_extended);
BF_SQL_FUNCTION(counting_bloomfilter_cardinality);
BF_SQL_FUNCTION(counting_bloomfilter_false_positive_rate);
BF_SQL_FUNCTION(counting_bloomfilter_agg_transfn);
BF_SQL_FUNCTION(counting_bloomfilter_agg_combinefn);
BF_SQL_FUNCTION(counting_bloomfilter_sum_transfn);

/* ---------- building ---------- */

Datum
counting_bloomfilter_create(PG_FUNCTION_ARGS)
{
	return bf_sql_create(BF_COUNTING, fcinfo);
}

Datum
counting_bloomfilter_create_like(PG_FUNCTION_ARGS)
{
	return bf_sql_create_like(BF_COUNTING, fcinfo);
}

Datum
counting_bloomfilter_compatible(PG_FUNCTION_ARGS)
{
	return bf_sql_compatible(BF_COUNTING, fcinfo);
}

Datum
counting_bloomfilter_add(PG_FUNCTION_ARGS)
{
	return bf_sql_add(BF_COUNTING, fcinfo);
}

Datum
counting_bloomfilter_add_all(PG_FUNCTION_ARGS)
{
	return bf_sql_add_all(BF_COUNTING, fcinfo);
}

/* ---------- testing ---------- */

Datum
counting_bloomfilter_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(bf_sql_count(fcinfo, 0, 1) > 0);
}

Datum
counting_bloomfilter_contained_by(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(bf_sql_count(fcinfo, 1, 0) > 0);
}

Datum
counting_bloomfilter_contains_any(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(bf_sql_some_element_is(fcinfo, true));
}

Datum
counting_bloomfilter_contains_all(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!bf_sql_some_element_is(fcinfo, false));
}

Datum
counting_bloomfilter_count(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(bf_sql_count(fcinfo, 0, 1));
}

/* ---------- comparing ---------- */

Datum
counting_bloomfilter_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(bf_sql_equal(BF_COUNTING, fcinfo));
}

Datum
counting_bloomfilter_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!bf_sql_equal(BF_COUNTING, fcinfo));
}

Datum
counting_bloomfilter_hash(PG_FUNCTION_ARGS)
{
	/* hash opclasses require the lower half of the extended hash with seed 0 */
	PG_RETURN_UINT32((uint32) bf_filter_hash(BF_COUNTING, PG_GETARG_DATUM(0), 0));
}

Datum
counting_bloomfilter_hash_extended(PG_FUNCTION_ARGS)
{
	PG_RETURN_UINT64(bf_filter_hash(BF_COUNTING, PG_GETARG_DATUM(0),
									(uint64_t) PG_GETARG_INT64(1)));
}

/* ---------- inspection ---------- */

Datum
counting_bloomfilter_cardinality(PG_FUNCTION_ARGS)
{
	return bf_sql_cardinality(BF_COUNTING, fcinfo);
}

Datum
counting_bloomfilter_false_positive_rate(PG_FUNCTION_ARGS)
{
	return bf_sql_false_positive_rate(BF_COUNTING, fcinfo);
}

/* ---------- aggregates ---------- */

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
