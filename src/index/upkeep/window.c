/*-------------------------------------------------------------------------
 *
 * window.c
 *		Filling slabs of an index with the rows of a table, beside writers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/memutils.h"

#include "compat.h"
#include "index/file/directory.h"
#include "index/upkeep/window.h"
#include "index/write/space.h"

/* In pages, at least one. */
static uint64
memory_limit(void)
{
	int			kilobytes = BF_IS_AUTOVACUUM_WORKER() && autovacuum_work_mem != -1 ?
		autovacuum_work_mem : maintenance_work_mem;

	return Max((uint64) kilobytes * 1024 / BLCKSZ, 1);
}

void
bf_window_publish(Relation index, BfRowKind kind, uint32 row, BfSlab *successors)
{
	const BfDirectory *directory;
	BfSpace		space;
	uint32		newest;
	int			column;

	LockRelationForExtension(index, ExclusiveLock);
	directory = bf_directory(index, true);
	newest = directory->slabs;
	space = bf_space_find(index, directory);
	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
	{
		if (successors[column].blocks == 0)
			continue;
		successors[column].number = ++newest;
		bf_space_give(&space, &successors[column]);
	}
	bf_directory_begin(index, kind, row, successors, newest);
	UnlockRelationForExtension(index, ExclusiveLock);
	pfree(space.runs);
}

void
bf_window_open(BfWindow *window, Relation index, const BfSlab *slabs)
{
	uint32		column;

	memset(window, 0, sizeof(BfWindow));
	window->index = index;
	window->columns = RelationGetNumberOfAttributes(index);
	window->slabs = slabs;
	for (column = 0; column < window->columns; column++)
	{
		window->first_page[column] = window->total;
		if (bf_slab_exists(&slabs[column]))
			window->total += bf_slab_pages(&slabs[column]);
	}
	window->room = Min(window->total, memory_limit());
	window->pages = MemoryContextAllocHuge(CurrentMemoryContext, window->room * BLCKSZ);
}

bool
bf_window_next(BfWindow *window)
{
	uint64		page;

	window->start = window->end;
	window->end = Min(window->start + window->room, window->total);
	if (window->start == window->total)
	{
		pfree(window->pages);
		return false;
	}
	for (page = window->start; page < window->end; page++)
		bf_page_init(window->pages + (page - window->start) * BLCKSZ, 0, BF_PAGE_SLAB, 0);
	return true;
}

/* Copy the block of a group to another page and place, as far as there are bits. */
static void
copy_block(Page to, const BfPlace *to_place, uint32 to_group, Page from, const BfPlace *from_place,
		   uint32 from_group)
{
	uint32		from_offset = bf_place_offset(from_place, from_group);
	uint32		offset = bf_place_offset(to_place, to_group);
	PageHeader	header = (PageHeader) to;

	if (from_offset >= ((PageHeader) from)->pd_lower)
		return;
	memcpy(to + offset, from + from_offset, BF_BLOCK_BYTES);
	header->pd_lower = (LocationIndex) Max(header->pd_lower, offset + BF_BLOCK_BYTES);
}

void
bf_window_copy(BfWindow *window, uint32 column, const BfSlab *from, uint32 groups,
			   const bool *wanted, uint32 place)
{
	const BfSlab *slab = &window->slabs[column];
	Buffer		buffer = InvalidBuffer;
	uint32		block;
	uint32		group;

	Assert(from->blocks == slab->blocks && from->k == slab->k);
	for (block = 0; block < slab->blocks; block++)
	{
		BfPlace		to_place = bf_block_place(slab, block);
		BfPlace		from_place = bf_block_place(from, block);
		Page		to = bf_window_page(window, column, to_place.page);

		if (to == NULL)
			continue;
		if (!BufferIsValid(buffer) || BufferGetBlockNumber(buffer) != from_place.page)
		{
			if (BufferIsValid(buffer))
				UnlockReleaseBuffer(buffer);
			BF_VACUUM_DELAY_POINT();
			buffer = bf_page_read(window->index, from_place.page, BF_PAGE_SLAB, from->number,
								  BUFFER_LOCK_SHARE);
		}
		for (group = 0; group < groups; group++)
			if (wanted[group])
				copy_block(to, &to_place, place + group, BufferGetPage(buffer), &from_place, group);
	}
	if (BufferIsValid(buffer))
		UnlockReleaseBuffer(buffer);
}

/* Set bits that are set in memory in a page of the index. */
static void
merge_page(Relation index, const BfSlab *slab, BlockNumber block, const char *from)
{
	LocationIndex end = ((const PageHeaderData *) from)->pd_lower;
	Buffer		buffer;
	GenericXLogState *xlog;
	Page		page;
	LocationIndex i;

	if (end == BF_FIRST_SLOT)
		return;
	buffer = bf_page_read(index, block, BF_PAGE_SLAB, slab->number, BUFFER_LOCK_EXCLUSIVE);
	xlog = GenericXLogStart(index);
	page = GenericXLogRegisterBuffer(xlog, buffer, GENERIC_XLOG_FULL_IMAGE);
	for (i = BF_FIRST_SLOT; i < end; i++)
		page[i] |= from[i];
	((PageHeader) page)->pd_lower = Max(((PageHeader) page)->pd_lower, end);
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
}

void
bf_window_merge(BfWindow *window)
{
	uint32		column;

	for (column = 0; column < window->columns; column++)
	{
		const BfSlab *slab = &window->slabs[column];
		uint64		first = window->first_page[column];
		uint64		page = Max(first, window->start);

		if (!bf_slab_exists(slab))
			continue;
		for (; page < Min(first + bf_slab_pages(slab), window->end); page++)
		{
			BF_VACUUM_DELAY_POINT();
			merge_page(window->index, slab, (BlockNumber) (slab->first_page + (page - first)),
					   window->pages + (page - window->start) * BLCKSZ);
		}
	}
}
