/*-------------------------------------------------------------------------
 *
 * table_build.c
 *		Building the filter of a table.
 *
 * The filter is made in memory, as an aggregate makes it, and then written.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/tableam.h"
#include "access/xact.h"
#include "access/xloginsert.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "core/blocks.h"
#include "core/sizing.h"
#include "index/file/directory.h"
#include "index/file/keys.h"
#include "index/file/options.h"
#include "index/file/table_hash.h"
#include "index/write/build.h"
#include "index/write/groups.h"
#include "index/write/table_build.h"

/*
 * Without expected_items, the filter is made for so many times the table's
 * values, and for no fewer than the second number: 120 kB at 1 %.
 */
#define ROOM_TO_GROW	2
#define LEAST_ITEMS		100000

/* Hashes that are added at a time, as in the type's objects: see object.h. */
#define BATCH			32

typedef struct Build
{
	BfTableHasher hasher;
	BfTableFilter filter;
	uint8	   *blocks;			/* on a cache line's boundary */
	uint64		batch[BATCH];
	int			count;			/* of the batch */
	double		rows;			/* with a value */
	MemoryContext row_context;	/* reset for each row */
} Build;

/* ---------- the filter's size ---------- */

static void
check_columns(Relation index)
{
	if (bf_index_has_any_keys(index))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("an index of keys cannot have scope = 'table'"),
				 errhint("Use scope = 'ranges', or an operator class of values.")));
	if (RelationGetNumberOfAttributes(index) == 1)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("an index with scope = 'table' has one column"),
			 errhint("Make an index for each column, or ALTER INDEX ... RESET (scope).")));
}

double
bf_table_items(double values, double rate)
{
	double		most = bf_max_capacity(rate, BF_MAX_BLOCKS);

	return Min(Max(ceil(ROOM_TO_GROW * values), LEAST_ITEMS), most);
}

/* heap is NULL for an empty table. */
static double
choose_items(Relation index, Relation heap, double rate)
{
	double		items = bf_index_expected_items(index);

	if (items > 0)
		return ceil(items);
	/* as if each row had a value of its own */
	return bf_table_items(heap == NULL ? 0 :
						  bf_rows_per_page(heap) * RelationGetNumberOfBlocks(heap), rate);
}

static void
choose_filter(Build *build, Relation index, Relation heap)
{
	BfTableFilter *filter = &build->filter;
	double		rate = bf_index_rate(index);
	double		items = choose_items(index, heap, rate);
	uint32		blocks;
	int			k;

	check_columns(index);
	bf_table_hasher_init(&build->hasher, index, filter);
	if (!bf_choose_size(items, rate, &blocks, &k))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("filter of index \"%s\" for %.0f items at a false positive rate of %g is too large",
						RelationGetRelationName(index), items, rate),
				 errdetail("A filter takes at most 2^32 bits (512 MB), which is enough for %.0f items at this rate.",
						   bf_max_capacity(rate, BF_MAX_BLOCKS)),
				 errhint("Give fewer expected_items or a higher false_positive_rate, or partition the table.")));
	filter->scope = BF_SCOPE_TABLE;
	filter->meta.slab = bf_table_slab(blocks, k);
	filter->meta.slab.first_page = BF_METAPAGE + 1;
	filter->meta.slab.number = filter->meta.slabs = 1;
	filter->meta.capacity = (uint64) items;
	filter->meta.rate = rate;
}

/* ---------- the table's scan ---------- */

static void
add_batch(Build *build)
{
	const BfSlab *slab = &build->filter.meta.slab;

	bf_blocks_add(build->blocks, slab->blocks, slab->k, build->batch, build->count);
	build->count = 0;
}

/*
 * Look up again how values are hashed.  The index has no metapage yet to compare
 * with.
 */
static void
renew_hasher(Build *build, Relation index)
{
	BfTableFilter now = build->filter;

	bf_table_hasher_init(&build->hasher, index, &now);
	if (now.meta.family != build->filter.meta.family ||
		now.meta.environment != build->filter.meta.environment)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("hash of the values of index \"%s\" was changed while it was built",
						RelationGetRelationName(index))));
}

static void
add_row(Relation index, ItemPointer tid pg_attribute_unused(), Datum *values, bool *isnull,
		bool is_alive pg_attribute_unused(), void *state)
{
	Build	   *build = state;
	MemoryContext old_context;

	build->rows++;
	if (isnull[0])
		return;
	if (!bf_element_is_current(&build->hasher.element))
		renew_hasher(build, index);
	old_context = MemoryContextSwitchTo(build->row_context);
	build->batch[build->count++] = bf_table_hash(&build->hasher, index, values[0]);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(build->row_context);
	if (build->count == BATCH)
		add_batch(build);
}

/* ---------- the index's pages ---------- */

/*
 * Make a page of the filter: its blocks, or none.  Its pd_lower is the end of
 * its last block from the beginning.  Values come in any order, so the first ones
 * would move it by half a page each, and all of that would be in their WAL.
 */
static void
fill_page(Page page, BlockNumber block, const Build *build)
{
	const BfSlab *slab = &build->filter.meta.slab;
	uint32		first = (block - slab->first_page) * BF_SLOTS;
	Size		bytes = bf_table_page_bytes(slab, block);

	bf_page_init(page, block, BF_PAGE_SLAB, slab->number);
	if (build->blocks != NULL)
		memcpy((char *) page + BF_FIRST_SLOT, build->blocks + (Size) first * BF_BLOCK_BYTES, bytes);
	((PageHeader) page)->pd_lower = (LocationIndex) (BF_FIRST_SLOT + bytes);
}

/* Write the index into an empty fork; with WAL for each page if that is asked. */
static void
write_pages(Relation index, ForkNumber fork, const Build *build, bool with_wal)
{
	BlockNumber block;

	for (block = 0; block <= bf_slab_pages(&build->filter.meta.slab); block++)
	{
		Buffer		buffer;

		CHECK_FOR_INTERRUPTS();
		buffer = ReadBufferExtended(index, fork, P_NEW, RBM_NORMAL, NULL);
		if (BufferGetBlockNumber(buffer) != block)
			elog(ERROR, "pages of index \"%s\" are not adjacent", RelationGetRelationName(index));
		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		START_CRIT_SECTION();
		if (block == BF_METAPAGE)
			bf_table_meta_init(BufferGetPage(buffer), &build->filter);
		else
			fill_page(BufferGetPage(buffer), block, build);
		MarkBufferDirty(buffer);
		if (with_wal)
			log_newpage_buffer(buffer, true);
		END_CRIT_SECTION();
		UnlockReleaseBuffer(buffer);
	}
}

static Build *
create_build(void)
{
	Build	   *build = palloc0(sizeof(Build));

	build->hasher.mcxt = CurrentMemoryContext;
	build->row_context = AllocSetContextCreate(CurrentMemoryContext, "row of a filter index",
											   ALLOCSET_DEFAULT_SIZES);
	return build;
}

IndexBuildResult *
bf_table_build(Relation heap, Relation index, IndexInfo *info)
{
	IndexBuildResult *result = palloc0(sizeof(IndexBuildResult));
	Build	   *build = create_build();
	char	   *chunk;

	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data", RelationGetRelationName(index));
	/* of the same file, before the table was emptied */
	bf_directory_forget(index);
	choose_filter(build, index, heap);
	chunk = MemoryContextAllocExtended(CurrentMemoryContext,
									   (Size) (build->filter.meta.slab.blocks + 1) * BF_BLOCK_BYTES,
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	build->blocks = (uint8 *) TYPEALIGN(BF_BLOCK_BYTES, chunk);
	bf_index_set_phase(BF_PHASE_SCAN);
	result->heap_tuples = table_index_build_scan(heap, index, info, true, true, add_row, build,
												 NULL);
	result->index_tuples = build->rows;
	add_batch(build);
	if (info->ii_BrokenHotChain)
		build->filter.meta.builder = GetTopFullTransactionId();
	if (RelationNeedsWAL(index))
		build->filter.meta.standby_builder = GetTopFullTransactionId();
	write_pages(index, MAIN_FORKNUM, build, false);
	if (RelationNeedsWAL(index))
	{
		bf_index_set_phase(BF_PHASE_WAL);
		log_newpage_range(index, MAIN_FORKNUM, 0, RelationGetNumberOfBlocks(index), true);
	}
	pfree(chunk);
	return result;
}

void
bf_table_check_definition(Relation index)
{
	choose_filter(create_build(), index, NULL);
}

void
bf_table_build_empty(Relation index)
{
	Build	   *build = create_build();

	choose_filter(build, index, NULL);
	write_pages(index, INIT_FORKNUM, build, true);
}
