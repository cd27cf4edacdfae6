/*-------------------------------------------------------------------------
 *
 * rates.c
 *		The false positive rates that an index has by now, for the planner.
 *
 * Rows that were deleted or replaced leave their bits until VACUUM, and rates rise.
 * Nobody keeps them: inserts would have to change one page more.  So each planning
 * looks at some blocks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "core/blocks.h"
#include "index/file/directory.h"
#include "index/file/options.h"
#include "index/file/sizes.h"
#include "index/file/table.h"
#include "index/rates.h"

/*
 * Places of the table, evenly apart, whose groups are looked at.  At each, one block
 * in so many is seen of a page of each level: together 126 blocks of a level, which
 * give a rate to 9 %, in some microseconds.
 */
#define PLACES	4

/* What is seen of blocks that are side by side in a page. */
typedef struct Seen
{
	double		rate;			/* mean of those that hold values; 0: none does */
	uint32		worst;			/* the slot with the highest rate */
} Seen;

typedef struct Mean
{
	double		sum;
	double		weight;
} Mean;

static void
add(Mean *mean, double rate, double weight)
{
	mean->sum += rate * weight;
	mean->weight += weight;
}

static double
value_of(const Mean *mean, double otherwise)
{
	return mean->weight > 0 ? Min(mean->sum / mean->weight, 1) : otherwise;
}

/* bf_block_rate(), as if all words of the block had as many bits: ten times as fast. */
static double
rate_of_block(const uint8 *block, int k)
{
	double		fill = bf_blocks_popcount(block, 1) / (double) (BF_BLOCK_BYTES * BITS_PER_BYTE);
	double		rate = 1;
	int			i;

	for (i = 0; i < k; i++)
		rate *= fill;
	return rate;
}

static Seen
see_slots(const uint8 *blocks, uint32 slots, uint32 first, int k)
{
	Mean		mean = {0};
	double		highest = 0;
	Seen		seen = {0};
	uint32		slot;

	for (slot = first; slot < slots; slot += PLACES)
	{
		double		rate = rate_of_block(blocks + slot * BF_BLOCK_BYTES, k);

		add(&mean, rate, rate > 0);
		if (rate <= highest)
			continue;
		highest = rate;
		seen.worst = slot;
	}
	seen.rate = value_of(&mean, 0);
	return seen;
}

/*
 * A page that is damaged, or has been given away, tells nothing.  No error: the
 * query may do without the index.
 */
static Seen
see_page(Relation index, BlockNumber block, uint32 slab, uint32 slots, uint32 first, int k)
{
	Buffer		buffer = ReadBuffer(index, block);
	Page		page = BufferGetPage(buffer);
	Seen		seen = {0};

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (bf_page_is_of_slab(page, block, slab))
		seen = see_slots((const uint8 *) page + BF_FIRST_SLOT, slots, first, k);
	UnlockReleaseBuffer(buffer);
	return seen;
}

/* The first page of the first level, or of a cover. */
static Seen
see_first_level(Relation index, const BfSlab *slab, uint32 first)
{
	return see_page(index, slab->first_page, slab->number,
					slab->ranges * bf_blocks_per_page(slab), first, slab->k);
}

/* The first page of the second level. */
static Seen
see_second_level(Relation index, const BfSlab *slab, uint32 range, uint32 first)
{
	return see_page(index, slab->first_page + bf_first_level_pages(slab) + range * slab->set_blocks,
					slab->number, BF_SLOTS, first, slab->set_k);
}

/*
 * The rates of a group; 0: unknown.  Of the second level, those of the range that is
 * probably read in vain most often.
 */
static BfRates
see_group(Relation index, const BfDirectory *directory, uint32 group, uint32 column,
		  uint32 first)
{
	const BfSlab *slab = bf_directory_slab(directory, group, column);
	uint32		member;
	const BfSlab *cover = bf_directory_cover_of(directory, group, column, &member);
	BfRates		rates = {0};
	Seen		seen;

	if (!bf_slab_exists(slab))
		return rates;
	seen = see_first_level(index, slab, first);
	rates.range = seen.rate;
	if (seen.rate > 0)
		rates.set = see_second_level(index, slab, seen.worst / bf_blocks_per_page(slab), first).rate;
	if (cover != NULL)
		rates.cover = see_first_level(index, cover, first).rate;
	return rates;
}

static BfRates
rates_of_ranges(Relation index, uint32 column, double heap_pages)
{
	const BfDirectory *directory = bf_directory(index, false);
	BfRates		rates = bf_rates_asked(bf_index_rate(index));
	Mean		range = {0};
	Mean		set = {0};
	Mean		cover = {0};
	uint32		place;

	for (place = 0; place < PLACES; place++)
	{
		double		heap_page = heap_pages * (place + 0.5) / PLACES;
		uint32		group = bf_directory_find(directory, (BlockNumber) heap_page);
		BfRates		seen;

		if (group == BF_NO_GROUP)
			continue;
		seen = see_group(index, directory, group, column, place);
		add(&range, seen.range, seen.range > 0);
		/* as often as they are read */
		add(&set, seen.set, seen.set > 0 ? seen.range : 0);
		add(&cover, seen.cover, seen.cover > 0);
	}
	rates.range = value_of(&range, rates.range);
	rates.set = value_of(&set, rates.set);
	rates.cover = value_of(&cover, rates.cover);
	return rates;
}

/* All pages of the one filter are alike. */
static BfRates
rates_of_table(Relation index)
{
	const BfTableFilter *filter = bf_table_filter(index, true);
	Seen		seen = see_first_level(index, &filter->meta.slab, 0);

	return bf_rates_asked(seen.rate > 0 ? seen.rate : filter->meta.rate);
}

BfRates
bf_rates_asked(double rate)
{
	BfRates		rates = {.range = rate,.set = rate,.cover = BF_FIRST_COVER_RATE};

	return rates;
}

BfRates
bf_rates_now(Relation index, uint32 column, double heap_pages)
{
	if (bf_is_table_filter(index))
		return rates_of_table(index);
	return rates_of_ranges(index, column, heap_pages);
}
