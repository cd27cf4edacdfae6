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
#include "utils/memutils.h"

#include "core/blocks.h"
#include "index/file/sizes.h"
#include "index/write/gather.h"

/*
 * Bits of the bitmaps that count distinct values, at least.  A range of 126 pages of
 * 8 kB has at most 37,000 rows; keys can be more.  The most are 16 MB.
 */
#define RANGE_BITS		(1 << 17)
#define SET_BITS		(1 << 13)
#define MOST_BITS		(1 << 27)

#define FIRST_ROOM		1024
#define FIRST_SLOTS		1024

void
bf_gather_init(BfGathered *gathered, bool of_keys)
{
	memset(gathered, 0, sizeof(BfGathered));
	if (of_keys)
	{
		gathered->slot_count = FIRST_SLOTS;
		gathered->slots = palloc0(FIRST_SLOTS * sizeof(Size));
	}
	gathered->room = FIRST_ROOM;
	gathered->hashes = palloc(FIRST_ROOM * sizeof(uint64));
	gathered->pages = palloc(FIRST_ROOM * sizeof(BlockNumber));
}

/* ---------- the keys of a page ---------- */

/* The slot that the hash is in, or can be put into. */
static Size *
find_slot(const BfGathered *gathered, uint64 hash)
{
	Size		slot = hash & (gathered->slot_count - 1);

	while (gathered->slots[slot] != 0 && gathered->hashes[gathered->slots[slot] - 1] != hash)
		slot = (slot + 1) & (gathered->slot_count - 1);
	return &gathered->slots[slot];
}

/* Keep a quarter of the slots free, at least. */
static void
grow_slots(BfGathered *gathered)
{
	MemoryContext context = GetMemoryChunkContext(gathered->slots);
	Size		count = gathered->slot_count * 2;
	Size	   *slots;
	Size		i;

	if (gathered->count - gathered->page_start < gathered->slot_count / 4 * 3)
		return;
	/* if that fails, VACUUM goes on with what there was */
	slots = MemoryContextAllocExtended(context, count * sizeof(Size),
									   MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	pfree(gathered->slots);
	gathered->slots = slots;
	gathered->slot_count = count;
	for (i = gathered->page_start; i < gathered->count; i++)
		*find_slot(gathered, gathered->hashes[i]) = i + 1;
}

/* Has the page the key?  If not, it is the next that is gathered. */
static bool
is_known_key(BfGathered *gathered, uint64 hash, BlockNumber page)
{
	Size	   *slot;

	if (gathered->count == 0 || gathered->pages[gathered->count - 1] != page)
	{
		memset(gathered->slots, 0, gathered->slot_count * sizeof(Size));
		gathered->page_start = gathered->count;
	}
	grow_slots(gathered);
	slot = find_slot(gathered, hash);
	if (*slot != 0)
		return true;
	*slot = gathered->count + 1;
	return false;
}

int
bf_gather_add(BfGathered *gathered, uint64 hash, BlockNumber page)
{
	if (gathered->slots != NULL && is_known_key(gathered, hash, page))
		return 0;
	if (gathered->count == gathered->room)
	{
		Size		room = gathered->room * 2;

		/* if one of them fails, VACUUM goes on with what there was */
		gathered->hashes = repalloc_huge(gathered->hashes, room * sizeof(uint64));
		gathered->pages = repalloc_huge(gathered->pages, room * sizeof(BlockNumber));
		gathered->room = room;
	}
	gathered->hashes[gathered->count] = hash;
	gathered->pages[gathered->count] = page;
	gathered->count++;
	return 1;
}

/* ---------- counting ---------- */

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

/* The bits to count so many hashes with, of which some are equal. */
static uint32
bits_for(Size count, uint32 least)
{
	uint32		bits = least;

	while (bits < count && bits < MOST_BITS)
		bits *= 2;
	return bits;
}

/* Count the pieces, of so many heap pages each, in which there are values. */
static void
count_pieces(const BfGathered *gathered, uint32 piece_pages, uint64 heap_pages, uint32 least_bits,
			 BfDensity *density)
{
	uint32		room = least_bits;
	uint8	   *bitmap = palloc(room / 8);
	Size		start;
	Size		end;

	for (start = 0; start < gathered->count; start = end)
	{
		uint32		piece = gathered->pages[start] / piece_pages;
		uint64		piece_end = ((uint64) piece + 1) * piece_pages;
		uint32		bits;
		double		distinct;

		CHECK_FOR_INTERRUPTS();
		for (end = start; end < gathered->count && gathered->pages[end] < piece_end; end++)
			;
		bits = bits_for(end - start, least_bits);
		if (bits > room)
		{
			room = bits;
			bitmap = repalloc(bitmap, room / 8);
		}
		distinct = count_distinct(gathered->hashes + start, end - start, bitmap, bits);
		if (piece_end > heap_pages)
		{
			density->last = distinct * piece_pages / (heap_pages - (uint64) piece * piece_pages);
			break;
		}
		density->sum += distinct;
		density->pieces++;
	}
	pfree(bitmap);
}

void
bf_gather_count(const BfGathered *gathered, const BfSlab *slab, uint64 heap_pages,
				BfDensities *densities)
{
	count_pieces(gathered, bf_range_pages(slab), heap_pages, RANGE_BITS, &densities->ranges);
	count_pieces(gathered, slab->set_pages, heap_pages, SET_BITS, &densities->sets);
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

void
bf_gather_cover(const BfGathered *gathered, const BfSlab *cover, uint8 *filter)
{
	Size		i;

	for (i = 0; i < gathered->count; i++)
	{
		uint64		hash = gathered->hashes[i];

		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		bf_block_add(filter + (Size) bf_block_index(hash, cover->blocks) * BF_BLOCK_BYTES,
					 bf_third_level_hash(hash), cover->k);
	}
}
