/*-------------------------------------------------------------------------
 *
 * refuse.c
 *		Functions that only raise an error, with the way out, where a call
 *		would otherwise match no function.
 *
 * They exist only for counting filters.  An argument without a type is taken
 * for a bloomfilter, the preferred type, so none of them captures a call that
 * another function would answer.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/lsyscache.h"

#include "compat.h"

BF_SQL_FUNCTION(counting_bloomfilter_agg_unsized);
BF_SQL_FUNCTION(counting_bloomfilter_refuse);

/* Transition and final function: the error comes even if there are no rows. */
Datum
counting_bloomfilter_agg_unsized(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_FUNCTION),
			 errmsg("counting_bloom_agg requires expected_items"),
			 errdetail("A counting filter has its size from the start."),
			 errhint("Give the number of distinct values, or an upper bound: counting_bloom_agg(value, 1000).")));
}

Datum
counting_bloomfilter_refuse(PG_FUNCTION_ARGS)
{
	/* the name of a transition function is nothing that a user called */
	const char *name = AggCheckCallContext(fcinfo, NULL) ? "bloom_union_agg" :
		get_func_name(fcinfo->flinfo->fn_oid);

	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_FUNCTION),
			 errmsg("%s does not take counting filters", name),
			 errhint("Add counting filters by bloom_sum or counting_bloom_sum_agg, or cast each of them to bloomfilter.")));
}
