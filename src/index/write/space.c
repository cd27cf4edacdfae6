/*-------------------------------------------------------------------------
 *
 * space.c
 *		Giving pages to new slabs: free ones, or new ones at the end.
 *
 * A page is free if the directory does not need it.  So nothing has to be kept
 * about free pages, and none are lost when a crash or an error keeps new slabs
 * out of the directory.  If the disk became full, the next attempt begins with the
 * pages that were added at the end.
 *
 * Somebody may still look for an old slab in a page that is given away: by an
 * older copy of the directory, also on a standby.  The new slab's number in
 * the page tells that it is another slab's: no two slabs that were ever in the
 * directory have the same number.
 *
 * WAL for a page that is given away is written before its lock is released.
 * So the page cannot reach the disk before the record that took its old slab
 * out of the directory: after a crash, no slab in the directory has pages of
 * another.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/generic_xlog.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"

#include "index/write/space.h"

static int
compare_runs(const void *a, const void *b)
{
	BlockNumber first = ((const BfPageRun *) a)->first;
	BlockNumber second = ((const BfPageRun *) b)->first;

	return first < second ? -1 : first > second;
}

/* The runs in use become the gaps in front of them. */
static BfSpace
find_gaps(Relation index, BfPageRun *runs, uint32 used)
{
	BlockNumber pages = RelationGetNumberOfBlocks(index);
	BfSpace		space = {.index = index,.runs = runs};
	BlockNumber end = 0;
	uint32		i;

	qsort(space.runs, used, sizeof(BfPageRun), compare_runs);
	for (i = 0; i < used; i++)
	{
		BfPageRun	run = space.runs[i];

		if (run.first > end)
		{
			space.runs[space.count].first = end;
			space.runs[space.count].end = run.first;
			space.count++;
		}
		end = Max(end, run.end);
	}
	/* the last run in use has left room for what is behind it, if nothing else */
	if (pages > end)
	{
		space.runs[space.count].first = end;
		space.runs[space.count].end = pages;
		space.count++;
	}
	return space;
}

BfSpace
bf_space_find(Relation index, const BfDirectory *directory)
{
	uint32		used;
	BfPageRun  *runs = bf_directory_used_pages(index, directory, &used);

	return find_gaps(index, runs, used);
}

BfSpace
bf_table_space_find(Relation index, const BfTableFilter *filter)
{
	uint32		used;
	BfPageRun  *runs = bf_table_used_pages(filter, &used);

	return find_gaps(index, runs, used);
}

BlockNumber
bf_space_pages(BfSpace space)
{
	BlockNumber result = 0;
	uint32		i;

	for (i = 0; i < space.count; i++)
		result += space.runs[i].end - space.runs[i].first;
	pfree(space.runs);
	return result;
}

/*
 * Take so many pages from the smallest gap that has them.  If none has, those at the
 * end of the index, or none: the others can be appended to them.
 */
static BfPageRun
take_free_pages(BfSpace *space, uint64 pages)
{
	BfPageRun  *best = NULL;
	BfPageRun	result = {0};
	uint32		i;

	for (i = 0; i < space->count; i++)
	{
		BfPageRun  *run = &space->runs[i];

		if (run->end - run->first >= pages &&
			(best == NULL || run->end - run->first < best->end - best->first))
			best = run;
	}
	if (best == NULL && space->count > 0 &&
		space->runs[space->count - 1].end == RelationGetNumberOfBlocks(space->index))
		best = &space->runs[space->count - 1];
	if (best == NULL)
		return result;
	result.first = best->first;
	result.end = (BlockNumber) Min(best->first + pages, best->end);
	best->first = result.end;
	return result;
}

/* The next page of a slab, which is a free page or P_NEW, without values. */
static BlockNumber
init_page(Relation index, BlockNumber block, uint32 slab)
{
	Buffer		buffer;
	GenericXLogState *xlog;

	CHECK_FOR_INTERRUPTS();
	/* what is in a free page is not read */
	buffer = ReadBufferExtended(index, MAIN_FORKNUM, block,
								block == P_NEW ? RBM_NORMAL : RBM_ZERO_AND_LOCK, NULL);
	if (block == P_NEW)
		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	block = BufferGetBlockNumber(buffer);
	xlog = GenericXLogStart(index);
	bf_page_init(GenericXLogRegisterBuffer(xlog, buffer, GENERIC_XLOG_FULL_IMAGE), block,
				 BF_PAGE_SLAB, slab);
	GenericXLogFinish(xlog);
	UnlockReleaseBuffer(buffer);
	return block;
}

void
bf_space_give(BfSpace *space, BfSlab *slab)
{
	uint64		pages = bf_slab_pages(slab);
	BfPageRun	free = take_free_pages(space, pages);
	uint64		i;

	for (i = 0; i < pages; i++)
	{
		BlockNumber block = init_page(space->index,
									  free.first + i < free.end ? free.first + (BlockNumber) i : P_NEW,
									  slab->number);

		if (i == 0)
			slab->first_page = block;
		if (block != slab->first_page + i)
			elog(ERROR, "pages of index \"%s\" are not adjacent",
				 RelationGetRelationName(space->index));
	}
}

void
bf_space_append(Relation index, BlockNumber first, uint64 count, const char *pages)
{
	uint64		i;

	for (i = 0; i < count; i++)
	{
		Buffer		buffer;
		BlockNumber block;

		CHECK_FOR_INTERRUPTS();
		buffer = ReadBuffer(index, P_NEW);
		block = BufferGetBlockNumber(buffer);
		if (block != first + i)
			elog(ERROR, "pages of index \"%s\" are not adjacent", RelationGetRelationName(index));
		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		memcpy(BufferGetPage(buffer), pages + i * BLCKSZ, BLCKSZ);
		MarkBufferDirty(buffer);
		UnlockReleaseBuffer(buffer);
	}
}
