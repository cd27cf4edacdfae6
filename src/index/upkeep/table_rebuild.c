/*-------------------------------------------------------------------------
 *
 * table_rebuild.c
 *		Making the filter of a table anew, beside writers.
 *
 * It is made for the rows that there are when the index is built: after TRUNCATE, or
 * CREATE TABLE ... LIKE, for none.  So VACUUM makes one that is too small anew, in the
 * same steps as a group:
 *
 *	1. Count the distinct values of the table's rows, and size the new slab.
 *	2. Give it pages, without values, and then PUBLISH it in the metapage as the
 *	   successor of the old one: a new generation.
 *	3. READ the rows (rows.c), and set their bits in the successor.
 *	4. EXCHANGE the slabs in the metapage: a new generation.
 *
 * No row is lost, on a standby or by a crash either, for the reasons in rebuild.c:
 * writers compare generations after their row is in the table (table_insert.c), and
 * readers take their copy of the metapage after their snapshot (table.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/index.h"
#include "storage/lmgr.h"
#include "utils/memutils.h"

#include "core/blocks.h"
#include "core/sizing.h"
#include "index/file/attempt.h"
#include "index/file/fill.h"
#include "index/file/options.h"
#include "index/upkeep/rows.h"
#include "index/upkeep/table_rebuild.h"
#include "index/upkeep/warn.h"
#include "index/upkeep/window.h"
#include "index/write/space.h"
#include "index/write/table_build.h"

/*
 * Values are counted by a filter with one bit for each: linear counting, as in
 * gather.c.  A page has fewer rows than a block has bits.  The most blocks are 16 MB,
 * which count a billion values to 0.1 %.
 */
#define MOST_BLOCKS		(1 << 18)

typedef struct Rebuild
{
	BfRows		rows;
	BfTableHasher hasher;
	BfTableFilter old;
	BfSlab		successor;
	double		items;

	/* counting */
	uint8	   *blocks;
	uint32		block_count;

	BfWindow	window;			/* filling */

	BfRebuilt	result;
} Rebuild;

static void
read_rows(Rebuild *rebuild, BfRowCallback callback)
{
	bf_rows_read(&rebuild->rows, 0, RelationGetNumberOfBlocks(rebuild->rows.heap), callback,
				 rebuild);
}

/* ---------- sizing ---------- */

static void
count_row(BlockNumber heap_page pg_attribute_unused(), const BfRowHashes *row, void *state)
{
	Rebuild    *rebuild = state;
	uint64		hash = row->single[0];

	if (row->counts[0] > 0)
		bf_block_add(rebuild->blocks + bf_block_offset(hash, rebuild->block_count), hash, 1);
}

static double
count_values(Rebuild *rebuild)
{
	BlockNumber pages = RelationGetNumberOfBlocks(rebuild->rows.heap);
	uint64		bits;

	rebuild->block_count = Max(1, Min(pages, MOST_BLOCKS));
	rebuild->blocks = MemoryContextAllocZero(CurrentMemoryContext,
											 (Size) rebuild->block_count * BF_BLOCK_BYTES);
	read_rows(rebuild, count_row);
	bits = bf_blocks_popcount(rebuild->blocks, rebuild->block_count);
	pfree(rebuild->blocks);
	return bf_estimate_count(bits, rebuild->block_count, 1);
}

/* Not smaller than it was: as groups, because the room of deleted rows will be used again. */
static void
size_successor(Rebuild *rebuild)
{
	const BfTableFilter *old = &rebuild->old;
	double		items = bf_table_items(count_values(rebuild), old->meta.rate);
	uint32		blocks;
	int			k;

	rebuild->items = Max(items, (double) old->meta.capacity);
	if (!bf_choose_size(rebuild->items, old->meta.rate, &blocks, &k))
		elog(ERROR, "too many items: %g", rebuild->items);
	rebuild->successor = bf_table_slab(blocks, k);
}

/* ---------- filling ---------- */

static void
publish(Rebuild *rebuild)
{
	Relation	index = rebuild->rows.index;
	BfTableFilter newest;
	BfSpace		space;

	LockRelationForExtension(index, ExclusiveLock);
	newest = *bf_table_filter(index, true);
	space = bf_table_space_find(index, &newest);
	rebuild->successor.number = newest.meta.slabs + 1;
	bf_space_give(&space, &rebuild->successor);
	bf_table_begin(index, &rebuild->successor);
	UnlockRelationForExtension(index, ExclusiveLock);
	pfree(space.runs);
}

static void
add_row(BlockNumber heap_page pg_attribute_unused(), const BfRowHashes *row, void *state)
{
	Rebuild    *rebuild = state;
	const BfSlab *slab = &rebuild->successor;
	BfPlace		place;

	if (row->counts[0] == 0)
		return;
	place = bf_first_level_place(slab, row->single[0]);
	bf_window_add(&rebuild->window, 0, &place, 0, row->single[0], slab->k);
}

/* Let the pages in memory end where their blocks do: see table_build.c. */
static void
set_ends(const BfWindow *window)
{
	uint64		page;

	for (page = window->start; page < window->end; page++)
		((PageHeader) (window->pages + (page - window->start) * BLCKSZ))->pd_lower =
			(LocationIndex) (BF_FIRST_SLOT +
							 bf_table_page_bytes(window->slabs,
												 (BlockNumber) (window->slabs->first_page + page)));
}

/* Set the bits of all rows. */
static void
fill(Rebuild *rebuild)
{
	rebuild->rows.horizon = InvalidFullTransactionId;
	bf_window_open(&rebuild->window, rebuild->rows.index, &rebuild->successor);
	while (bf_window_next(&rebuild->window))
	{
		set_ends(&rebuild->window);
		read_rows(rebuild, add_row);
		bf_window_merge(&rebuild->window);
	}
}

/* The successor is complete. */
static void
exchange(Rebuild *rebuild)
{
	Relation	index = rebuild->rows.index;
	BfSlab	   *slab = &rebuild->successor;
	BfFill		fill = bf_slab_sample(index, slab, bf_table_filter(index, true)->meta.generation);

	bf_slab_set_excess(slab, &fill, rebuild->old.meta.rate);
	LockRelationForExtension(index, ExclusiveLock);
	bf_table_end(index, slab, (uint64) rebuild->items, rebuild->rows.horizon);
	UnlockRelationForExtension(index, ExclusiveLock);
}

/* ---------- the whole ---------- */

static void
rebuild_if_worn(void *state)
{
	Rebuild    *rebuild = state;
	BfFill		filled = bf_table_fill(&rebuild->old, rebuild->rows.index, true);

	if (!bf_fill_is_worn(&filled, &rebuild->old.meta.slab, rebuild->old.meta.rate))
		return;
	size_successor(rebuild);
	publish(rebuild);
	fill(rebuild);
	exchange(rebuild);
	rebuild->result.items = rebuild->items;
	rebuild->result.given_up = (BlockNumber) bf_slab_pages(&rebuild->old.meta.slab);
}

static void
try_to_rebuild(Rebuild *rebuild)
{
	Relation	index = rebuild->rows.index;
	MemoryContext mcxt = AllocSetContextCreate(CurrentMemoryContext, "rebuilding a filter index",
											   ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(mcxt);
	ErrorData  *error = bf_attempt(rebuild_if_worn, rebuild);

	if (error != NULL)
	{
		bf_table_cancel(index);
		bf_warn_of_attempt(index, error);
	}
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(mcxt);
}

BfRebuilt
bf_table_rebuild(Relation index, Relation heap, BufferAccessStrategy strategy)
{
	Rebuild    *rebuild = palloc0(sizeof(Rebuild));

	/* what the last VACUUM did not finish */
	bf_table_cancel(index);
	rebuild->rows.heap = heap;
	rebuild->rows.index = index;
	rebuild->rows.info = BuildIndexInfo(index);
	rebuild->rows.strategy = strategy;
	rebuild->rows.hasher = &rebuild->hasher;
	rebuild->hasher.mcxt = CurrentMemoryContext;
	if (bf_index_expected_items(index) == 0 && bf_rows_supports(heap))
		try_to_rebuild(rebuild);
	rebuild->result.free = bf_space_pages(bf_table_space_find(index, bf_table_filter(index, true)));
	return rebuild->result;
}
