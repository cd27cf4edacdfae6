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

uint32
bf_directory_max_covers(uint32 columns)
{
	return BF_MAX_COVER_PAGES * groups_per_page(columns);
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
	uint32		group = directory->successors_of[BF_GROUP_ROW];
	const BfSlab *old = bf_directory_slab(directory, group, 0);
	uint32		column;

	for (column = 0; column < directory->columns; column++)
	{
		const BfSlab *slab = bf_directory_successor(directory, group, column);

		if (slab == NULL)
			continue;
		check_slab(index, slab, old->first_heap_page, pages);
		if (slab->ranges != old->ranges || slab->set_pages != old->set_pages)
			bf_page_damaged(index, BF_METAPAGE, "A successor has other ranges than its slab.");
	}
}

static void
report_bad_cover(Relation index)
{
	bf_page_damaged(index, BF_METAPAGE, "A cover in the directory is not in its place, or has impossible sizes.");
}

/* Check a cover of so many groups from the given one on. */
static void
check_cover(Relation index, const BfDirectory *directory, const BfSlab *slab, uint32 first_group,
			uint32 groups, BlockNumber pages)
{
	if (groups < 1 || groups > BF_SLOTS || (uint64) first_group + groups > directory->groups ||
		(bf_slab_exists(slab) &&
		 (slab->first_heap_page != bf_directory_slab(directory, first_group, 0)->first_heap_page ||
		  slab->ranges < groups || slab->ranges > BF_SLOTS ||
		  slab->set_blocks != 0 || slab->blocks < 1 || slab->blocks > BF_MAX_BLOCKS ||
		  slab->k < 1 || slab->k > BF_MAX_HASHES ||
		  slab->first_page + bf_slab_pages(slab) > pages)))
		report_bad_cover(index);
}

/* Find the groups of the covers, of which the directory does not say more. */
static void
map_covers(Relation index, BfDirectory *directory)
{
	uint32	   *first = (uint32 *) bf_directory_first_groups(directory);
	uint32	   *rows = &first[directory->covers + 1];
	uint32		cover;
	uint32		group;

	first[directory->covers] = directory->covered;
	for (cover = 0; cover < directory->covers; cover++)
	{
		const BfSlab *slab = bf_directory_cover(directory, cover, 0);

		first[cover] = bf_directory_find(directory, slab->first_heap_page);
		if (first[cover] >= directory->covered ||
			bf_directory_slab(directory, first[cover], 0)->first_heap_page != slab->first_heap_page ||
			(cover == 0 ? first[cover] != 0 : first[cover] <= first[cover - 1]))
			report_bad_cover(index);
	}
	for (cover = 0; cover < directory->covers; cover++)
		for (group = first[cover]; group < first[cover + 1]; group++)
			rows[group] = cover;
}

/* The metapage has been checked: there are all covered groups, and each row has a place. */
static void
check_covers(Relation index, BfDirectory *directory, BlockNumber pages)
{
	uint32		successors_of = directory->successors_of[BF_COVER_ROW];
	uint32		cover;
	uint32		column;

	map_covers(index, directory);
	for (column = 0; column < directory->columns; column++)
	{
		const BfSlab *successor = bf_directory_cover(directory, directory->covers, column);

		for (cover = 0; cover < directory->covers; cover++)
		{
			uint32		first = bf_directory_first_group(directory, cover);

			check_cover(index, directory, bf_directory_cover(directory, cover, column), first,
						bf_directory_first_group(directory, cover + 1) - first, pages);
		}
		if (successors_of != BF_NO_GROUP && bf_slab_exists(successor))
			check_cover(index, directory, successor,
						bf_directory_first_group(directory, successors_of), successor->ranges, pages);
	}
}

/* Every later reader relies on what is checked here. */
static void
check_directory(Relation index, BfDirectory *directory, BlockNumber pages)
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
		if (group == directory->successors_of[BF_GROUP_ROW])
			check_successors(index, directory, pages);
		next = bf_group_end(first);
		if (next > (uint64) MaxBlockNumber + 1 + BF_SLOTS * (uint64) bf_range_pages(first))
			bf_page_damaged(index, BF_METAPAGE, "The directory has more groups than a table can have.");
	}
	check_covers(index, directory, pages);
}

/* Copy the slabs of rows from a page of the directory. */
static void
read_slabs(Relation index, BlockNumber block, BlockNumber index_pages, BfSlab *slabs, Size count)
{
	Buffer		buffer;

	/* the metapage is locked: from 19 on, locking it twice waits for ever */
	if (block == BF_METAPAGE || block >= index_pages)
		bf_page_damaged(index, BF_METAPAGE, "A page of the directory is not in the index.");
	buffer = bf_page_read(index, block, BF_PAGE_DIRECTORY, 0, BUFFER_LOCK_SHARE);
	memcpy(slabs, PageGetContents(BufferGetPage(buffer)), count * sizeof(BfSlab));
	UnlockReleaseBuffer(buffer);
}

/* Copy rows of slabs from pages of the directory. */
static void
read_rows(Relation index, const BlockNumber *pages, BlockNumber index_pages, BfSlab *slabs,
		  uint32 rows, uint32 columns)
{
	uint32		per_page = groups_per_page(columns);
	uint32		row;

	for (row = 0; row < rows; row += per_page)
		read_slabs(index, pages[row / per_page], index_pages, slabs + (Size) row * columns,
				   (Size) Min(per_page, rows - row) * columns);
}

/* With the successors of one group and one cover. */
static Size
directory_size(uint32 groups, uint32 covers, uint32 covered, uint32 columns)
{
	return offsetof(BfDirectory, slab) + ((Size) groups + covers + 2) * columns * sizeof(BfSlab) +
		((Size) covers + 1 + covered) * sizeof(uint32);
}

/* The caller has locked the metapage. */
static BfDirectory *
read_directory(Relation index, const BfMeta *meta)
{
	uint32		pages = directory_pages(meta->groups, meta->columns);
	BlockNumber index_pages = RelationGetNumberOfBlocks(index);
	Size		size = directory_size(meta->groups, meta->covers, meta->covered, meta->columns);
	BfDirectory *directory;
	BfDirectory *result;

	if (pages > BF_MAX_DIRECTORY_PAGES)
		bf_page_damaged(index, BF_METAPAGE, "The metapage has too many groups.");
	if (meta->covers > bf_directory_max_covers(meta->columns))
		bf_page_damaged(index, BF_METAPAGE, "The metapage has too many covers.");
	directory = MemoryContextAllocHuge(CurrentMemoryContext, size);
	directory->scope = BF_SCOPE_RANGES;
	directory->generation = meta->generation;
	directory->columns = meta->columns;
	directory->groups = meta->groups;
	directory->slabs = meta->slabs;
	directory->horizon = meta->horizon;
	directory->standby_horizon = meta->standby_horizon;
	directory->covers = meta->covers;
	directory->covered = meta->covered;
	directory->successors_of[BF_GROUP_ROW] = meta->successors[BF_GROUP_ROW].row;
	directory->successors_of[BF_COVER_ROW] = meta->successors[BF_COVER_ROW].row;
	memcpy(&directory->slab[(Size) meta->groups * meta->columns],
		   meta->successors[BF_GROUP_ROW].slabs, meta->columns * sizeof(BfSlab));
	read_rows(index, meta->directory, index_pages, directory->slab, meta->groups, meta->columns);
	read_rows(index, meta->cover_pages, index_pages,
			  &directory->slab[((Size) meta->groups + 1) * meta->columns], meta->covers,
			  meta->columns);
	memcpy(&directory->slab[((Size) meta->groups + 1 + meta->covers) * meta->columns],
		   meta->successors[BF_COVER_ROW].slabs, meta->columns * sizeof(BfSlab));
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

const BfDirectory *
bf_directory_copy(const BfDirectory *directory)
{
	Size		size = directory_size(directory->groups, directory->covers, directory->covered,
									  directory->columns);
	BfDirectory *result = MemoryContextAllocHuge(CurrentMemoryContext, size);

	memcpy(result, directory, size);
	return result;
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

/* The first group of BF_SLOTS ranges; or BF_NO_GROUP. */
static uint32
first_full_group(const BfDirectory *directory)
{
	uint32		group;

	for (group = 0; group < directory->groups; group++)
		if (bf_directory_slab(directory, group, 0)->ranges == BF_SLOTS)
			return group;
	return BF_NO_GROUP;
}

BfRegion
bf_directory_region(const BfDirectory *directory, uint32 group)
{
	uint32		full = first_full_group(directory);
	uint32		base = group < full ? 0 : full;
	BfRegion	region;

	region.number = (group - base) / BF_SLOTS;
	region.first = base + region.number * BF_SLOTS;
	region.end = region.first + BF_SLOTS;
	if (group < full)
		region.end = Min(region.end, full);
	return region;
}

bool
bf_slab_has_page(Relation index, Buffer buffer, const BfSlab *slab, uint32 generation)
{
	Page		page = BufferGetPage(buffer);

	if (bf_page_is_of_slab(page, BufferGetBlockNumber(buffer), slab->number))
		return true;

	/*
	 * The metapage is locked after slabs, never before.  Who writes locks it before
	 * the directory, whose pages were never a slab's.
	 */
	if (!bf_page_is_of_kind(page, BF_PAGE_DIRECTORY) && !bf_meta_is_current(index, generation))
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
	uint32		cover_pages = directory_pages(directory->covers, directory->columns);
	Size		most = 1 + pages + cover_pages +
		((Size) directory->groups + directory->covers + 2) * directory->columns;
	BfPageRun  *runs = MemoryContextAllocHuge(CurrentMemoryContext, most * sizeof(BfPageRun));
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_SHARE);
	const BfMeta *meta = BF_PAGE_META(BufferGetPage(buffer));
	uint32		group;
	uint32		column;
	uint32		i;

	*count = 0;
	use_page(runs, count, BF_METAPAGE);
	for (i = 0; i < pages; i++)
		use_page(runs, count, meta->directory[i]);
	for (i = 0; i < cover_pages; i++)
		use_page(runs, count, meta->cover_pages[i]);
	UnlockReleaseBuffer(buffer);
	for (group = 0; group < directory->groups; group++)
		for (column = 0; column < directory->columns; column++)
		{
			use_slab(runs, count, bf_directory_slab(directory, group, column));
			use_slab(runs, count, bf_directory_successor(directory, group, column));
		}
	for (column = 0; column < directory->columns; column++)
	{
		for (i = 0; i < directory->covers; i++)
			use_slab(runs, count, bf_directory_cover(directory, i, column));
		if (directory->successors_of[BF_COVER_ROW] != BF_NO_GROUP)
			use_slab(runs, count, bf_directory_cover(directory, directory->covers, column));
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
bf_directory_begin(Relation index, BfRowKind kind, uint32 row, const BfSlab *successors,
				   uint32 newest_slab)
{
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog = GenericXLogStart(index);
	BfMeta	   *meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0));

	Assert(meta->successors[kind].row == BF_NO_GROUP);
	meta->successors[kind].row = row;
	memcpy(meta->successors[kind].slabs, successors, meta->columns * sizeof(BfSlab));
	meta->slabs = newest_slab;
	meta->generation++;
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
}

static void
forget_successors(BfMeta *meta, BfRowKind kind)
{
	memset(&meta->successors[kind], 0, sizeof(BfSuccessors));
	meta->successors[kind].row = BF_NO_GROUP;
	meta->generation++;
}

/*
 * Lock the page of a row, and make it if the row is new, of covers, and the first in
 * it.  Returns the page, registered.
 */
static Page
register_page_of(Relation index, GenericXLogState *xlog, BfMeta *meta, BfRowKind kind, uint32 row,
				 Buffer *buffer)
{
	BlockNumber *pages = kind == BF_GROUP_ROW ? meta->directory : meta->cover_pages;
	BlockNumber *block = &pages[row / groups_per_page(meta->columns)];
	bool		is_new = kind == BF_COVER_ROW && row == meta->covers &&
		row % groups_per_page(meta->columns) == 0;
	Page		page;

	if (!is_new)
	{
		*buffer = bf_page_read(index, *block, BF_PAGE_DIRECTORY, 0, BUFFER_LOCK_EXCLUSIVE);
		return GenericXLogRegisterBuffer(xlog, *buffer, 0);
	}
	*buffer = ReadBuffer(index, P_NEW);
	LockBuffer(*buffer, BUFFER_LOCK_EXCLUSIVE);
	page = GenericXLogRegisterBuffer(xlog, *buffer, GENERIC_XLOG_FULL_IMAGE);
	*block = BufferGetBlockNumber(*buffer);
	bf_page_init(page, *block, BF_PAGE_DIRECTORY, 0);
	return page;
}

void
bf_directory_end(Relation index, BfRowKind kind, uint32 row, const BfSlab *successors,
				 uint32 covered, FullTransactionId standby_horizon)
{
	Buffer		meta_buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog = GenericXLogStart(index);
	BfMeta	   *meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, meta_buffer, 0));
	BfSlab		slabs[INDEX_MAX_KEYS];
	Buffer		buffer;
	Page		page = register_page_of(index, xlog, meta, kind, row, &buffer);
	uint32		column;

	memcpy(slabs, page_slabs(page, row, meta->columns), meta->columns * sizeof(BfSlab));
	for (column = 0; column < meta->columns; column++)
		if (covered > 0 || bf_slab_exists(&successors[column]))
			slabs[column] = successors[column];
	put_slabs(page, row, slabs, meta->columns);
	if (covered > 0)
	{
		meta->covers = row + 1;
		meta->covered = covered;
	}
	if (FullTransactionIdPrecedes(meta->standby_horizon, standby_horizon))
		meta->standby_horizon = standby_horizon;
	forget_successors(meta, kind);
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
	UnlockReleaseBuffer(meta_buffer);
}

void
bf_directory_cancel(Relation index)
{
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	const BfMeta *old = BF_PAGE_META(BufferGetPage(buffer));

	if (old->successors[BF_GROUP_ROW].row != BF_NO_GROUP ||
		old->successors[BF_COVER_ROW].row != BF_NO_GROUP)
	{
		GenericXLogState *xlog = GenericXLogStart(index);
		BfMeta	   *meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0));

		forget_successors(meta, BF_GROUP_ROW);
		forget_successors(meta, BF_COVER_ROW);
		GenericXLogFinish(xlog);
	}
	UnlockReleaseBuffer(buffer);
}

void
bf_directory_uncover_last(Relation index)
{
	Buffer		buffer = bf_meta_read(index, BUFFER_LOCK_EXCLUSIVE);
	GenericXLogState *xlog = GenericXLogStart(index);
	BfMeta	   *meta = BF_PAGE_META(GenericXLogRegisterBuffer(xlog, buffer, 0));

	Assert(meta->covered == meta->groups);
	meta->covered--;
	meta->generation++;
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
}

/* Append a page of the directory, of an index that is being built. */
static BlockNumber
create_page(Relation index, const BfSlab *slabs, uint32 rows, uint32 columns)
{
	Buffer		buffer = ReadBuffer(index, P_NEW);
	BlockNumber block = BufferGetBlockNumber(buffer);
	uint32		row;

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	bf_page_init(BufferGetPage(buffer), block, BF_PAGE_DIRECTORY, 0);
	for (row = 0; row < rows; row++)
		put_slabs(BufferGetPage(buffer), row, slabs + (Size) row * columns, columns);
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
	return block;
}

void
bf_directory_create(Relation index, const BfSlab *slabs, uint32 groups, const BfSlab *covers,
					uint32 cover_count, uint32 covered, uint32 newest_slab,
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
		meta->directory[i] = create_page(index, slabs + (Size) i * per_page * meta->columns,
										 Min(per_page, groups - i * per_page), meta->columns);
	((PageHeader) metapage)->pd_lower = (char *) &meta->directory[pages] - (char *) metapage;
	for (i = 0; i < directory_pages(cover_count, meta->columns); i++)
		meta->cover_pages[i] = create_page(index, covers + (Size) i * per_page * meta->columns,
										   Min(per_page, cover_count - i * per_page),
										   meta->columns);
	meta->covers = cover_count;
	meta->covered = covered;
	meta->groups = groups;
	meta->slabs = newest_slab;
	meta->horizon = horizon;
	meta->standby_horizon = standby_horizon;
	meta->generation++;
	MarkBufferDirty(meta_buffer);
	UnlockReleaseBuffer(meta_buffer);
}
