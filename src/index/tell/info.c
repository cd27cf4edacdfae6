/*-------------------------------------------------------------------------
 *
 * info.c
 *		bloom_index_info: what an index is like, and how worn it is.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "compat.h"
#include "index/file/directory.h"
#include "index/file/fill.h"
#include "index/file/options.h"
#include "index/tell/open.h"

BF_SQL_FUNCTION(bloomfilter_index_info);

#define INFO_COLUMNS	9

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

Datum
bloomfilter_index_info(PG_FUNCTION_ARGS)
{
	Relation	heap;
	Relation	index = bf_index_open(PG_GETARG_OID(0), &heap);
	Info		info = read_index(index);
	BlockNumber pages = RelationGetNumberOfBlocks(index);
	double		rows = index->rd_rel->reltuples;
	Datum		values[INFO_COLUMNS];
	bool		nulls[INFO_COLUMNS] = {false};
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	values[0] = Int64GetDatum((int64) info.groups);
	values[1] = Int64GetDatum((int64) info.ranges);
	values[2] = Int64GetDatum((int64) pages);
	values[3] = Int64GetDatum((int64) pages * BLCKSZ);
	nulls[4] = rows <= 0;
	values[4] = Float8GetDatum(nulls[4] ? 0 : (double) pages * BLCKSZ * BITS_PER_BYTE / rows);
	values[5] = Float8GetDatum(bf_index_rate(index));
	nulls[6] = nulls[7] = nulls[8] = info.weight == 0;
	values[6] = Float8GetDatum(nulls[6] ? 0 : info.range_rate / info.weight);
	values[7] = Float8GetDatum(nulls[7] ? 0 : info.set_rate / info.sets);
	values[8] = Float8GetDatum(info.worst_rate);
	bf_index_close(index, heap);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls)));
}
