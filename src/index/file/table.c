/*-------------------------------------------------------------------------
 *
 * table.c
 *		An index that is one filter of the table's values: scope = 'table'.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "core/sizing.h"
#include "index/file/horizon.h"
#include "index/file/table.h"

bool
bf_is_table_filter(Relation index)
{
	Buffer		buffer;
	bool		result;

	if (index->rd_amcache != NULL)
		return *(const BfIndexScope *) index->rd_amcache == BF_SCOPE_TABLE;
	buffer = ReadBuffer(index, BF_METAPAGE);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	result = bf_page_is_of_kind(BufferGetPage(buffer), BF_PAGE_TABLE_META);
	if (!result)
		bf_page_check(index, buffer, BF_PAGE_META, 0);
	UnlockReleaseBuffer(buffer);
	return result;
}

void
bf_table_meta_init(Page page, const BfTableFilter *filter)
{
	BfTableMeta *meta = BF_TABLE_META(page);

	bf_page_init(page, BF_METAPAGE, BF_PAGE_TABLE_META, 0);
	*meta = filter->meta;
	meta->magic = BF_INDEX_MAGIC;
	meta->version = BF_INDEX_VERSION;
	((PageHeader) page)->pd_lower = (char *) (meta + 1) - (char *) page;
}

/* ---------- reading ---------- */

static bool
has_possible_sizes(const BfSlab *slab)
{
	return slab->blocks >= 1 && slab->blocks <= BF_MAX_BLOCKS &&
		slab->k >= 1 && slab->k <= BF_MAX_HASHES &&
		slab->ranges == 1 && slab->set_blocks == 0;
}

static void
check_table_meta(Relation index, const BfTableMeta *meta)
{
	bool		has_successor = bf_slab_exists(&meta->successor);
	BlockNumber pages = RelationGetNumberOfBlocks(index);

	bf_page_check_format(index, meta->magic, meta->version);
	if (RelationGetNumberOfAttributes(index) != 1)
		bf_page_damaged(index, BF_METAPAGE, "A filter of the table has one column.");
	if (!bf_slab_exists(&meta->slab) || !has_possible_sizes(&meta->slab) ||
		(has_successor && !has_possible_sizes(&meta->successor)) ||
		meta->family < 1 || meta->family > BF_FAMILY_LAST ||
		meta->capacity < 1 || !(meta->rate >= BF_MIN_RATE && meta->rate < 1))
		bf_page_damaged(index, BF_METAPAGE, "The filter of the table has impossible sizes.");
	if (meta->slab.first_page + bf_slab_pages(&meta->slab) > pages ||
		(has_successor && meta->successor.first_page + bf_slab_pages(&meta->successor) > pages))
		bf_page_damaged(index, BF_METAPAGE, "The index has fewer pages than its filter.");
}

static Buffer
lock_meta(Relation index, int lock)
{
	return bf_page_read(index, BF_METAPAGE, BF_PAGE_TABLE_META, 0, lock);
}

const BfTableFilter *
bf_table_filter(Relation index, bool refresh)
{
	BfTableFilter *filter = index->rd_amcache;
	Buffer		buffer;
	const BfTableMeta *meta;

	Assert(filter == NULL || filter->scope == BF_SCOPE_TABLE);
	if (filter != NULL && !refresh)
		return filter;
	buffer = lock_meta(index, BUFFER_LOCK_SHARE);
	meta = BF_TABLE_META(BufferGetPage(buffer));
	if (filter == NULL || filter->meta.generation != meta->generation)
	{
		check_table_meta(index, meta);
		if (filter == NULL)
			filter = MemoryContextAlloc(index->rd_indexcxt, sizeof(BfTableFilter));
		filter->scope = BF_SCOPE_TABLE;
		filter->meta = *meta;
		index->rd_amcache = filter;
	}
	UnlockReleaseBuffer(buffer);
	return filter;
}

/*
 * Where snapshots expire, VACUUM may have removed rows that an old one sees, and
 * the index may have been built, or the filter made anew, since.
 */
static void
test_for_old_snapshot(Relation index, Snapshot snapshot)
{
	Buffer		buffer;

	if (!BF_SNAPSHOTS_EXPIRE)
		return;
	buffer = lock_meta(index, BUFFER_LOCK_SHARE);
	BF_TEST_FOR_OLD_SNAPSHOT(snapshot, index, BufferGetPage(buffer));
	UnlockReleaseBuffer(buffer);
}

bool
bf_table_is_behind(Relation index, Snapshot snapshot)
{
	const BfTableFilter *filter = bf_table_filter(index, false);

	test_for_old_snapshot(index, snapshot);
	if (bf_is_before_build(snapshot, filter->meta.builder))
		return true;
	return snapshot->takenDuringRecovery &&
		(bf_is_before_build(snapshot, filter->meta.standby_builder) ||
		 bf_is_behind(snapshot, filter->meta.standby_horizon));
}

/*
 * Replay of WAL takes what is behind pd_lower for zeros.  It is at the end of the
 * blocks from the beginning (table_build.c); a successor's gets there at last.
 */
static void
check_end(Relation index, Buffer buffer, const BfTableFilter *filter, const BfSlab *slab)
{
	const PageHeaderData *header = (const PageHeaderData *) BufferGetPage(buffer);
	BlockNumber block = BufferGetBlockNumber(buffer);
	Size		end = BF_FIRST_SLOT + bf_table_page_bytes(slab, block);

	if (header->pd_lower > end || (header->pd_lower < end && slab == &filter->meta.slab))
		bf_page_damaged(index, block, "The page does not end where its blocks do.");
}

Buffer
bf_table_page_read(Relation index, BlockNumber block, const BfTableFilter *filter,
				   const BfSlab *slab)
{
	Buffer		buffer = bf_slab_read(index, block, slab, filter->meta.generation,
									  BUFFER_LOCK_SHARE);

	if (BufferIsValid(buffer))
		check_end(index, buffer, filter, slab);
	return buffer;
}

bool
bf_table_contains(Relation index, uint64 hash)
{
	const BfTableFilter *filter = bf_table_filter(index, false);
	BfPlace		place = bf_first_level_place(&filter->meta.slab, hash);
	Buffer		buffer = bf_table_page_read(index, place.page, filter, &filter->meta.slab);
	bool		result;

	while (!BufferIsValid(buffer))
	{
		CHECK_FOR_INTERRUPTS();
		filter = bf_table_filter(index, true);
		place = bf_first_level_place(&filter->meta.slab, hash);
		buffer = bf_table_page_read(index, place.page, filter, &filter->meta.slab);
	}
	result = bf_place_contains(BufferGetPage(buffer), &place, 0, hash, filter->meta.slab.k);
	UnlockReleaseBuffer(buffer);
	return result;
}

static void
add_blocks(uint8 *to, const uint8 *from, Size bytes)
{
	Size		i;

	for (i = 0; i < bytes; i += sizeof(uint64))
		bf_store_u64(to + i, bf_load_u64(to + i) | bf_load_u64(from + i));
}

bool
bf_table_read_page(Relation index, Buffer buffer, const BfTableFilter *filter, uint8 *blocks)
{
	const BfSlab *slab = &filter->meta.slab;
	BlockNumber block = BufferGetBlockNumber(buffer);
	bool		result;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	result = bf_slab_has_page(index, buffer, slab, filter->meta.generation);
	if (result)
	{
		check_end(index, buffer, filter, slab);
		add_blocks(blocks + (Size) (block - slab->first_page) * BF_SLOTS * BF_BLOCK_BYTES,
				   (const uint8 *) BufferGetPage(buffer) + BF_FIRST_SLOT,
				   bf_table_page_bytes(slab, block));
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return result;
}

BfPageRun *
bf_table_used_pages(const BfTableFilter *filter, uint32 *count)
{
	BfPageRun  *runs = palloc(2 * sizeof(BfPageRun));

	Assert(!bf_slab_exists(&filter->meta.successor));
	runs[0].first = BF_METAPAGE;
	runs[0].end = BF_METAPAGE + 1;
	runs[1].first = filter->meta.slab.first_page;
	runs[1].end = filter->meta.slab.first_page + (BlockNumber) bf_slab_pages(&filter->meta.slab);
	*count = 2;
	return runs;
}

/* ---------- writing ---------- */

/* A change of the metapage, which is locked meanwhile. */
typedef struct Change
{
	Buffer		buffer;
	GenericXLogState *xlog;
	BfTableMeta *meta;
} Change;

static Change
begin_change(Relation index)
{
	Change		change;

	change.buffer = lock_meta(index, BUFFER_LOCK_EXCLUSIVE);
	change.xlog = GenericXLogStart(index);
	change.meta = BF_TABLE_META(GenericXLogRegisterBuffer(change.xlog, change.buffer, 0));
	return change;
}

static void
end_change(Change *change)
{
	change->meta->generation++;
	GenericXLogFinish(change->xlog);
	UnlockReleaseBuffer(change->buffer);
}

void
bf_table_set_standby_horizon(Relation index, FullTransactionId horizon)
{
	Change		change = begin_change(index);

	change.meta->standby_horizon = horizon;
	end_change(&change);
}

void
bf_table_begin(Relation index, const BfSlab *successor)
{
	Change		change = begin_change(index);

	change.meta->successor = *successor;
	change.meta->slabs = successor->number;
	end_change(&change);
}

void
bf_table_end(Relation index, const BfSlab *successor, uint64 capacity,
			 FullTransactionId standby_horizon)
{
	Change		change = begin_change(index);

	change.meta->slab = *successor;
	change.meta->capacity = capacity;
	memset(&change.meta->successor, 0, sizeof(BfSlab));
	if (FullTransactionIdPrecedes(change.meta->standby_horizon, standby_horizon))
		change.meta->standby_horizon = standby_horizon;
	end_change(&change);
}

void
bf_table_cancel(Relation index)
{
	Change		change;

	if (!bf_slab_exists(&bf_table_filter(index, true)->meta.successor))
		return;
	change = begin_change(index);
	memset(&change.meta->successor, 0, sizeof(BfSlab));
	end_change(&change);
}
