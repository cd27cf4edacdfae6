/*-------------------------------------------------------------------------
 *
 * report_counts.c
 *		Shows statistics, and forgets all evidence: the functions of the views
 *		bloom_stat_*, and bloom_stat_reset.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "evidence/counts.h"
#include "evidence/entries.h"
#include "evidence/store.h"

BF_SQL_FUNCTION(bloomfilter_stat_tables);
BF_SQL_FUNCTION(bloomfilter_stat_indexes);
BF_SQL_FUNCTION(bloomfilter_stat_reset);

/* The columns after the counts. */
enum
{
	SINCE, EVICTED, SCOPE, LAST_COLUMNS
};

#define MOST_COLUMNS	(1 + BF_MOST_COUNTS + 1 + LAST_COLUMNS)

static void
put_rows(FunctionCallInfo fcinfo, BfEvidence kind, int ncounts)
{
	ReturnSetInfo *result;
	Datum		values[MOST_COLUMNS];
	BfCountsEntry *entries;
	int			count;
	int64		evicted;
	int			i;

	InitMaterializedSRF(fcinfo, 0);
	result = (ReturnSetInfo *) fcinfo->resultinfo;
	entries = bf_store_copy(kind, &count, &evicted);
	for (i = 0; i < count; i++)
	{
		bool		nulls[MOST_COLUMNS] = {false};
		int			column = 0;
		int			j;

		values[column++] = ObjectIdGetDatum(entries[i].entry.key.object);
		for (j = 0; j < ncounts; j++)
			values[column++] = Int64GetDatum(entries[i].counts[j]);
		if (kind == BF_EVIDENCE_INDEXES)
		{
			nulls[column] = entries[i].rebuilt == 0;
			values[column++] = TimestampTzGetDatum(entries[i].rebuilt);
		}
		values[column + SINCE] = TimestampTzGetDatum(entries[i].entry.since);
		values[column + EVICTED] = Int64GetDatum(evicted);
		values[column + SCOPE] = CStringGetTextDatum(bf_store_is_shared() ? "shared" : "session");
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

Datum
bloomfilter_stat_tables(PG_FUNCTION_ARGS)
{
	put_rows(fcinfo, BF_EVIDENCE_TABLES, sizeof(BfTableCounts) / sizeof(int64));
	return (Datum) 0;
}

Datum
bloomfilter_stat_indexes(PG_FUNCTION_ARGS)
{
	put_rows(fcinfo, BF_EVIDENCE_INDEXES, sizeof(BfIndexCounts) / sizeof(int64));
	return (Datum) 0;
}

Datum
bloomfilter_stat_reset(PG_FUNCTION_ARGS)
{
	int			kind;

	bf_store_open();
	for (kind = 0; kind < BF_EVIDENCE_KINDS; kind++)
	{
		bf_table_clear(bf_store_lock(kind, LW_EXCLUSIVE), MyDatabaseId);
		bf_store_unlock();
	}
	PG_RETURN_VOID();
}
