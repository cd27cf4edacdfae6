/*-------------------------------------------------------------------------
 *
 * cover.c
 *		Making and merging covers of the third level of an index, beside writers.
 *
 * VACUUM covers groups that are not the last, so that rows that are appended to a
 * table need not be written into a cover, and merges covers (plan.c).  CREATE INDEX
 * makes them in passing (write/covers.c).
 *
 *	1. Size a new cover for each column, for groups without cover or those of covers in
 *	   whose place it comes.
 *	2. Give it pages, without values, and PUBLISH it in the directory as the successor
 *	   of these covers, or of none: a new generation.  From now on writers write into
 *	   both, but readers read only the old ones.
 *	3. COPY the filters of the groups that have one of this size, page by page: only
 *	   blocks move.  Of the other groups, READ the rows (rows.c), and set their bits.
 *	4. PUT it into the directory: a new generation.
 *
 * Why no row is lost.  Take the last copy of the directory that a row's writer used,
 * which was compared with the newest generation when the row was in the table and its
 * bits were set by that copy.
 *
 *	- It is from before PUBLISH: then the comparison, too, was before PUBLISH.  If the
 *	  group had a cover, the row's bits were in it by then, so COPY has found them.  If
 *	  not, the row was in the table, so READ has found it.  What COPY does not find and
 *	  READ is not asked for is a group without values of the column: whether it has a
 *	  slab is looked up after PUBLISH, and slabs are in the directory before they have
 *	  values.
 *	- It is from between PUBLISH and PUT: then the bits are in the old cover, if there is
 *	  one, and in the new one.
 *	- It is from after PUT: then they are in the new one.
 *
 * Readers have taken their copy after their snapshot, so those with an old cover see
 * only rows of the first two kinds: rebuild.c says the same of groups, and why pages
 * of old covers can be given away at once, also on a standby, and what a crash
 * leaves.  Nor does it matter that a group is rebuilt: its cover has the bits of all
 * rows since it was made.
 *
 * A group that is taken out of its cover (write/groups.c) is the last, and so in no
 * cover that is made of new groups; if a worn cover that it was in is made anew
 * meanwhile, it stays out.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/lmgr.h"

#include "index/file/fill.h"
#include "index/file/sizes.h"
#include "index/upkeep/cover.h"
#include "index/upkeep/window.h"

typedef struct Cover
{
	BfRows	   *rows;
	BfCoverPlan *plan;
	uint32		groups;
	uint32		columns;
	uint64		group_end[BF_SLOTS];	/* the heap page after each group */
	BfWindow	window;
	uint32		group;			/* among the cover's, that is read */
} Cover;

/* ---------- publishing ---------- */

/* Returns the number of pages of the covers in whose place the new ones come. */
static BlockNumber
count_old_pages(const Cover *cover)
{
	const BfDirectory *directory = bf_directory(cover->rows->index, true);
	const BfCoverPlan *plan = cover->plan;
	uint32		end = plan->extends ? directory->covers : plan->row + 1;
	BlockNumber result = 0;
	uint32		row;
	uint32		column;

	for (row = plan->row; row < end; row++)
		for (column = 0; column < cover->columns; column++)
		{
			const BfSlab *old = bf_directory_cover(directory, row, column);

			if (bf_slab_exists(old) && plan->slabs[column].blocks > 0)
				result += (BlockNumber) bf_slab_pages(old);
		}
	return result;
}

static void
publish(Cover *cover)
{
	Relation	index = cover->rows->index;
	const BfDirectory *directory = bf_directory(index, true);
	BfCoverPlan *plan = cover->plan;
	uint32		group;
	uint32		column;

	for (group = 0; group < cover->groups; group++)
		cover->group_end[group] = bf_group_end(bf_directory_slab(directory, plan->first + group, 0));
	for (column = 0; column < cover->columns; column++)
	{
		plan->slabs[column].first_heap_page = bf_directory_slab(directory, plan->first, 0)->first_heap_page;
		plan->slabs[column].ranges = (uint16) cover->groups;
	}
	bf_window_publish(index, BF_COVER_ROW, plan->row, plan->slabs);
}

/*
 * Groups that have values of a column but no cover that can be copied are read.  Whether
 * they have any is looked up after PUBLISH.
 */
static void
plan_reading(Cover *cover)
{
	const BfDirectory *directory = bf_directory(cover->rows->index, true);
	BfCoverPlan *plan = cover->plan;
	uint32		column;
	uint32		group;
	uint32		member;

	for (column = 0; column < cover->columns; column++)
		for (group = 0; group < cover->groups; group++)
		{
			const BfSlab *slab = &plan->slabs[column];
			const BfSlab *old;

			if (!bf_slab_exists(slab) ||
				!bf_slab_exists(bf_directory_slab(directory, plan->first + group, column)))
				continue;
			old = bf_directory_cover_of(directory, plan->first + group, column, &member);
			if (old == NULL || !bf_cover_has_size(old, slab))
				plan->is_read[column][group] = true;
		}
}

/* ---------- filling ---------- */

/* Copy the filters of the groups that are not read. */
static void
copy(Cover *cover)
{
	const BfDirectory *directory = bf_directory_copy(bf_directory(cover->rows->index, true));
	const BfCoverPlan *plan = cover->plan;
	bool		wanted[BF_SLOTS];
	uint32		column;
	uint32		group;

	for (column = 0; column < cover->columns; column++)
		for (group = 0; group < cover->groups && bf_slab_exists(&plan->slabs[column]);)
		{
			uint32		row = bf_directory_cover_row(directory, plan->first + group);
			const BfSlab *old;
			uint32		count;
			uint32		i;

			if (row == BF_NO_GROUP)
				break;
			old = bf_directory_cover(directory, row, column);
			count = Min(bf_directory_first_group(directory, row + 1) - plan->first, cover->groups) - group;
			for (i = 0; i < count; i++)
				wanted[i] = !plan->is_read[column][group + i];
			if (bf_slab_exists(old) && bf_cover_has_size(old, &plan->slabs[column]))
				bf_window_copy(&cover->window, column, old, count, wanted, group);
			group += count;
		}
}

static void
add_row(BlockNumber heap_page, const BfRowHashes *row, void *state)
{
	Cover	   *cover = state;
	uint32		column;

	while (heap_page >= cover->group_end[cover->group])
		cover->group++;
	Assert(cover->group < cover->groups);
	for (column = 0; column < cover->columns; column++)
	{
		const BfSlab *slab = &cover->plan->slabs[column];
		int			i;

		for (i = 0; cover->plan->is_read[column][cover->group] && i < row->counts[column]; i++)
		{
			uint64		hash = row->hashes[column][i];
			BfPlace		place = bf_cover_place(slab, hash);

			bf_window_add(&cover->window, column, &place, cover->group, bf_third_level_hash(hash),
						  slab->k);
		}
	}
}

/* Is a column of the group read? */
static bool
is_read(const Cover *cover, uint32 group)
{
	uint32		column;

	for (column = 0; column < cover->columns; column++)
		if (cover->plan->is_read[column][group])
			return true;
	return false;
}

/* Set the bits of all rows of the groups that are read, as far as the table reaches now. */
static void
read_groups(Cover *cover)
{
	uint64		pages = RelationGetNumberOfBlocks(cover->rows->heap);
	uint64		first = cover->plan->slabs[0].first_heap_page;
	uint32		group;

	for (group = 0; group < cover->groups; group++)
	{
		uint64		end = Min(cover->group_end[group], pages);

		cover->group = group;
		if (is_read(cover, group) && first < end)
			bf_rows_read(cover->rows, (BlockNumber) first, (BlockNumber) end, add_row, cover);
		first = cover->group_end[group];
	}
}

static void
fill(Cover *cover)
{
	bf_window_open(&cover->window, cover->rows->index, cover->plan->slabs);
	while (bf_window_next(&cover->window))
	{
		copy(cover);
		read_groups(cover);
		bf_window_merge(&cover->window);
	}
}

/* The new covers have all rows. */
static void
put(Cover *cover)
{
	Relation	index = cover->rows->index;
	BfCoverPlan *plan = cover->plan;
	const BfDirectory *directory = bf_directory(index, true);
	double		rate = bf_cover_rate(bf_directory_region(directory, plan->first).number);
	uint32		column;

	for (column = 0; column < cover->columns; column++)
	{
		BfSlab	   *slab = &plan->slabs[column];
		BfFill		bits;

		if (!bf_slab_exists(slab))
			continue;
		/* nobody else gives its pages away */
		bits = bf_slab_sample(index, slab, bf_directory(index, true)->generation);
		slab->excess = bf_excess_code(bits.range_rate / rate);
	}
	LockRelationForExtension(index, ExclusiveLock);
	bf_directory_end(index, BF_COVER_ROW, plan->row, plan->slabs, plan->extends ? plan->end : 0,
					 cover->rows->horizon);
	UnlockRelationForExtension(index, ExclusiveLock);
}

BlockNumber
bf_cover_make(BfRows *rows, BfCoverPlan *plan)
{
	Cover	   *cover = palloc0(sizeof(Cover));
	BlockNumber given_up;

	cover->rows = rows;
	cover->plan = plan;
	cover->groups = plan->end - plan->first;
	cover->columns = RelationGetNumberOfAttributes(rows->index);
	rows->horizon = InvalidFullTransactionId;
	given_up = count_old_pages(cover);
	publish(cover);
	plan_reading(cover);
	fill(cover);
	put(cover);
	return given_up;
}
