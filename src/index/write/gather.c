/*-------------------------------------------------------------------------
 *
 * gather.c
 *		The hashes of a group's values, gathered before its slabs are sized
 *		and filled.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "core/blocks.h"
#include "index/file/sizes.h"
#include "index/write/gather.h"

/*
 * Bits of the bitmaps that count distinct values.  A range of 126 pages of
 * 8 kB has at most 37,000 rows.
 */
#define RANGE_BITS		(1 << 17)
#define SET_BITS		(1 << 13)

#define FIRST_ROOM		1024

void
bf_gather_init(BfGathered *gathered)
{
	gathered->count = 0;
	gathered->room = FIRST_ROOM;
	gathered->hashes = palloc(FIRST_ROOM * sizeof(uint64));
	gathered->pages = palloc(FIRST_ROOM * sizeof(BlockNumber));
}

void
bf_gather_add(BfGathered *gathered, uint64 hash, BlockNumber page)
{
	if (gathered->count == gathered->room)
	{
		gathered->room *= 2;
		gathered->hashes = repalloc_huge(gathered->hashes, gathered->room * sizeof(uint64));
		gathered->pages = repalloc_huge(gathered->pages, gathered->room * sizeof(BlockNumber));
	}
	gathered->hashes[gathered->count] = hash;
	gathered->pages[gathered->count] = page;
	gathered->count++;
}

/*
 * The number of distinct hashes among some, by linear counting: Whang,
 * Vander-Zanden, Taylor, "A Linear-Time Probabilistic Counting Algorithm for
 * Database Applications", 1990.  The bitmap is scratch space.
 */
static double
count_distinct(const uint64 *hashes, Size count, uint8 *bitmap, uint32 bits)
{
	uint32		set;
	Size		i;

	memset(bitmap, 0, bits / 8);
	for (i = 0; i < count; i++)
	{
		uint32		bit = bf_block_index(hashes[i], bits);

		bitmap[bit / 8] |= (uint8) (1 << bit % 8);
	}
	set = (uint32) bf_blocks_popcount(bitmap, bits / BF_BLOCK_BITS);
	if (set == bits)
		return (double) count;
	return Min((double) count, -(double) bits * log1p(-(double) set / bits));
}

/* Count the pieces, of so many heap pages each, in which there are values. */
static void
count_pieces(const BfGathered *gathered, uint32 piece_pages, uint64 heap_pages, uint8 *bitmap,
			 uint32 bits, BfDensity *density)
{
	Size		start;
	Size		end;

	for (start = 0; start < gathered->count; start = end)
	{
		uint32		piece = gathered->pages[start] / piece_pages;
		uint64		piece_end = ((uint64) piece + 1) * piece_pages;
		double		distinct;

		CHECK_FOR_INTERRUPTS();
		for (end = start; end < gathered->count && gathered->pages[end] < piece_end; end++)
			;
		distinct = count_distinct(gathered->hashes + start, end - start, bitmap, bits);
		if (piece_end > heap_pages)
		{
			density->last = distinct * piece_pages / (heap_pages - (uint64) piece * piece_pages);
			break;
		}
		density->sum += distinct;
		density->pieces++;
	}
}

void
bf_gather_count(const BfGathered *gathered, const BfSlab *slab, uint64 heap_pages,
				BfDensities *densities)
{
	uint8	   *bitmap = palloc(RANGE_BITS / 8);

	count_pieces(gathered, bf_range_pages(slab), heap_pages, bitmap, RANGE_BITS,
				 &densities->ranges);
	count_pieces(gathered, slab->set_pages, heap_pages, bitmap, SET_BITS, &densities->sets);
	pfree(bitmap);
}

static double
mean_density(const BfDensity *density)
{
	return density->pieces > 0 ? density->sum / density->pieces : density->last;
}

void
bf_densities_size(const BfDensities *densities, BfSlab *slab, double room, double rate)
{
	bf_slab_set_size(slab, room * mean_density(&densities->ranges),
					 room * mean_density(&densities->sets), rate);
}

/* The page of the slab in memory. */
static inline Page
page_in_memory(const BfSlab *slab, char *pages, const BfPlace *place)
{
	return pages + (Size) (place->page - slab->first_page) * BLCKSZ;
}

void
bf_gather_fill(const BfGathered *gathered, const BfSlab *slab, char *pages)
{
	uint32		range_pages = bf_range_pages(slab);
	Size		i;

	for (i = 0; i < gathered->count; i++)
	{
		uint64		hash = gathered->hashes[i];
		uint64		second_hash = bf_second_level_hash(hash);
		uint32		range = gathered->pages[i] / range_pages;
		uint32		set = gathered->pages[i] % range_pages / slab->set_pages;
		BfPlace		first = bf_first_level_place(slab, hash);
		BfPlace		second = bf_second_level_place(slab, range, second_hash);

		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		bf_place_add(page_in_memory(slab, pages, &first), &first, range, hash, slab->k);
		bf_place_add(page_in_memory(slab, pages, &second), &second, set, second_hash, slab->set_k);
	}
}

/*
 * The hashes in the order of their pages of the cover, and for each page where it
 * begins among them: a counting sort.
 */
static uint64 *
sort_by_page(const BfGathered *gathered, const BfSlab *cover, Size *starts)
{
	uint32		pages = bf_first_level_pages(cover);
	uint64	   *sorted = MemoryContextAllocHuge(CurrentMemoryContext,
												gathered->count * sizeof(uint64));
	uint32		page;
	Size		i;

	memset(starts, 0, (pages + 2) * sizeof(Size));
	for (i = 0; i < gathered->count; i++)
		starts[bf_cover_place(cover, gathered->hashes[i]).page - cover->first_page + 2]++;
	for (page = 2; page < pages + 2; page++)
		starts[page] += starts[page - 1];
	/* afterwards, what was the start of the page before has become its end */
	for (i = 0; i < gathered->count; i++)
	{
		page = bf_cover_place(cover, gathered->hashes[i]).page - cover->first_page;
		sorted[starts[page + 1]++] = gathered->hashes[i];
	}
	return sorted;
}

void
bf_gather_cover(const BfGathered *gathered, Relation index, const BfSlab *cover, uint32 group)
{
	uint32		pages = bf_first_level_pages(cover);
	Size	   *starts = MemoryContextAllocHuge(CurrentMemoryContext, (pages + 2) * sizeof(Size));
	uint64	   *sorted = sort_by_page(gathered, cover, starts);
	uint32		page;
	Size		i;

	for (page = 0; page < pages; page++)
	{
		Buffer		buffer;

		CHECK_FOR_INTERRUPTS();
		if (starts[page] == starts[page + 1])
			continue;
		buffer = ReadBuffer(index, cover->first_page + page);
		LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
		for (i = starts[page]; i < starts[page + 1]; i++)
		{
			BfPlace		place = bf_cover_place(cover, sorted[i]);

			bf_place_add(BufferGetPage(buffer), &place, group % BF_COVER_GROUPS,
						 bf_third_level_hash(sorted[i]), cover->k);
		}
		MarkBufferDirty(buffer);
		UnlockReleaseBuffer(buffer);
	}
	pfree(sorted);
	pfree(starts);
}
