/*-------------------------------------------------------------------------
 *
 * value.c
 *		The hash and the shard of a value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "type/hashing/callsite.h"
#include "type/hashing/element.h"

BF_SQL_FUNCTION(bloomfilter_hash_value);
BF_SQL_FUNCTION(bloomfilter_shard);

Datum
bloomfilter_hash_value(PG_FUNCTION_ARGS)
{
	BfElement  *element = bf_call_site_of_value(fcinfo, 0, sizeof(BfElement));

	PG_RETURN_INT64((int64) bf_hash_value(element, false, PG_GETARG_DATUM(0),
										  (uint64_t) PG_GETARG_INT64(1)));
}

Datum
bloomfilter_shard(PG_FUNCTION_ARGS)
{
	BfElement  *element = bf_call_site_of_value(fcinfo, 0, sizeof(BfElement));
	int32		shards = PG_GETARG_INT32(1);

	if (shards < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of shards must be at least 1, not %d", shards)));
	PG_RETURN_INT32((int32) bf_block_index(bf_shard_hash(element, PG_GETARG_DATUM(0)),
										   (uint32_t) shards));
}

