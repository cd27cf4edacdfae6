/*-------------------------------------------------------------------------
 *
 * remove.c
 *		Removing values.
 *
 * A value that the filter does not contain is not removed: one of its
 * counters, which count other values, would have to go below zero.  A value
 * that was never added, but is a false positive, cannot be told from a value
 * that was added.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "counting/changes.h"
#include "type/hashing/compatible.h"
#include "type/sql/functions.h"

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
				 errdetail("The value was never added, or it was removed as often as it was added."),
				 errhint("Remove only what was added. If the filter is no longer in step with its table, build it anew with counting_bloom_agg.")));
	bf_expanded_change(filter, hash, -1);
}

Datum
counting_bloomfilter_remove(PG_FUNCTION_ARGS)
{
	return bf_sql_change(BF_COUNTING, fcinfo, remove_value);
}

Datum
counting_bloomfilter_remove_all(PG_FUNCTION_ARGS)
{
	return bf_sql_change_all(BF_COUNTING, fcinfo, remove_value);
}
