/*-------------------------------------------------------------------------
 *
 * table.c
 *		An index that is one filter of the table's values: scope = 'table'.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "core/sizing.h"
#include "index/file/horizon.h"
#include "index/file/meta.h"
#include "index/file/table.h"

#define PAGE_META(page)	((BfTableMeta *) PageGetContents(page))

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
	BfTableMeta *meta = PAGE_META(page);

	bf_page_init(page, BF_METAPAGE, BF_PAGE_TABLE_META, 0);
	meta->magic = BF_INDEX_MAGIC;
	meta->version = BF_INDEX_VERSION;
	meta->blocks = filter->blocks;
	meta->family = (uint16) filter->family;
	meta->k = (uint16) filter->k;
	meta->environment = filter->environment;
	meta->capacity = filter->capacity;
	meta->rate = filter->rate;
	meta->builder = filter->builder;
	meta->standby_builder = filter->standby_builder;
	meta->standby_horizon = filter->standby_horizon;
	((PageHeader) page)->pd_lower = (char *) (meta + 1) - (char *) page;
}

static void
check_meta(Relation index, const BfTableMeta *meta)
{
	bf_page_check_format(index, meta->magic, meta->version);
	if (RelationGetNumberOfAttributes(index) != 1)
		bf_page_damaged(index, BF_METAPAGE, "A filter of the table has one column.");
	if (meta->blocks < 1 || meta->blocks > BF_MAX_BLOCKS ||
		meta->k < 1 || meta->k > BF_MAX_HASHES ||
		meta->family < 1 || meta->family > BF_FAMILY_LAST ||
		meta->capacity < 1 || !(meta->rate >= BF_MIN_RATE && meta->rate < 1))
		bf_page_damaged(index, BF_METAPAGE, "The filter of the table has impossible sizes.");
}

static void
read_meta(Relation index, BfTableFilter *filter)
{
	Buffer		buffer = bf_page_read(index, BF_METAPAGE, BF_PAGE_TABLE_META, 0,
									  BUFFER_LOCK_SHARE);
	const BfTableMeta *meta = PAGE_META(BufferGetPage(buffer));

	check_meta(index, meta);
	filter->scope = BF_SCOPE_TABLE;
	filter->blocks = meta->blocks;
	filter->k = meta->k;
	filter->family = (BfFamily) meta->family;
	filter->environment = meta->environment;
	filter->capacity = meta->capacity;
	filter->rate = meta->rate;
	filter->builder = meta->builder;
	filter->standby_builder = meta->standby_builder;
	filter->standby_horizon = meta->standby_horizon;
	UnlockReleaseBuffer(buffer);
	if (RelationGetNumberOfBlocks(index) <= bf_table_pages(filter))
		bf_page_damaged(index, BF_METAPAGE, "The index has fewer pages than its filter.");
}

const BfTableFilter *
bf_table_filter(Relation index)
{
	BfTableFilter filter = {0};

	if (index->rd_amcache == NULL)
	{
		read_meta(index, &filter);
		index->rd_amcache = MemoryContextAlloc(index->rd_indexcxt, sizeof(BfTableFilter));
		memcpy(index->rd_amcache, &filter, sizeof(BfTableFilter));
	}
	Assert(bf_is_table_filter(index));
	return index->rd_amcache;
}

bool
bf_table_is_behind(Relation index, Snapshot snapshot)
{
	const BfTableFilter *filter = bf_table_filter(index);

	if (bf_is_before_build(snapshot, filter->builder))
		return true;
	return snapshot->takenDuringRecovery &&
		(bf_is_before_build(snapshot, filter->standby_builder) ||
		 bf_is_behind(snapshot, filter->standby_horizon));
}

void
bf_table_set_standby_horizon(Relation index, FullTransactionId horizon)
{
	Buffer		buffer = bf_page_read(index, BF_METAPAGE, BF_PAGE_TABLE_META, 0,
									  BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog = GenericXLogStart(index);

	PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0))->standby_horizon = horizon;
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
}

/* Replay of WAL takes what is behind pd_lower for zeros. */
static void
check_end(Relation index, Buffer buffer, const BfTableFilter *filter)
{
	const PageHeaderData *header = (const PageHeaderData *) BufferGetPage(buffer);
	BlockNumber block = BufferGetBlockNumber(buffer);

	if (header->pd_lower != BF_FIRST_SLOT + bf_table_page_bytes(filter, block))
		bf_page_damaged(index, block, "The page does not end where its blocks do.");
}

Buffer
bf_table_page_read(Relation index, BlockNumber block, const BfTableFilter *filter)
{
	Buffer		buffer = bf_page_read(index, block, BF_PAGE_SLAB, BF_TABLE_SLAB, BUFFER_LOCK_SHARE);

	check_end(index, buffer, filter);
	return buffer;
}

bool
bf_table_contains(Relation index, uint64 hash)
{
	const BfTableFilter *filter = bf_table_filter(index);
	BfPlace		place = bf_table_place(filter, hash);
	Buffer		buffer = bf_table_page_read(index, place.page, filter);
	bool		result = bf_place_contains(BufferGetPage(buffer), &place, 0, hash, filter->k);

	UnlockReleaseBuffer(buffer);
	return result;
}

void
bf_table_read_page(Relation index, Buffer buffer, const BfTableFilter *filter, uint8 *blocks)
{
	BlockNumber block = BufferGetBlockNumber(buffer);
	Size		bytes = bf_table_page_bytes(filter, block);
	uint8	   *to = blocks + (Size) (block - BF_METAPAGE - 1) * BF_SLOTS * BF_BLOCK_BYTES;
	const uint8 *from;
	Size		i;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	bf_page_check(index, buffer, BF_PAGE_SLAB, BF_TABLE_SLAB);
	check_end(index, buffer, filter);
	from = (const uint8 *) BufferGetPage(buffer) + BF_FIRST_SLOT;
	for (i = 0; i < bytes; i += sizeof(uint64))
		bf_store_u64(to + i, bf_load_u64(to + i) | bf_load_u64(from + i));
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
}
