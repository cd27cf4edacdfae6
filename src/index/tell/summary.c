/*-------------------------------------------------------------------------
 *
 * summary.c
 *		What indexes are like, and how worn they are: of one, or summed up over
 *		the indexes of partitions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/bufmgr.h"

#include "index/file/directory.h"
#include "index/file/fill.h"
#include "index/file/options.h"
#include "index/file/table.h"
#include "index/tell/summary.h"

/* ---------- reading ---------- */

static void
add_target(BfSummary *summary, double rate)
{
	if (summary->of_ranges + summary->of_tables == 0)
		summary->lowest_target = summary->highest_target = rate;
	summary->lowest_target = Min(summary->lowest_target, rate);
	summary->highest_target = Max(summary->highest_target, rate);
}

static void
add_fill(BfSummary *summary, const BfFill *fill)
{
	summary->filters += fill->ranges;
	summary->filter_rate += fill->ranges * fill->range_rate;
	summary->sets += fill->sets;
	summary->set_rate += fill->sets * fill->set_rate;
	summary->worst_rate = Max(summary->worst_rate, fill->range_rate);
}

/* The slab of a column of a group, or of a row of covers, of which there may be fewer by now. */
static const BfSlab *
slab_of(const BfDirectory *directory, BfRowKind kind, uint32 row, uint32 column)
{
	if (kind == BF_GROUP_ROW)
		return bf_directory_slab(directory, row, column);
	return row < directory->covers ? bf_directory_cover(directory, row, column) : NULL;
}

/* Read the slab that it is by now, and tell which that is; false: there is none. */
static bool
read_slab(BfFill *fill, BfSlab *slab, Relation index, BfRowKind kind, uint32 row, uint32 column,
		  bool sample)
{
	const BfDirectory *directory = bf_directory(index, false);
	const BfSlab *found;

	while ((found = slab_of(directory, kind, row, column)) != NULL && bf_slab_exists(found))
	{
		*slab = *found;
		if (bf_slab_fill(fill, index, slab, directory->generation, sample))
			return true;
		directory = bf_directory(index, true);
	}
	return false;
}

static void
add_group(BfSummary *summary, Relation index, uint32 group, bool sample)
{
	double		ranges = 0;
	bool		is_worn = false;
	int			column;

	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
	{
		BfFill		fill;
		BfSlab		slab;

		if (!read_slab(&fill, &slab, index, BF_GROUP_ROW, group, (uint32) column, sample))
			continue;
		add_fill(summary, &fill);
		ranges = Max(ranges, fill.ranges);
		is_worn |= bf_fill_is_worn(&fill, &slab, bf_index_rate(index));
	}
	summary->groups++;
	summary->worn += is_worn;
	summary->ranges += ranges;
}

static void
add_covers(BfSummary *summary, Relation index, bool sample)
{
	const BfDirectory *directory = bf_directory(index, true);
	uint32		covers = directory->covers;
	uint32		row;
	int			column;

	summary->covers += covers;
	summary->covered += directory->covered;
	for (row = 0; row < covers; row++)
		for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
		{
			BfFill		fill;
			BfSlab		cover;

			if (!read_slab(&fill, &cover, index, BF_COVER_ROW, row, (uint32) column, sample))
				continue;
			summary->cover_filters += fill.ranges;
			summary->cover_rate += fill.ranges * fill.range_rate;
		}
}

static void
add_ranges(BfSummary *summary, Relation index, bool sample)
{
	uint32		groups = bf_directory(index, true)->groups;
	uint32		group;

	add_target(summary, bf_index_rate(index));
	summary->of_ranges++;
	for (group = 0; group < groups; group++)
		add_group(summary, index, group, sample);
	add_covers(summary, index, sample);
}

static void
add_table(BfSummary *summary, Relation index, bool sample)
{
	BfTableFilter filter;
	BfFill		fill = bf_table_fill(&filter, index, sample);

	add_target(summary, filter.meta.rate);
	summary->of_tables++;
	summary->capacity += (int64) filter.meta.capacity;
	summary->values += fill.range_values;
	summary->worn += bf_fill_is_worn(&fill, &filter.meta.slab, filter.meta.rate);
	summary->filters += 1;
	summary->filter_rate += fill.range_rate;
}

void
bf_summary_add(BfSummary *summary, Relation index, bool sample)
{
	summary->pages += RelationGetNumberOfBlocks(index);
	summary->rows += Max(index->rd_rel->reltuples, 0);
	if (bf_is_table_filter(index))
		add_table(summary, index, sample);
	else
		add_ranges(summary, index, sample);
}

/* ---------- telling ---------- */

const char *
bf_summary_scope(const BfSummary *summary)
{
	if ((summary->of_ranges > 0) == (summary->of_tables > 0))
		return NULL;
	return summary->of_tables > 0 ? "table" : "ranges";
}

void
bf_put_int(Datum *value, bool *isnull, bool known, int64 number)
{
	*isnull = !known;
	*value = Int64GetDatum(known ? number : 0);
}

void
bf_put_float(Datum *value, bool *isnull, bool known, double number)
{
	*isnull = !known;
	*value = Float8GetDatum(known ? number : 0);
}

void
bf_put_rates(Datum *values, bool *nulls, const BfSummary *summary)
{
	bf_put_float(&values[0], &nulls[0],
				 summary->of_ranges + summary->of_tables > 0 &&
				 summary->lowest_target == summary->highest_target, summary->lowest_target);
	bf_put_float(&values[1], &nulls[1], summary->filters > 0,
				 summary->filter_rate / summary->filters);
	bf_put_float(&values[2], &nulls[2], summary->sets > 0, summary->set_rate / summary->sets);
}
