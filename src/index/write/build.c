/*-------------------------------------------------------------------------
 *
 * build.c
 *		Building a filter index: ambuild and ambuildempty.
 *
 * The table is scanned once, in the order of its pages.  The hashes of a group
 * are gathered in memory, then its slabs are sized for them and written.  WAL
 * is written at the end, for the whole index.
 *
 * A table's scan for an index leaves out versions of rows that were replaced by
 * HOT updates.  With btree these updates cannot have changed the value, unless
 * they are older than the index, for which the server has indcheckxmin.  From
 * 16 on they can have changed it here (amsummarizing), and REINDEX does not
 * set indcheckxmin.  So the index remembers that such versions were left out:
 * transactions older than the end of the build, which may see them, get the
 * whole table (scan.c).
 *
 * It also leaves out what nobody can see any more; but without
 * hot_standby_feedback a snapshot of a standby can.  What was left out had been
 * deleted by transactions that committed before the builder does, so those
 * snapshots get the whole table, too, for which the builder may not have ended.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/tableam.h"
#include "access/transam.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "catalog/index.h"
#include "commands/progress.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "index/file/fill.h"
#include "index/file/keys.h"
#include "index/file/options.h"
#include "index/file/sizes.h"
#include "index/write/build.h"
#include "index/write/covers.h"
#include "index/write/gather.h"
#include "index/write/space.h"
#include "index/write/stable.h"

typedef struct Build
{
	Relation	index;
	uint32		columns;
	double		rate;
	uint64		heap_pages;

	/* the group whose values are gathered */
	BfSlab		geometry;
	BfGathered	gathered[INDEX_MAX_KEYS];
	Size		values;			/* of all columns */
	Size		many_values;	/* that a group ends with as soon as it can */
	double		group_rows;
	uint32		last_range;		/* that had a row */

	/* the groups in front of it */
	BfSlab	   *slabs;
	uint32		groups;
	uint32		room;
	uint32		newest_slab;
	BfCovers	covers;

	double		rows;
	MemoryContext row_context;	/* reset for each row */
} Build;

/* ---------- groups ---------- */

static void
begin_group(Build *build, uint64 first_heap_page)
{
	uint32		column;

	memset(&build->geometry, 0, sizeof(BfSlab));
	build->geometry.first_heap_page = (BlockNumber) first_heap_page;
	build->geometry.set_pages = 1;
	build->geometry.ranges = BF_SLOTS;
	for (column = 0; column < build->columns; column++)
		build->gathered[column].count = 0;
	build->values = 0;
	build->group_rows = 0;
	build->last_range = 0;
}

/* Returns the number of values in all ranges. */
static double
make_slab(Build *build, BfSlab *slab, const BfGathered *gathered)
{
	uint64		count;
	uint64		i;
	char	   *pages;
	BfDensities densities = {0};
	BfFill		fill;

	bf_gather_count(gathered, slab, build->heap_pages - slab->first_heap_page, &densities);
	bf_densities_size(&densities, slab, 1, build->rate);
	slab->number = ++build->newest_slab;
	slab->first_page = RelationGetNumberOfBlocks(build->index);
	count = bf_slab_pages(slab);
	pages = MemoryContextAllocHuge(CurrentMemoryContext, count * BLCKSZ);
	for (i = 0; i < count; i++)
		bf_page_init(pages + i * BLCKSZ, (BlockNumber) (slab->first_page + i), BF_PAGE_SLAB,
					 slab->number);
	bf_gather_fill(gathered, slab, pages);
	bf_space_append(build->index, slab->first_page, count, pages);
	pfree(pages);
	/* nobody else knows the index */
	fill = bf_slab_sample(build->index, slab, 0);
	bf_slab_set_excess(slab, &fill, build->rate);
	return fill.ranges * fill.range_values;
}

/* Write the group's slabs, and begin the next group. */
static void
end_group(Build *build)
{
	BfSlab	   *geometry = &build->geometry;
	BfSlab	   *slabs;
	double		values[INDEX_MAX_KEYS] = {0};
	uint32		column;

	if (build->groups == build->room)
	{
		build->room *= 2;
		build->slabs = repalloc_huge(build->slabs,
									 (Size) build->room * build->columns * sizeof(BfSlab));
	}
	slabs = build->slabs + (Size) build->groups * build->columns;
	build->groups++;
	for (column = 0; column < build->columns; column++)
	{
		slabs[column] = *geometry;
		if (build->gathered[column].count > 0)
			values[column] = make_slab(build, &slabs[column], &build->gathered[column]);
	}
	bf_covers_add_group(&build->covers, geometry, build->gathered, values);
	begin_group(build, bf_group_end(geometry));
}

/* End the group with its first ranges: all that have values. */
static void
end_group_early(Build *build, uint64 ranges)
{
	bf_group_set_ranges(&build->geometry, ranges);
	end_group(build);
}

/*
 * Make the group one that the page belongs to.  A group that turned out to
 * have few rows gets larger sets and goes on.  Twice as large at most, because
 * rows may become denser.
 */
static void
advance_to(Build *build, BlockNumber heap_page)
{
	BfSlab	   *geometry = &build->geometry;

	while (heap_page >= bf_group_end(geometry))
	{
		uint64		pages = bf_group_end(geometry) - geometry->first_heap_page;
		int			set_pages = bf_choose_set_pages(build->group_rows / pages);

		CHECK_FOR_INTERRUPTS();
		if (build->group_rows > 0 && set_pages > geometry->set_pages)
			geometry->set_pages = (uint8) Min(set_pages, 2 * geometry->set_pages);
		else
			end_group(build);
	}
}

/*
 * End the group in front of the page's range if so many values have been
 * gathered, and if a group can have just the number of ranges in front of it.
 */
static void
end_if_full(Build *build, BlockNumber heap_page)
{
	BfSlab		group = build->geometry;
	uint32		range = (heap_page - group.first_heap_page) / bf_range_pages(&group);

	if (range == build->last_range)
		return;
	build->last_range = range;
	if (build->values < build->many_values)
		return;
	bf_group_set_ranges(&group, range);
	if (group.ranges == range)
		end_group_early(build, range);
}

/* ---------- the table's scan ---------- */

static void
add_row(Relation index, ItemPointer tid, Datum *values, bool *isnull,
		bool is_alive pg_attribute_unused(), void *state)
{
	Build	   *build = state;
	BlockNumber heap_page = ItemPointerGetBlockNumber(tid);
	MemoryContext old_context;
	BfRowHashes row;
	uint32		column;

	old_context = MemoryContextSwitchTo(build->row_context);
	bf_row_hashes(&row, index, values, isnull);
	MemoryContextSwitchTo(old_context);

	/* the table may have grown since */
	build->heap_pages = Max(build->heap_pages, (uint64) heap_page + 1);
	advance_to(build, heap_page);
	end_if_full(build, heap_page);
	for (column = 0; column < build->columns; column++)
	{
		int			i;

		for (i = 0; i < row.counts[column]; i++)
			build->values += bf_gather_add(&build->gathered[column], row.hashes[column][i],
										   heap_page - build->geometry.first_heap_page);
	}
	MemoryContextReset(build->row_context);
	build->group_rows++;
	build->rows++;
}

/* The group that the table ends in: sets may have to grow once more. */
static void
end_last_group(Build *build)
{
	BfSlab	   *geometry = &build->geometry;
	uint64		pages = build->heap_pages - geometry->first_heap_page;
	int			set_pages = bf_choose_set_pages(build->group_rows / pages);

	geometry->set_pages = (uint8) Max(geometry->set_pages, set_pages);
	end_group_early(build, (pages + bf_range_pages(geometry) - 1) / bf_range_pages(geometry));
}

static void
scan_table(Build *build, Relation heap, IndexInfo *info, IndexBuildResult *result)
{
	uint32		column;

	build->heap_pages = RelationGetNumberOfBlocks(heap);
	/* a group of 63 ranges and more goes on to twice the number */
	build->many_values = (Size) maintenance_work_mem * 1024 / 2 / BF_GATHERED_BYTES;
	build->room = 16;
	build->slabs = palloc(build->room * build->columns * sizeof(BfSlab));
	for (column = 0; column < build->columns; column++)
		bf_gather_init(&build->gathered[column], bf_index_has_keys(build->index, (int) column));
	bf_covers_init(&build->covers, build->index, &build->newest_slab);
	begin_group(build, 0);
	result->heap_tuples = table_index_build_scan(heap, build->index, info, false, true, add_row,
												 build, NULL);
	result->index_tuples = build->rows;
	if (build->values > 0)
		end_last_group(build);
	bf_covers_end(&build->covers);
}

static void
make_metapage(Relation index)
{
	Buffer		buffer = ReadBuffer(index, P_NEW);

	Assert(BufferGetBlockNumber(buffer) == BF_METAPAGE);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	bf_meta_init(BufferGetPage(buffer), index);
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
}

void
bf_index_set_phase(int phase)
{
	pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, phase);
}

IndexBuildResult *
bf_index_build(Relation heap, Relation index, IndexInfo *info)
{
	IndexBuildResult *result = palloc0(sizeof(IndexBuildResult));
	Build	   *build = palloc0(sizeof(Build));
	FullTransactionId horizon = InvalidFullTransactionId;
	FullTransactionId standby_horizon = InvalidFullTransactionId;

	bf_index_require_stable(index);
	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data", RelationGetRelationName(index));
	/* of the same file, before the table was emptied */
	bf_directory_forget(index);
	build->index = index;
	build->columns = RelationGetNumberOfAttributes(index);
	build->rate = bf_index_rate(index);
	build->row_context = AllocSetContextCreate(CurrentMemoryContext, "row of a filter index",
											   ALLOCSET_DEFAULT_SIZES);

	make_metapage(index);
	bf_index_set_phase(BF_PHASE_SCAN);
	scan_table(build, heap, info, result);
	if (info->ii_BrokenHotChain)
		horizon = ReadNextFullTransactionId();
	if (RelationNeedsWAL(index))
	{
		standby_horizon = GetTopFullTransactionId();
		FullTransactionIdAdvance(&standby_horizon);
	}
	bf_directory_create(index, build->slabs, build->groups, build->covers.slabs,
						build->covers.count, build->covers.covered, build->newest_slab, horizon,
						standby_horizon);
	if (RelationNeedsWAL(index))
	{
		bf_index_set_phase(BF_PHASE_WAL);
		log_newpage_range(index, MAIN_FORKNUM, 0, RelationGetNumberOfBlocks(index), true);
	}
	return result;
}

void
bf_index_build_empty(Relation index)
{
	Buffer		buffer = ReadBufferExtended(index, INIT_FORKNUM, P_NEW, RBM_NORMAL, NULL);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	bf_meta_init(BufferGetPage(buffer), index);
	MarkBufferDirty(buffer);
	log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();
	UnlockReleaseBuffer(buffer);
}

char *
bf_index_phase_name(int64 phase)
{
	switch (phase)
	{
		case PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE:
			return "initializing";
		case BF_PHASE_SCAN:
			return "scanning table and writing filters";
		case BF_PHASE_WAL:
			return "writing WAL";
		default:
			return NULL;
	}
}
