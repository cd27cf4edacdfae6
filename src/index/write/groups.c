/*-------------------------------------------------------------------------
 *
 * groups.c
 *		Making groups and slabs while rows are inserted.
 *
 * Who makes a group or slab holds the extension lock of the index.  First the
 * pages are written, then the directory: no reader, and nobody who writes a
 * bit, knows of pages that are not in the directory.
 *
 * The last group, to which rows are appended, is in a cover only until the first of
 * them comes: before it is written anywhere, the group is taken out of the cover, in a
 * new generation of the directory.  Who sees the row has taken a snapshot after it was
 * committed, and the directory after that: the group is searched whatever the cover
 * says.  Nobody writes the group's values by an older copy, because by that copy, too,
 * it would have to be taken out first.  VACUUM covers it again when it is not the last
 * any more (upkeep/cover.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/tableam.h"
#include "miscadmin.h"
#include "storage/lmgr.h"

#include "index/file/fill.h"
#include "index/file/options.h"
#include "index/file/sizes.h"
#include "index/write/groups.h"
#include "index/write/space.h"

double
bf_rows_per_page(Relation heap)
{
	BlockNumber pages;
	double		rows;
	double		visible;

	table_relation_estimate_size(heap, NULL, &pages, &rows, &visible);
	/* anybody who owns the table may have written its statistics */
	return pages > 0 && rows > pages ? Min(rows / pages, MaxHeapTuplesPerPage) : 1;
}

/* Does the group have a slab for each column that is not NULL? */
static bool
has_slabs(const BfDirectory *directory, uint32 group, const BfRowHashes *row)
{
	uint32		column;

	for (column = 0; column < directory->columns; column++)
		if (row->counts[column] > 0 && !bf_slab_exists(bf_directory_slab(directory, group, column)))
			return false;
	return true;
}

/* Can a row be written into the group by this directory? */
static bool
is_ready(const BfDirectory *directory, uint32 group, const BfRowHashes *row)
{
	return group != BF_NO_GROUP && !bf_directory_covers_last(directory, group) &&
		has_slabs(directory, group, row);
}

/*
 * Keys of a row that the first slab is sized for, at most: one row with a large
 * array says little of the others.
 */
#define MOST_FIRST_KEYS	100

/*
 * Size a slab like the newest one of the column in front of the group, from
 * what that holds; or else as if every row had so many values of its own.
 */
static void
size_slab(BfSlab *slab, Relation index, const BfDirectory *directory, uint32 group, uint32 column,
		  double values_per_page)
{
	double		range_pages = bf_range_pages(slab);
	double		range_values = values_per_page * range_pages;
	double		set_values = values_per_page * slab->set_pages;
	uint8		excess = 0;
	uint8		set_excess = 0;

	while (group-- > 0)
	{
		const BfSlab *model = bf_directory_slab(directory, group, column);
		BfFill		fill;

		if (!bf_slab_exists(model))
			continue;
		/* nobody gives the pages away while the extension lock is held */
		fill = bf_slab_sample(index, model, directory->generation);
		if (fill.sets == 0)
			continue;
		excess = model->excess;
		set_excess = model->set_excess;
		range_values = fill.range_values * range_pages / bf_range_pages(model);
		set_values = fill.set_values * slab->set_pages / model->set_pages;
		break;
	}
	bf_slab_set_size(slab, range_values, set_values, bf_index_rate(index));
	slab->excess = Max(slab->excess, excess);
	slab->set_excess = Max(slab->set_excess, set_excess);
}

/*
 * The ranges of the next group.  Each group is about as large as all before
 * it, so that the index grows with the table.
 */
static void
next_group(BfSlab *slab, const BfDirectory *directory, double rows_per_page, bool partial)
{
	memset(slab, 0, sizeof(BfSlab));
	slab->set_pages = (uint8) bf_choose_set_pages(rows_per_page);
	if (directory->groups > 0)
	{
		const BfSlab *last = bf_directory_slab(directory, directory->groups - 1, 0);

		slab->first_heap_page = (BlockNumber) bf_group_end(last);
		/* the table's rows say nothing of a part of them */
		if (partial)
			slab->set_pages = last->set_pages;
	}
	bf_group_set_ranges(slab, slab->first_heap_page / bf_range_pages(slab));
}

/*
 * Make the next group, or slabs of an old one.  Slabs only of the columns that
 * are not NULL, and none if the group is only on the way to the page.
 */
static void
make_slabs(Relation index, const BfDirectory *directory, uint32 group, const BfSlab *geometry,
		   const BfRowHashes *row, bool on_the_way, double rows_per_page)
{
	BfSlab		slabs[INDEX_MAX_KEYS];
	uint32		newest = directory->slabs;
	BfSpace		space = bf_space_find(index, directory);
	uint32		column;

	for (column = 0; column < directory->columns; column++)
	{
		BfSlab	   *slab = &slabs[column];

		*slab = group < directory->groups ? *bf_directory_slab(directory, group, column) : *geometry;
		if (row->counts[column] == 0 || on_the_way || bf_slab_exists(slab))
			continue;
		size_slab(slab, index, directory, group, column,
				  Min(row->counts[column], MOST_FIRST_KEYS) * rows_per_page);
		slab->number = ++newest;
		bf_space_give(&space, slab);
	}
	bf_directory_put(index, group, slabs, newest);
	pfree(space.runs);
}

const BfDirectory *
bf_group_for_insert(Relation index, Relation heap, IndexInfo *info, BlockNumber heap_page,
					const BfRowHashes *row, uint32 *group)
{
	const BfDirectory *directory = bf_directory(index, false);
	double		rows_per_page;

	*group = bf_directory_find(directory, heap_page);
	if (is_ready(directory, *group, row))
		return directory;

	/* catalogs must not be locked while the extension lock is held */
	rows_per_page = bf_rows_per_page(heap);
	LockRelationForExtension(index, ExclusiveLock);
	for (;;)
	{
		BfSlab		geometry = {0};
		uint32		next;

		CHECK_FOR_INTERRUPTS();
		directory = bf_directory(index, true);
		*group = bf_directory_find(directory, heap_page);
		if (is_ready(directory, *group, row))
			break;
		if (*group != BF_NO_GROUP && bf_directory_covers_last(directory, *group))
		{
			bf_directory_uncover_last(index);
			continue;
		}
		next = *group;
		if (*group == BF_NO_GROUP)
		{
			next = directory->groups;
			next_group(&geometry, directory, rows_per_page, info->ii_Predicate != NIL);
		}
		make_slabs(index, directory, next, &geometry, row,
				   *group == BF_NO_GROUP && heap_page >= bf_group_end(&geometry), rows_per_page);
	}
	UnlockRelationForExtension(index, ExclusiveLock);
	return directory;
}
