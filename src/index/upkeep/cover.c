/*-------------------------------------------------------------------------
 *
 * cover.c
 *		Making the third level of an index, beside writers.
 *
 * VACUUM makes covers (slab.h) for groups that are not the last, so that rows that
 * are appended to a table need not be written into a cover.  CREATE INDEX makes them
 * in passing (write/covers.c).
 *
 *	1. Size a cover for each column whose cover is missing or worn, from what the
 *	   slabs of the groups hold.
 *	2. Give it pages, without values, and PUBLISH it in the directory as the successor
 *	   of the old one, or of none: a new generation.  From now on writers write into
 *	   both, but readers read only the old one.
 *	3. READ the rows of the groups (rows.c), and set their bits.
 *	4. PUT it into the directory as their cover: a new generation.
 *
 * No row is lost, for the same reasons as in a rebuilt group (rebuild.c): who compared
 * generations before PUBLISH had the row in the table before READ, and who compares
 * later writes into the new cover, and until PUT into the old one.  Nor does it matter
 * that a group is rebuilt: its cover has the bits of all rows since it was made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/vacuum.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"

#include "compat.h"
#include "index/file/directory.h"
#include "index/file/fill.h"
#include "index/file/sizes.h"
#include "index/upkeep/cover.h"
#include "index/upkeep/window.h"

/*
 * How much the rate of a cover must have grown until it is made anew.  That means
 * reading some 5 GB of the table, and at four times the rate a lookup still reads
 * a quarter of the groups' pages.
 */
#define WORN	4

typedef struct Cover
{
	BfRows	   *rows;
	uint32		number;
	uint32		columns;
	uint64		group_end[BF_COVER_GROUPS]; /* the heap page after each group */
	BfSlab		slabs[INDEX_MAX_KEYS];	/* of columns whose covers stay: no pages */
	BfWindow	window;
	uint32		group;			/* among the cover's, that is read */
} Cover;

uint32
bf_covers_wanted(Relation index)
{
	const BfDirectory *directory = bf_directory(index, true);

	if (directory->groups == 0)
		return 0;
	return Min((directory->groups - 1) / BF_COVER_GROUPS,
			   bf_directory_max_covers(directory->columns));
}

/* What the bits of a slab tell.  Nobody else gives its pages away. */
static BfFill
read_fill(Relation index, const BfSlab *slab)
{
	return bf_slab_sample(index, slab, bf_directory(index, true)->generation);
}

/* Does a group of the cover have values of the column? */
static bool
has_values(const BfDirectory *directory, uint32 cover, uint32 column)
{
	uint32		group;

	for (group = 0; group < BF_COVER_GROUPS; group++)
		if (bf_slab_exists(bf_directory_slab(directory, cover * BF_COVER_GROUPS + group, column)))
			return true;
	return false;
}

/* Is the cover of a column missing or worn? */
static bool
is_due(Relation index, uint32 cover, uint32 column)
{
	const BfDirectory *directory = bf_directory(index, true);
	const BfSlab *found = bf_directory_cover_of(directory, cover * BF_COVER_GROUPS, column);
	BfSlab		slab;

	if (found == NULL)
		return has_values(directory, cover, column);
	slab = *found;
	return bf_rate_is_worn(read_fill(index, &slab).range_rate,
						   BF_COVER_RATE * bf_excess(slab.excess), WORN);
}

bool
bf_cover_find_due(Relation index, uint32 cover, bool *due)
{
	bool		result = cover >= bf_directory(index, true)->covers;
	uint32		column;

	for (column = 0; column < (uint32) RelationGetNumberOfAttributes(index); column++)
	{
		due[column] = is_due(index, cover, column);
		result |= due[column];
	}
	return result;
}

/*
 * Size the cover of a column for the groups' numbers of values, as a value sees
 * them: the mean over values, not over groups, of which the first may be small.
 * What several ranges hold counts several times.
 */
static void
size_cover(Cover *cover, uint32 column)
{
	Relation	index = cover->rows->index;
	double		sum = 0;
	double		squares = 0;
	uint32		group;

	for (group = 0; group < BF_COVER_GROUPS; group++)
	{
		BfSlab		slab = *bf_directory_slab(bf_directory(index, true),
											  cover->number * BF_COVER_GROUPS + group, column);
		BfFill		fill;
		double		values;

		BF_VACUUM_DELAY_POINT();
		if (!bf_slab_exists(&slab))
			continue;
		fill = read_fill(index, &slab);
		values = fill.ranges * fill.range_values;
		sum += values;
		squares += values * values;
	}
	bf_cover_set_size(&cover->slabs[column], sum > 0 ? squares / sum : 1);
}

/*
 * Size the covers that are due.  Returns the number of pages of those in whose place
 * they come.
 */
static BlockNumber
size_covers(Cover *cover, const bool *due)
{
	Relation	index = cover->rows->index;
	const BfDirectory *directory = bf_directory(index, true);
	uint32		first_group = cover->number * BF_COVER_GROUPS;
	BlockNumber first = bf_directory_slab(directory, first_group, 0)->first_heap_page;
	BlockNumber given_up = 0;
	uint32		group;
	uint32		column;

	for (group = 0; group < BF_COVER_GROUPS; group++)
		cover->group_end[group] = bf_group_end(bf_directory_slab(directory, first_group + group, 0));
	for (column = 0; column < cover->columns; column++)
	{
		const BfSlab *old;

		cover->slabs[column].first_heap_page = first;
		if (!due[column])
			continue;
		old = bf_directory_cover_of(bf_directory(index, true), first_group, column);
		if (old != NULL)
			given_up += (BlockNumber) bf_slab_pages(old);
		size_cover(cover, column);
	}
	return given_up;
}

static void
add_row(BlockNumber heap_page, const BfRowHashes *row, void *state)
{
	Cover	   *cover = state;
	uint32		column;

	while (heap_page >= cover->group_end[cover->group])
		cover->group++;
	Assert(cover->group < BF_COVER_GROUPS);
	for (column = 0; column < cover->columns; column++)
	{
		const BfSlab *slab = &cover->slabs[column];
		int			i;

		for (i = 0; bf_slab_exists(slab) && i < row->counts[column]; i++)
		{
			uint64		hash = row->hashes[column][i];
			BfPlace		place = bf_cover_place(slab, hash);

			bf_window_add(&cover->window, column, &place, cover->group, bf_third_level_hash(hash),
						  slab->k);
		}
	}
}

/* Set the bits of all rows of the groups. */
static void
fill(Cover *cover)
{
	BlockNumber first = cover->slabs[0].first_heap_page;

	bf_window_open(&cover->window, cover->rows->index, cover->slabs);
	while (bf_window_next(&cover->window))
	{
		BlockNumber pages = RelationGetNumberOfBlocks(cover->rows->heap);
		BlockNumber end = (BlockNumber) Min(cover->group_end[BF_COVER_GROUPS - 1], pages);

		cover->group = 0;
		if (first < end)
			bf_rows_read(cover->rows, first, end, add_row, cover);
		bf_window_merge(&cover->window);
	}
}

/* The new covers have all rows. */
static void
put(Cover *cover)
{
	Relation	index = cover->rows->index;
	uint32		column;

	for (column = 0; column < cover->columns; column++)
	{
		BfSlab	   *slab = &cover->slabs[column];

		if (bf_slab_exists(slab))
			slab->excess = bf_excess_code(read_fill(index, slab).range_rate / BF_COVER_RATE);
	}
	LockRelationForExtension(index, ExclusiveLock);
	bf_directory_end(index, BF_COVER_ROW, cover->number, cover->slabs, cover->rows->horizon);
	UnlockRelationForExtension(index, ExclusiveLock);
}

BlockNumber
bf_cover_make(BfRows *rows, uint32 number, const bool *due)
{
	Cover	   *cover = palloc0(sizeof(Cover));
	BlockNumber given_up;

	cover->rows = rows;
	cover->number = number;
	cover->columns = RelationGetNumberOfAttributes(rows->index);
	rows->horizon = InvalidFullTransactionId;
	given_up = size_covers(cover, due);
	bf_window_publish(rows->index, BF_COVER_ROW, number, cover->slabs);
	fill(cover);
	put(cover);
	return given_up;
}
