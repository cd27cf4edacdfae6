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
#include "miscadmin.h"
#include "utils/builtins.h"

#include "compat.h"
#include "index/file/directory.h"
#include "index/file/fill.h"
#include "index/file/options.h"
#include "index/file/table.h"
#include "index/tell/open.h"

BF_SQL_FUNCTION(bloomfilter_index_info);

#define INFO_COLUMNS	12

typedef struct Info
{
	uint32		groups;
	double		ranges;			/* that hold values */
	double		weight;			/* the same, summed over columns */
	double		range_rate;		/* sum over these */
	double		sets;
	double		set_rate;
	double		worst_rate;
} Info;

static void
add_slab(Info *info, const BfFill *fill)
{
	info->weight += fill->ranges;
	info->range_rate += fill->ranges * fill->range_rate;
	info->sets += fill->sets;
	info->set_rate += fill->sets * fill->set_rate;
	info->worst_rate = Max(info->worst_rate, fill->range_rate);
}

/* Read the slab that a column of a group has by now; false: it has none. */
static bool
read_slab(BfFill *fill, Relation index, uint32 group, uint32 column)
{
	const BfDirectory *directory = bf_directory(index, false);

	while (bf_slab_exists(bf_directory_slab(directory, group, column)))
	{
		if (bf_slab_fill(fill, index, bf_directory_slab(directory, group, column),
						 directory->generation, false))
			return true;
		directory = bf_directory(index, true);
	}
	return false;
}

/* Reads the whole index. */
static Info
read_index(Relation index)
{
	Info		info = {.groups = bf_directory(index, true)->groups};
	uint32		group;
	int			column;

	for (group = 0; group < info.groups; group++)
	{
		double		ranges = 0;

		for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
		{
			BfFill		fill;

			if (!read_slab(&fill, index, group, (uint32) column))
				continue;
			add_slab(&info, &fill);
			ranges = Max(ranges, fill.ranges);
		}
		info.ranges += ranges;
	}
	return info;
}

/* ---------- the columns ---------- */

static void
set_float(Datum *values, bool *nulls, int column, bool known, double value)
{
	nulls[column] = !known;
	values[column] = Float8GetDatum(known ? value : 0);
}

static void
describe_ranges(Relation index, Datum *values, bool *nulls)
{
	Info		info = read_index(index);

	nulls[0] = nulls[1] = false;
	values[0] = Int64GetDatum((int64) info.groups);
	values[1] = Int64GetDatum((int64) info.ranges);
	values[5] = Float8GetDatum(bf_index_rate(index));
	set_float(values, nulls, 6, info.weight > 0, info.range_rate / info.weight);
	set_float(values, nulls, 7, info.weight > 0, info.set_rate / info.sets);
	set_float(values, nulls, 8, info.weight > 0, info.worst_rate);
	values[9] = CStringGetTextDatum("ranges");
}

static void
describe_table(Relation index, Datum *values, bool *nulls)
{
	BfTableFilter filter = *bf_table_filter(index);
	BfTableFill fill = bf_table_fill(index);

	values[5] = Float8GetDatum(filter.rate);
	set_float(values, nulls, 6, true, fill.rate);
	values[9] = CStringGetTextDatum("table");
	nulls[10] = nulls[11] = false;
	values[10] = Int64GetDatum((int64) filter.capacity);
	values[11] = Int64GetDatum((int64) rint(fill.values));
}

Datum
bloomfilter_index_info(PG_FUNCTION_ARGS)
{
	Relation	heap;
	Relation	index = bf_index_open(PG_GETARG_OID(0), &heap);
	BlockNumber pages = RelationGetNumberOfBlocks(index);
	double		rows = index->rd_rel->reltuples;
	Datum		values[INFO_COLUMNS] = {0};
	bool		nulls[INFO_COLUMNS];
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	memset(nulls, true, sizeof(nulls));
	nulls[2] = nulls[3] = nulls[5] = nulls[9] = false;
	values[2] = Int64GetDatum((int64) pages);
	values[3] = Int64GetDatum((int64) pages * BLCKSZ);
	set_float(values, nulls, 4, rows > 0, (double) pages * BLCKSZ * BITS_PER_BYTE / rows);
	if (bf_is_table_filter(index))
		describe_table(index, values, nulls);
	else
		describe_ranges(index, values, nulls);
	bf_index_close(index, heap);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
