/*-------------------------------------------------------------------------
 *
 * directory.c
 *		The directory of a filter index: which slabs there are, and where.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/file/directory.h"

StaticAssertDecl(sizeof(BfSlab) == 24, "the slabs in the directory have another size");
StaticAssertDecl(INDEX_MAX_KEYS * sizeof(BfSlab) <= BF_PAGE_CONTENTS,
				 "a group does not fit in a page");

/* Groups whose slabs fit in a page: a group is never split. */
static inline uint32
groups_per_page(uint32 columns)
{
	return BF_PAGE_CONTENTS / (columns * sizeof(BfSlab));
}

static inline uint32
directory_pages(uint32 groups, uint32 columns)
{
	uint32		per_page = groups_per_page(columns);

	return groups / per_page + (groups % per_page != 0);
}

static inline BfSlab *
page_slabs(Page page, uint32 group, uint32 columns)
{
	return (BfSlab *) PageGetContents(page) + group % groups_per_page(columns) * columns;
}

static void
check_pages_number(Relation index, uint32 pages)
{
	if (pages > BF_MAX_DIRECTORY_PAGES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("table is too large for index \"%s\"", RelationGetRelationName(index)),
				 errdetail("The directory of an index has at most %d pages.",
						   (int) BF_MAX_DIRECTORY_PAGES),
				 errhint("Make an index for each column, or partition the table.")));
}

/* ---------- reading ---------- */

static void
check_slab(Relation index, const BfSlab *slab, uint64 first_heap_page, BlockNumber pages)
{
	if (slab->first_heap_page != first_heap_page ||
		slab->ranges < 1 || slab->ranges > BF_SLOTS ||
		slab->set_pages < 1 || slab->set_pages > BF_MAX_SET_PAGES)
		bf_page_damaged(index, BF_METAPAGE, "A group in the directory is not in its place.");
	if (bf_slab_exists(slab) &&
		(slab->blocks < 1 || slab->blocks > BF_MAX_BLOCKS || slab->set_blocks < 1 ||
		 slab->k < 1 || slab->k > BF_MAX_HASHES || slab->set_k < 1 || slab->set_k > BF_MAX_HASHES ||
		 slab->first_page + bf_slab_pages(slab) > pages))
		bf_page_damaged(index, BF_METAPAGE, "A slab in the directory has impossible sizes.");
}

/* The successors of the slabs of the group that is rebuilt. */
static void
check_successors(Relation index, const BfDirectory *directory, BlockNumber pages)
{
	const BfSlab *old = bf_directory_slab(directory, directory->rebuilt_group, 0);
	uint32		column;

	for (column = 0; column < directory->columns; column++)
	{
		const BfSlab *slab = bf_directory_successor(directory, directory->rebuilt_group, column);

		if (slab == NULL)
			continue;
		check_slab(index, slab, old->first_heap_page, pages);
		if (slab->ranges != old->ranges || slab->set_pages != old->set_pages)
			bf_page_damaged(index, BF_METAPAGE, "A successor has other ranges than its slab.");
	}
}

/* Every later reader relies on what is checked here. */
static void
check_directory(Relation index, const BfDirectory *directory, BlockNumber pages)
{
	uint64		next = 0;
	uint32		group;
	uint32		column;

	for (group = 0; group < directory->groups; group++)
	{
		const BfSlab *first = bf_directory_slab(directory, group, 0);

		for (column = 0; column < directory->columns; column++)
		{
			const BfSlab *slab = bf_directory_slab(directory, group, column);

			check_slab(index, slab, next, pages);
			if (slab->ranges != first->ranges || slab->set_pages != first->set_pages)
				bf_page_damaged(index, BF_METAPAGE, "The slabs of a group differ in their ranges.");
		}
		if (group == directory->rebuilt_group)
			check_successors(index, directory, pages);
		next = bf_group_end(first);
		if (next > (uint64) MaxBlockNumber + 1 + BF_SLOTS * (uint64) bf_range_pages(first))
			bf_page_damaged(index, BF_METAPAGE, "The directory has more groups than a table can have.");
	}
}

/* The caller has locked the metapage. */
static BfDirectory *
read_directory(Relation index, const BfMeta *meta)
{
	uint32		per_page = groups_per_page(meta->columns);
	uint32		pages = directory_pages(meta->groups, meta->columns);
	BlockNumber index_pages = RelationGetNumberOfBlocks(index);
	Size		size = offsetof(BfDirectory, slab) +
		((Size) meta->groups + 1) * meta->columns * sizeof(BfSlab);
	BfDirectory *directory;
	BfDirectory *result;
	uint32		i;

	if (pages > BF_MAX_DIRECTORY_PAGES)
		bf_page_damaged(index, BF_METAPAGE, "The metapage has too many groups.");
	directory = MemoryContextAllocHuge(CurrentMemoryContext, size);
	directory->scope = BF_SCOPE_RANGES;
	directory->generation = meta->generation;
	directory->columns = meta->columns;
	directory->groups = meta->groups;
	directory->slabs = meta->slabs;
	directory->horizon = meta->horizon;
	directory->standby_horizon = meta->standby_horizon;
	directory->rebuilt_group = meta->rebuilt_group;
	memcpy(&directory->slab[(Size) meta->groups * meta->columns], meta->successors,
		   meta->columns * sizeof(BfSlab));
	for (i = 0; i < pages; i++)
	{
		uint32		groups = Min(per_page, meta->groups - i * per_page);
		Buffer		buffer;

		/* the metapage is locked: from 19 on, locking it twice waits for ever */
		if (meta->directory[i] == BF_METAPAGE || meta->directory[i] >= index_pages)
			bf_page_damaged(index, BF_METAPAGE, "A page of the directory is not in the index.");
		buffer = bf_page_read(index, meta->directory[i], BF_PAGE_DIRECTORY, 0, BUFFER_LOCK_SHARE);
		memcpy(&directory->slab[(Size) i * per_page * meta->columns],
			   PageGetContents(BufferGetPage(buffer)),
			   (Size) groups * meta->columns * sizeof(BfSlab));
		UnlockReleaseBuffer(buffer);
	}
	check_directory(index, directory, index_pages);
	/* only now: what an error leaves in the relcache would stay */
	result = MemoryContextAllocHuge(index->rd_indexcxt, size);
	memcpy(result, directory, size);
	pfree(directory);
	return result;
}

void
bf_directory_forget(Relation index)
{
	if (index->rd_amcache != NULL)
		pfree(index->rd_amcache);
	index->rd_amcache = NULL;
}

const BfDirectory *
bf_directory(Relation index, bool refresh)
{
	const BfDirectory *directory = index->rd_amcache;
	Buffer		buffer;
	const BfMeta *meta;

	if (directory != NULL && !refresh)
		return directory;
	buffer = bf_meta_read(index, BUFFER_LOCK_SHARE);
	meta = BF_PAGE_META(BufferGetPage(buffer));
	if (directory == NULL || directory->generation != meta->generation)
	{
		bf_directory_forget(index);
		index->rd_amcache = read_directory(index, meta);
	}
	UnlockReleaseBuffer(buffer);
	return index->rd_amcache;
}

uint32
bf_directory_find(const BfDirectory *directory, BlockNumber heap_page)
{
	uint32		low = 0;
	uint32		high = directory->groups;

	/* the first group that begins after the page */
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;

		if (bf_directory_slab(directory, middle, 0)->first_heap_page <= heap_page)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || heap_page >= bf_group_end(bf_directory_slab(directory, low - 1, 0)))
		return BF_NO_GROUP;
	return low - 1;
}

bool
bf_directory_is_current(Relation index, uint32 generation)
{
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_SHARE);
	bool		result = BF_PAGE_META(BufferGetPage(buffer))->generation == generation;

	UnlockReleaseBuffer(buffer);
	return result;
}

bool
bf_slab_has_page(Relation index, Buffer buffer, const BfSlab *slab, uint32 generation)
{
	if (bf_page_is_of_slab(BufferGetPage(buffer), BufferGetBlockNumber(buffer), slab->number))
		return true;
	/* the metapage is locked after slabs, never before */
	if (!bf_directory_is_current(index, generation))
		return false;
	bf_page_check(index, buffer, BF_PAGE_SLAB, slab->number);
	return true;
}

Buffer
bf_slab_read(Relation index, BlockNumber block, const BfSlab *slab, uint32 generation, int lock)
{
	Buffer		buffer = ReadBuffer(index, block);

	LockBuffer(buffer, lock);
	if (bf_slab_has_page(index, buffer, slab, generation))
		return buffer;
	UnlockReleaseBuffer(buffer);
	return InvalidBuffer;
}

static void
use_slab(BfPageRun *runs, uint32 *count, const BfSlab *slab)
{
	if (slab == NULL || !bf_slab_exists(slab))
		return;
	runs[*count].first = slab->first_page;
	runs[*count].end = slab->first_page + (BlockNumber) bf_slab_pages(slab);
	(*count)++;
}

static void
use_page(BfPageRun *runs, uint32 *count, BlockNumber page)
{
	runs[*count].first = page;
	runs[*count].end = page + 1;
	(*count)++;
}

BfPageRun *
bf_directory_used_pages(Relation index, const BfDirectory *directory, uint32 *count)
{
	uint32		pages = directory_pages(directory->groups, directory->columns);
	Size		most = 1 + pages + ((Size) directory->groups + 1) * directory->columns;
	BfPageRun  *runs = MemoryContextAllocHuge(CurrentMemoryContext, most * sizeof(BfPageRun));
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_SHARE);
	uint32		group;
	uint32		column;
	uint32		i;

	*count = 0;
	use_page(runs, count, BF_METAPAGE);
	for (i = 0; i < pages; i++)
		use_page(runs, count, BF_PAGE_META(BufferGetPage(buffer))->directory[i]);
	UnlockReleaseBuffer(buffer);
	for (group = 0; group < directory->groups; group++)
		for (column = 0; column < directory->columns; column++)
		{
			use_slab(runs, count, bf_directory_slab(directory, group, column));
			use_slab(runs, count, bf_directory_successor(directory, group, column));
		}
	return runs;
}

/* ---------- writing ---------- */

/* Make an empty page of the directory the newest one. */
static void
add_directory_page(Page metapage, Page page, BlockNumber block, uint32 number)
{
	BfMeta	   *meta = BF_PAGE_META(metapage);

	bf_page_init(page, block, BF_PAGE_DIRECTORY, 0);
	meta->directory[number] = block;
	((PageHeader) metapage)->pd_lower = (char *) &meta->directory[number + 1] - (char *) metapage;
}

static void
put_slabs(Page page, uint32 group, const BfSlab *slabs, uint32 columns)
{
	BfSlab	   *place = page_slabs(page, group, columns);
	PageHeader	header = (PageHeader) page;
	LocationIndex end = (char *) (place + columns) - (char *) page;

	memcpy(place, slabs, columns * sizeof(BfSlab));
	if (header->pd_lower < end)
		header->pd_lower = end;
}

void
bf_directory_put(Relation index, uint32 group, const BfSlab *slabs, uint32 newest_slab)
{
	Buffer		meta_buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	const BfMeta *old = BF_PAGE_META(BufferGetPage(meta_buffer));
	uint32		columns = old->columns;
	uint32		number = group / groups_per_page(columns);
	bool		is_new = number == directory_pages(old->groups, columns);
	GenericXLogState *xlog;
	Buffer		buffer;
	Page		metapage;
	Page		page;
	BfMeta	   *meta;

	Assert(group <= old->groups);
	if (is_new)
	{
		check_pages_number(index, number + 1);
		buffer = ReadBuffer(index, P_NEW);
		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	}
	else
		buffer = bf_page_read(index, old->directory[number], BF_PAGE_DIRECTORY, 0,
							  BUFFER_LOCK_EXCLUSIVE);

	xlog = GenericXLogStart(index);
	metapage = GenericXLogRegisterBuffer(xlog, meta_buffer, 0);
	page = GenericXLogRegisterBuffer(xlog, buffer, is_new ? GENERIC_XLOG_FULL_IMAGE : 0);
	if (is_new)
		add_directory_page(metapage, page, BufferGetBlockNumber(buffer), number);
	put_slabs(page, group, slabs, columns);
	meta = BF_PAGE_META(metapage);
	meta->groups = Max(meta->groups, group + 1);
	meta->slabs = newest_slab;
	meta->generation++;
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
	UnlockReleaseBuffer(meta_buffer);
}

void
bf_directory_begin_rebuild(Relation index, uint32 group, const BfSlab *successors,
						   uint32 newest_slab)
{
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog = GenericXLogStart(index);
	BfMeta	   *meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0));

	Assert(group < meta->groups && meta->rebuilt_group == BF_NO_GROUP);
	meta->rebuilt_group = group;
	memcpy(meta->successors, successors, meta->columns * sizeof(BfSlab));
	meta->slabs = newest_slab;
	meta->generation++;
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
}

static void
forget_successors(BfMeta *meta)
{
	meta->rebuilt_group = BF_NO_GROUP;
	memset(meta->successors, 0, sizeof(meta->successors));
	meta->generation++;
}

void
bf_directory_end_rebuild(Relation index, uint32 group, const BfSlab *successors,
						 FullTransactionId standby_horizon)
{
	Buffer		meta_buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	const BfMeta *old = BF_PAGE_META(BufferGetPage(meta_buffer));
	Buffer		buffer = bf_page_read(index, old->directory[group / groups_per_page(old->columns)],
									  BF_PAGE_DIRECTORY, 0, BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog = GenericXLogStart(index);
	BfMeta	   *meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, meta_buffer, 0));
	BfSlab	   *slabs = page_slabs(GenericXLogRegisterBuffer(xlog, buffer, 0), group, meta->columns);
	uint32		column;

	for (column = 0; column < meta->columns; column++)
		if (bf_slab_exists(&successors[column]))
			slabs[column] = successors[column];
	if (FullTransactionIdPrecedes(meta->standby_horizon, standby_horizon))
		meta->standby_horizon = standby_horizon;
	forget_successors(meta);
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
	UnlockReleaseBuffer(meta_buffer);
}

void
bf_directory_cancel_rebuild(Relation index)
{
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog;

	if (BF_PAGE_META(BufferGetPage(buffer))->rebuilt_group != BF_NO_GROUP)
	{
		xlog = GenericXLogStart(index);
		forget_successors(BF_PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0)));
		GenericXLogFinish(xlog);
	}
	UnlockReleaseBuffer(buffer);
}

void
bf_directory_create(Relation index, const BfSlab *slabs, uint32 groups, uint32 newest_slab,
					FullTransactionId horizon, FullTransactionId standby_horizon)
{
	Buffer		meta_buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	Page		metapage = BufferGetPage(meta_buffer);
	BfMeta	   *meta = BF_PAGE_META(metapage);
	uint32		per_page = groups_per_page(meta->columns);
	uint32		pages = directory_pages(groups, meta->columns);
	uint32		i;

	check_pages_number(index, pages);
	for (i = 0; i < pages; i++)
	{
		Buffer		buffer = ReadBuffer(index, P_NEW);
		Page		page = BufferGetPage(buffer);
		uint32		group = i * per_page;

		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		add_directory_page(metapage, page, BufferGetBlockNumber(buffer), i);
		for (; group < groups && group < (i + 1) * per_page; group++)
			put_slabs(page, group, slabs + (Size) group * meta->columns, meta->columns);
		MarkBufferDirty(buffer);
		UnlockReleaseBuffer(buffer);
	}
	meta->groups = groups;
	meta->slabs = newest_slab;
	meta->horizon = horizon;
	meta->standby_horizon = standby_horizon;
	meta->generation++;
	MarkBufferDirty(meta_buffer);
	UnlockReleaseBuffer(meta_buffer);
}
