/*-------------------------------------------------------------------------
 *
 * plan.c
 *		Which covers of an index have to be made, and of what.
 *
 * Groups that are not the last are covered, as soon as there are a few.  The covers in
 * front of them are merged with theirs as long as these are not larger than what is
 * behind them, as in a log-structured merge tree.  So each cover of a region (directory.h)
 * has more groups than all behind it, a lookup reads few of them, and a filter is copied
 * some five times until its region is full, and has one cover.
 *
 * Filters can be copied to a cover whose filters have the same size.  So new groups take
 * the size of the cover in front of them, if that fits.  If it does not, because rows
 * are denser by now, they begin with another, and the covers stay apart.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/vacuum.h"
#include "miscadmin.h"

#include "compat.h"
#include "index/file/fill.h"
#include "index/file/sizes.h"
#include "index/upkeep/plan.h"

/*
 * How much the rate of a cover must have grown until it is made anew, and then, that of
 * a group until its filter is made of its rows, some 124 MB of the table.  At four
 * times the rate, a lookup still reads a quarter of the groups' pages at most.
 */
#define WORN_COVER	4
#define WORN_GROUP	2

/* Has a group of those up to the end values of the column? */
static bool
has_values(const BfDirectory *directory, uint32 first, uint32 end, uint32 column)
{
	for (; first < end; first++)
		if (bf_slab_exists(bf_directory_slab(directory, first, column)))
			return true;
	return false;
}

/* The false positive rate that the groups of a region are asked for. */
static double
rate_of(const BfDirectory *directory, uint32 group)
{
	return bf_cover_rate(bf_directory_region(directory, group).number);
}

/*
 * Size the cover of a column for the groups' numbers of values, as a value sees
 * them: the mean over values, not over groups, of which the first may be small.
 * What several ranges hold counts several times.
 */
static void
size_cover(BfSlab *cover, Relation index, uint32 first, uint32 end, uint32 column)
{
	double		rate = rate_of(bf_directory(index, true), first);
	double		sum = 0;
	double		squares = 0;
	uint32		group;

	for (group = first; group < end; group++)
	{
		const BfDirectory *directory;
		BfSlab		slab;
		BfFill		fill;
		double		values;

		BF_VACUUM_DELAY_POINT();
		directory = bf_directory(index, true);
		slab = *bf_directory_slab(directory, group, column);
		if (!bf_slab_exists(&slab))
			continue;
		/* nobody else gives its pages away */
		fill = bf_slab_sample(index, &slab, directory->generation);
		values = fill.ranges * fill.range_values;
		sum += values;
		squares += values * values;
	}
	bf_cover_set_size(cover, sum > 0 ? squares / sum : 1, rate);
}

/* Let new filters have the size of others, if they fit. */
static bool
take_size(BfSlab *cover, const BfSlab *others)
{
	if (!bf_slab_exists(others) || !bf_cover_fits(cover->blocks, others->blocks))
		return false;
	cover->blocks = others->blocks;
	cover->k = others->k;
	return true;
}

static void
begin(BfCoverPlan *plan, Relation index, uint32 row, uint32 first, uint32 end)
{
	memset(plan, 0, sizeof(BfCoverPlan));
	plan->row = row;
	plan->first = first;
	plan->end = end;
	plan->extends = row == bf_directory(index, true)->covers;
}

/* ---------- covers that are there ---------- */

/* Plan to make a column's cover anew that is there, if it is worn. */
static bool
plan_worn_cover(BfCoverPlan *plan, Relation index, uint32 column)
{
	const BfDirectory *directory = bf_directory(index, true);
	BfSlab		old = *bf_directory_cover(directory, plan->row, column);
	double		rate = rate_of(directory, plan->first) * bf_excess(old.excess);
	double		rates[BF_SLOTS];
	uint32		group;

	if (!bf_rate_is_worn(bf_cover_sample(rates, index, &old, directory->generation), rate,
						 WORN_COVER))
		return false;
	size_cover(&plan->slabs[column], index, plan->first, plan->end, column);
	if (take_size(&plan->slabs[column], &old))
		for (group = 0; group < plan->end - plan->first; group++)
			plan->is_read[column][group] = bf_rate_is_worn(rates[group], rate, WORN_GROUP);
	else
		memset(plan->is_read[column], true, BF_SLOTS * sizeof(bool));
	return true;
}

bool
bf_cover_plan_worn(BfCoverPlan *plan, Relation index, uint32 row)
{
	const BfDirectory *directory = bf_directory(index, true);
	bool		any = false;
	uint32		column;

	begin(plan, index, row, bf_directory_first_group(directory, row),
		  bf_directory_first_group(directory, row + 1));
	for (column = 0; column < (uint32) RelationGetNumberOfAttributes(index); column++)
	{
		directory = bf_directory(index, true);
		if (bf_slab_exists(bf_directory_cover(directory, row, column)))
			any |= plan_worn_cover(plan, index, column);
		else if (has_values(directory, plan->first, plan->end, column))
		{
			size_cover(&plan->slabs[column], index, plan->first, plan->end, column);
			any = true;
		}
	}
	return any;
}

/* ---------- groups without cover ---------- */

/* Size the covers of the new groups as those in front of them, if they fit. */
static void
size_new_covers(BfCoverPlan *plan, Relation index)
{
	uint32		column;

	for (column = 0; column < (uint32) RelationGetNumberOfAttributes(index); column++)
	{
		const BfDirectory *directory = bf_directory(index, true);
		BfSlab	   *slab = &plan->slabs[column];

		if (!has_values(directory, plan->first, plan->end, column))
			continue;
		size_cover(slab, index, plan->first, plan->end, column);
		directory = bf_directory(index, true);
		if (plan->row > 0 &&
			bf_directory_region(directory, bf_directory_first_group(directory, plan->row - 1)).first ==
			bf_directory_region(directory, plan->first).first)
			take_size(slab, bf_directory_cover(directory, plan->row - 1, column));
	}
}

/* Can the filters of a row of covers be copied to the plan's? */
static bool
can_merge(const BfCoverPlan *plan, const BfDirectory *directory, uint32 row)
{
	uint32		first = bf_directory_first_group(directory, row);
	uint32		column;

	for (column = 0; column < directory->columns; column++)
	{
		const BfSlab *cover = bf_directory_cover(directory, row, column);
		const BfSlab *slab = &plan->slabs[column];

		if (bf_slab_exists(cover) ? slab->blocks > 0 && !bf_cover_has_size(cover, slab) :
			has_values(directory, first, plan->first, column))
			return false;
	}
	return true;
}

/* Let the plan's cover take the place of the row in front of it, too. */
static void
merge(BfCoverPlan *plan, const BfDirectory *directory)
{
	uint32		column;

	plan->row--;
	plan->first = bf_directory_first_group(directory, plan->row);
	for (column = 0; column < directory->columns; column++)
	{
		const BfSlab *cover = bf_directory_cover(directory, plan->row, column);

		if (!bf_slab_exists(cover))
			continue;
		plan->slabs[column].blocks = cover->blocks;
		plan->slabs[column].k = cover->k;
	}
}

bool
bf_cover_plan_next(BfCoverPlan *plan, Relation index)
{
	const BfDirectory *directory = bf_directory(index, true);
	uint32		first = directory->covered;
	BfRegion	region;
	uint32		end;

	/* rows are appended to the last group */
	if (first + 1 >= directory->groups || directory->covers == bf_directory_max_covers(directory->columns))
		return false;
	region = bf_directory_region(directory, first);
	end = Min(region.end, directory->groups - 1);
	if (end - first < (first > 0 ? BF_LEAST_ADDED : BF_LEAST_COVERED) && end < region.end)
		return false;
	begin(plan, index, directory->covers, first, end);
	size_new_covers(plan, index);
	directory = bf_directory(index, true);
	while (plan->row > 0)
	{
		uint32		before = bf_directory_first_group(directory, plan->row - 1);

		if (before < region.first || !can_merge(plan, directory, plan->row - 1) ||
			(end < region.end && plan->first - before > end - plan->first))
			break;
		merge(plan, directory);
	}
	return true;
}
