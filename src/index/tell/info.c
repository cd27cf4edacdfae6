/*-------------------------------------------------------------------------
 *
 * info.c
 *		bloom_index_info: what an index is like, and how worn it is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "compat.h"
#include "index/tell/open.h"
#include "index/tell/summary.h"

BF_SQL_FUNCTION(bloomfilter_index_info);

#define INFO_COLUMNS	16

/* Reads all of it. */
static BfSummary
summarize(Relation heap, Relation index)
{
	BfSummary	summary = {0};
	ListCell   *cell;

	foreach(cell, bf_index_parts(heap, index, false))
	{
		Relation	part_heap;
		Relation	part = bf_index_open_part(lfirst_oid(cell), &part_heap);

		bf_summary_add(&summary, part, false);
		bf_index_close(part, part_heap);
	}
	return summary;
}

static void
describe(const BfSummary *summary, Datum *values, bool *nulls)
{
	bool		of_ranges = summary->of_ranges > 0;
	bool		of_tables = summary->of_tables > 0;
	const char *scope = bf_summary_scope(summary);
	int64		bytes = summary->pages * BLCKSZ;

	bf_put_int(&values[0], &nulls[0], of_ranges, summary->groups);
	bf_put_int(&values[1], &nulls[1], of_ranges, (int64) summary->ranges);
	bf_put_int(&values[2], &nulls[2], true, summary->pages);
	bf_put_int(&values[3], &nulls[3], true, bytes);
	bf_put_float(&values[4], &nulls[4], summary->rows > 0,
				 (double) bytes * BITS_PER_BYTE / summary->rows);
	bf_put_rates(&values[5], &nulls[5], summary);
	bf_put_float(&values[8], &nulls[8], summary->ranges > 0, summary->worst_rate);
	nulls[9] = scope == NULL;
	if (scope != NULL)
		values[9] = CStringGetTextDatum(scope);
	bf_put_int(&values[10], &nulls[10], of_tables, summary->capacity);
	bf_put_int(&values[11], &nulls[11], of_tables, (int64) rint(summary->values));
	values[12] = BoolGetDatum(summary->worn > 0);
	bf_put_int(&values[13], &nulls[13], of_ranges, summary->covers);
	bf_put_int(&values[14], &nulls[14], of_ranges, summary->covered);
	bf_put_float(&values[15], &nulls[15], summary->cover_filters > 0,
				 summary->cover_rate / summary->cover_filters);
}

Datum
bloomfilter_index_info(PG_FUNCTION_ARGS)
{
	Relation	heap;
	Relation	index = bf_index_open(PG_GETARG_OID(0), &heap);
	BfSummary	summary = summarize(heap, index);
	Datum		values[INFO_COLUMNS] = {0};
	bool		nulls[INFO_COLUMNS] = {false};
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	describe(&summary, values, nulls);
	bf_index_close(index, heap);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
