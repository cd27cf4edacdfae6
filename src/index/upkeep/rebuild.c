/*-------------------------------------------------------------------------
 *
 * rebuild.c
 *		Rebuilding groups of an index that are worn, beside writers.
 *
 * Bits of rows that were deleted or replaced stay.  So VACUUM makes new slabs
 * for the groups that are worn, group by group:
 *
 *	1. Count the distinct values of the group's rows, and size the new slabs.
 *	2. Give them pages, without values, and then PUBLISH them in the directory
 *	   as the successors of the old slabs: a new generation.
 *	3. READ the group's rows (rows.c), and set their bits in the successors.
 *	4. EXCHANGE the slabs in the directory: a new generation.  The old slabs'
 *	   pages are free at once (space.c).
 *
 * Writers set a row's bits in the slab and in its successor, as far as their
 * copy of the directory has them; then they compare its generation with the
 * metapage's, and if that has changed they do it again by a newer copy
 * (insert.c).  Readers use the slab, never its successor.
 *
 * Why no row is lost.  A row is put into the table before the index is told.
 * Take the last copy that its writer used, which was compared after that.
 *
 *	- It has no successor, and is from before PUBLISH: then the row was in the
 *	  table before PUBLISH, so READ has found it: it is in the successor.  The
 *	  writer has set its bits in the old slab.
 *	- It has the successor: the writer has set the bits in both.
 *	- It is from after EXCHANGE: then the writer has set the bits in the new
 *	  slab.  Readers whose snapshot sees the row have taken that snapshot later
 *	  still, and their copy of the directory after it: they use the new slab.
 *
 * In all cases the row's bits are in the old slab before any snapshot sees it,
 * or else every such snapshot is from after EXCHANGE; and they are in the new
 * slab when that takes the place of the old one.
 *
 * An update that does not call the index, HOT, leaves the indexed columns and
 * the page as they are.  READ finds the old or the new version.
 *
 * An old slab's pages may be given to another slab while somebody still uses
 * an older copy.  Each page says which slab it belongs to, under its lock.  Who
 * finds another slab there looks at the newest directory, and does the whole
 * group again.  If the page is still the old slab's, its bits are, too: what a
 * reader's snapshot sees was there before the reader took its copy.  So pages
 * need not be kept until old transactions end, as nbtree keeps them.
 *
 * On a standby the same holds, because PUBLISH, the bits of READ, EXCHANGE and
 * whatever makes pages another slab's are in the WAL in this order, and a row's
 * bits are there before its commit.  No conflict is needed: queries there see
 * it from the page, as on the primary.
 *
 * If that fails, the group keeps its slabs, and VACUUM goes on (warn.c): the
 * successors are taken out of the directory, and their pages are free.  If VACUUM
 * ends in between, by a crash or because it is cancelled, the successors stay in the
 * directory, and writers go on to write into both, until the next VACUUM takes them
 * out.
 *
 * Only the leader of a parallel VACUUM comes here, because the functions of
 * expressions may be unsafe in workers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "catalog/index.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/memutils.h"

#include "compat.h"
#include "index/file/attempt.h"
#include "index/file/fill.h"
#include "index/file/options.h"
#include "index/file/sizes.h"
#include "index/upkeep/cover.h"
#include "index/upkeep/rebuild.h"
#include "index/upkeep/rows.h"
#include "index/upkeep/warn.h"
#include "index/upkeep/window.h"
#include "index/write/gather.h"
#include "index/write/space.h"

/*
 * What was worn will be worn again: new slabs have room for the values that
 * come until the next VACUUM.  By default, autovacuum comes when a fifth of the
 * rows have changed.  Without that room, a fifth makes rates five times as high.
 */
#define ROOM	1.2

typedef struct Rebuild
{
	BfRows		rows;
	uint32		columns;
	double		rate;

	/* the group */
	uint32		group;
	BfSlab		geometry;		/* of the old slabs */
	uint64		heap_pages;		/* the table's, from the group's first on */
	bool		is_worn[INDEX_MAX_KEYS];
	BfSlab		successors[INDEX_MAX_KEYS]; /* of columns that are not worn: no pages */

	/* counting: the values of one range at a time */
	BfGathered	gathered[INDEX_MAX_KEYS];
	BfDensities densities[INDEX_MAX_KEYS];
	uint32		range;

	BfWindow	window;			/* filling */

	uint32		cover;			/* the row that may be worn */
	bool		has_next;		/* may there be groups without cover? */

	BfRebuilt	result;
	bool		has_failed;
	bool		lacks_resources;	/* and that is why */
} Rebuild;

/* ---------- which groups ---------- */

/* Which of the group's slabs are worn, if any? */
static bool
find_worn_slabs(Rebuild *rebuild)
{
	Relation	index = rebuild->rows.index;
	const BfDirectory *directory = bf_directory(index, true);
	bool		any = false;
	uint32		column;

	rebuild->geometry = *bf_directory_slab(directory, rebuild->group, 0);
	for (column = 0; column < rebuild->columns; column++)
	{
		const BfSlab *slab = bf_directory_slab(directory, rebuild->group, column);
		BfFill		fill;

		rebuild->is_worn[column] = false;
		if (!bf_slab_exists(slab))
			continue;
		/* nobody else rebuilds groups */
		fill = bf_slab_sample(index, slab, directory->generation);
		rebuild->is_worn[column] = bf_fill_is_worn(&fill, slab, rebuild->rate);
		any |= rebuild->is_worn[column];
	}
	return any;
}

/* Read the group's rows, as far as the table reaches now. */
static void
read_rows(Rebuild *rebuild, BfRowCallback callback)
{
	BlockNumber first = rebuild->geometry.first_heap_page;
	BlockNumber pages = RelationGetNumberOfBlocks(rebuild->rows.heap);

	rebuild->heap_pages = pages > first ? pages - first : 0;
	if (rebuild->heap_pages > 0)
		bf_rows_read(&rebuild->rows, first,
					 (BlockNumber) Min(bf_group_end(&rebuild->geometry), pages), callback, rebuild);
}

/* ---------- counting ---------- */

static void
count_range(Rebuild *rebuild)
{
	uint32		column;

	for (column = 0; column < rebuild->columns; column++)
	{
		if (!rebuild->is_worn[column])
			continue;
		bf_gather_count(&rebuild->gathered[column], &rebuild->geometry, rebuild->heap_pages,
						&rebuild->densities[column]);
		rebuild->gathered[column].count = 0;
	}
}

static void
count_row(BlockNumber heap_page, const BfRowHashes *row, void *state)
{
	Rebuild    *rebuild = state;
	uint32		page = heap_page - rebuild->geometry.first_heap_page;
	uint32		range = page / bf_range_pages(&rebuild->geometry);
	uint32		column;

	if (range != rebuild->range)
	{
		count_range(rebuild);
		rebuild->range = range;
	}
	for (column = 0; column < rebuild->columns; column++)
	{
		int			i;

		for (i = 0; rebuild->is_worn[column] && i < row->counts[column]; i++)
			bf_gather_add(&rebuild->gathered[column], row->hashes[column][i], page);
	}
}

/*
 * Size the successors for the values that there are.  They are not smaller
 * than their slabs, because the room of deleted rows will be used again, and
 * hardly ever larger, so that they fit into the pages of earlier slabs.
 */
static void
size_successors(Rebuild *rebuild)
{
	const BfDirectory *directory;
	uint32		column;

	memset(rebuild->densities, 0, sizeof(rebuild->densities));
	memset(rebuild->successors, 0, sizeof(rebuild->successors));
	rebuild->range = 0;
	for (column = 0; column < rebuild->columns; column++)
		rebuild->gathered[column].count = 0;
	read_rows(rebuild, count_row);
	count_range(rebuild);
	directory = bf_directory(rebuild->rows.index, true);
	for (column = 0; column < rebuild->columns; column++)
	{
		const BfSlab *old = bf_directory_slab(directory, rebuild->group, column);
		BfSlab	   *slab = &rebuild->successors[column];

		if (!rebuild->is_worn[column])
			continue;
		*slab = *old;
		bf_densities_size(&rebuild->densities[column], slab, ROOM, rebuild->rate);
		bf_slab_keep_size(slab, old);
	}
}

/* ---------- filling ---------- */

static void
add_row(BlockNumber heap_page, const BfRowHashes *row, void *state)
{
	Rebuild    *rebuild = state;
	uint32		page = heap_page - rebuild->geometry.first_heap_page;
	uint32		range = page / bf_range_pages(&rebuild->geometry);
	uint32		set = page % bf_range_pages(&rebuild->geometry) / rebuild->geometry.set_pages;
	uint32		column;

	for (column = 0; column < rebuild->columns; column++)
	{
		const BfSlab *slab = &rebuild->successors[column];
		int			i;

		for (i = 0; rebuild->is_worn[column] && i < row->counts[column]; i++)
		{
			uint64		hash = row->hashes[column][i];
			uint64		second_hash = bf_second_level_hash(hash);
			BfPlace		first = bf_first_level_place(slab, hash);
			BfPlace		second = bf_second_level_place(slab, range, second_hash);

			bf_window_add(&rebuild->window, column, &first, range, hash, slab->k);
			bf_window_add(&rebuild->window, column, &second, set, second_hash, slab->set_k);
		}
	}
}

/* Set the bits of all rows of the group. */
static void
fill_successors(Rebuild *rebuild)
{
	bf_window_open(&rebuild->window, rebuild->rows.index, rebuild->successors);
	while (bf_window_next(&rebuild->window))
	{
		read_rows(rebuild, add_row);
		bf_window_merge(&rebuild->window);
	}
}

/* The successors are complete. */
static void
exchange(Rebuild *rebuild)
{
	Relation	index = rebuild->rows.index;
	uint32		generation = bf_directory(index, true)->generation;
	uint32		column;

	for (column = 0; column < rebuild->columns; column++)
	{
		BfFill		fill;

		if (!rebuild->is_worn[column])
			continue;
		fill = bf_slab_sample(index, &rebuild->successors[column], generation);
		bf_slab_set_excess(&rebuild->successors[column], &fill, rebuild->rate);
	}
	LockRelationForExtension(index, ExclusiveLock);
	bf_directory_end(index, BF_GROUP_ROW, rebuild->group, rebuild->successors, 0,
					 rebuild->rows.horizon);
	UnlockRelationForExtension(index, ExclusiveLock);
}

/* ---------- all groups, and covers ---------- */

static void
rebuild_group(void *state)
{
	Rebuild    *rebuild = state;
	const BfDirectory *directory;
	BlockNumber given_up = 0;
	uint32		column;

	if (!find_worn_slabs(rebuild))
		return;
	size_successors(rebuild);
	bf_window_publish(rebuild->rows.index, BF_GROUP_ROW, rebuild->group, rebuild->successors);
	rebuild->rows.horizon = InvalidFullTransactionId;
	fill_successors(rebuild);
	directory = bf_directory(rebuild->rows.index, true);
	for (column = 0; column < rebuild->columns; column++)
		if (rebuild->is_worn[column])
			given_up += (BlockNumber) bf_slab_pages(bf_directory_slab(directory, rebuild->group,
																	  column));
	exchange(rebuild);
	rebuild->result.given_up += given_up;
	rebuild->result.rebuilt++;
}

static void
remake_cover(void *state)
{
	Rebuild    *rebuild = state;
	BfCoverPlan *plan = palloc(sizeof(BfCoverPlan));

	if (!bf_cover_plan_worn(plan, rebuild->rows.index, rebuild->cover))
		return;
	rebuild->result.given_up += bf_cover_make(&rebuild->rows, plan);
	rebuild->result.covers++;
}

static void
make_next_cover(void *state)
{
	Rebuild    *rebuild = state;
	BfCoverPlan *plan = palloc(sizeof(BfCoverPlan));

	rebuild->has_next = bf_cover_plan_next(plan, rebuild->rows.index);
	if (!rebuild->has_next)
		return;
	rebuild->result.given_up += bf_cover_make(&rebuild->rows, plan);
	rebuild->result.covers++;
}

/* What the last VACUUM, or this one, did not finish. */
static void
take_out_unfinished(Relation index)
{
	LockRelationForExtension(index, ExclusiveLock);
	bf_directory_cancel(index);
	UnlockRelationForExtension(index, ExclusiveLock);
}

/* Do the work, or let what is there stay. */
static void
try_work(Rebuild *rebuild, void (*work) (void *rebuild))
{
	Relation	index = rebuild->rows.index;
	ErrorData  *error = bf_attempt(work, rebuild);

	if (error == NULL)
		return;
	/* the rows' state is gone */
	rebuild->rows.info->ii_ExpressionsState = NIL;
	rebuild->rows.info->ii_PredicateState = NULL;
	take_out_unfinished(index);
	/* others probably fail for the same reason */
	if (!rebuild->has_failed)
		bf_warn_of_attempt(index, error);
	rebuild->has_failed = true;
	rebuild->lacks_resources =
		ERRCODE_TO_CATEGORY(error->sqlerrcode) == ERRCODE_INSUFFICIENT_RESOURCES;
}

static void
work_on_all(Rebuild *rebuild)
{
	Relation	index = rebuild->rows.index;
	MemoryContext mcxt = AllocSetContextCreate(CurrentMemoryContext, "rebuilding a filter index",
											   ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(mcxt);

	/* each reads its part of the table before it asks for space */
	for (; rebuild->group < rebuild->result.groups && !rebuild->lacks_resources; rebuild->group++)
	{
		BF_VACUUM_DELAY_POINT();
		MemoryContextReset(mcxt);
		try_work(rebuild, rebuild_group);
	}
	/* where rows cannot be evaluated, each reading of them is probably in vain */
	for (; rebuild->cover < bf_directory(index, true)->covers && !rebuild->has_failed; rebuild->cover++)
	{
		BF_VACUUM_DELAY_POINT();
		MemoryContextReset(mcxt);
		try_work(rebuild, remake_cover);
	}
	for (rebuild->has_next = true; rebuild->has_next && !rebuild->has_failed;)
	{
		BF_VACUUM_DELAY_POINT();
		MemoryContextReset(mcxt);
		try_work(rebuild, make_next_cover);
	}
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(mcxt);
}

BfRebuilt
bf_rebuild_worn_groups(Relation index, Relation heap, BufferAccessStrategy strategy)
{
	Rebuild    *rebuild = palloc0(sizeof(Rebuild));
	uint32		column;

	take_out_unfinished(index);
	rebuild->rows.heap = heap;
	rebuild->rows.index = index;
	rebuild->rows.info = BuildIndexInfo(index);
	rebuild->rows.strategy = strategy;
	rebuild->columns = RelationGetNumberOfAttributes(index);
	rebuild->rate = bf_index_rate(index);
	for (column = 0; column < rebuild->columns; column++)
		bf_gather_init(&rebuild->gathered[column], bf_index_has_keys(index, (int) column));
	rebuild->result.groups = bf_directory(index, true)->groups;
	if (bf_rows_supports(heap))
		work_on_all(rebuild);
	LockRelationForExtension(index, ExclusiveLock);
	rebuild->result.free = bf_space_pages(bf_space_find(index, bf_directory(index, true)));
	UnlockRelationForExtension(index, ExclusiveLock);
	return rebuild->result;
}
