/*-------------------------------------------------------------------------
 *
 * fill.c
 *		What the bits of a slab tell: how many values it holds, and at which
 *		false positive rate.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "core/blocks.h"
#include "core/estimate.h"
#include "core/sizing.h"
#include "index/file/fill.h"
#include "index/file/sizes.h"

/*
 * Pages of each level that a sample reads.  16 pages with 126 blocks of some
 * 40 values each are 80,000 values, which gives their number to 0.4 %.
 */
#define SAMPLE_PAGES	16

/* What was seen of the filters that are side by side in some pages. */
typedef struct Seen
{
	uint64		bits[BF_SLOTS];
	double		rate[BF_SLOTS];	/* sum over blocks */
	uint32		blocks;			/* of each filter */
} Seen;

/* The slab that is read, and how. */
typedef struct Reading
{
	Relation	index;
	const BfSlab *slab;
	uint32		generation;
	bool		sample;
	const BfTableFilter *filter;	/* whose slab it is, or NULL */
} Reading;

/* InvalidBuffer: the page has been given away. */
static Buffer
read_page(const Reading *reading, BlockNumber block)
{
	if (reading->filter != NULL)
		return bf_table_page_read(reading->index, block, reading->filter, reading->slab);
	return bf_slab_read(reading->index, block, reading->slab, reading->generation,
						BUFFER_LOCK_SHARE);
}

/* Add the bits and the rates of adjacent blocks of a filter. */
static void
see_blocks(const uint8 *slot, uint32 blocks, int k, uint64 *bits, double *rate)
{
	uint32		i;

	*bits += bf_blocks_popcount(slot, blocks);
	for (i = 0; i < blocks; i++)
		*rate += bf_block_rate(slot + i * BF_BLOCK_BYTES, k);
}

static bool
see_page(Seen *seen, const Reading *reading, BlockNumber block, uint32 filters, uint32 stride,
		 uint32 blocks, int k)
{
	Buffer		buffer = read_page(reading, block);
	const uint8 *slot;
	uint32		filter;

	if (!BufferIsValid(buffer))
		return false;
	slot = (const uint8 *) BufferGetPage(buffer) + BF_FIRST_SLOT;
	for (filter = 0; filter < filters; filter++, slot += stride * BF_BLOCK_BYTES)
		see_blocks(slot, blocks, k, &seen->bits[filter], &seen->rate[filter]);
	seen->blocks += blocks;
	UnlockReleaseBuffer(buffer);
	return true;
}

/* Add what was seen of some filters to the sums over all of them. */
static void
sum_up(const Seen *seen, uint32 filters, uint32 blocks, int k, double *used, double *values,
	   double *rate)
{
	uint32		filter;

	for (filter = 0; filter < filters; filter++)
	{
		if (seen->bits[filter] == 0)
			continue;
		*used += 1;
		*values += bf_estimate_count(seen->bits[filter], seen->blocks, k) * blocks / seen->blocks;
		*rate += seen->rate[filter] / seen->blocks;
	}
}

static bool
see_first_level(BfFill *fill, Seen *seen, const Reading *reading)
{
	const BfSlab *slab = reading->slab;
	uint32		pages = bf_first_level_pages(slab);
	uint32		per_page = bf_blocks_per_page(slab);
	uint32		step = reading->sample ? (pages + SAMPLE_PAGES - 1) / SAMPLE_PAGES : 1;
	uint32		page;

	memset(seen, 0, sizeof(Seen));
	for (page = 0; page < pages; page += step)
	{
		CHECK_FOR_INTERRUPTS();
		if (!see_page(seen, reading, slab->first_page + page, slab->ranges, per_page,
					  Min(per_page, slab->blocks - page * per_page), slab->k))
			return false;
	}
	sum_up(seen, slab->ranges, slab->blocks, slab->k, &fill->ranges, &fill->range_values,
		   &fill->range_rate);
	return true;
}

static bool
see_second_level(BfFill *fill, const Reading *reading, uint32 range)
{
	const BfSlab *slab = reading->slab;
	BlockNumber first = slab->first_page + bf_first_level_pages(slab) + range * slab->set_blocks;
	Seen	   *seen = palloc0(sizeof(Seen));
	uint32		page;

	for (page = 0; page < slab->set_blocks; page++)
		if (!see_page(seen, reading, first + page, BF_SLOTS, 1, 1, slab->set_k))
			break;
	if (page == slab->set_blocks)
		sum_up(seen, BF_SLOTS, slab->set_blocks, slab->set_k, &fill->sets, &fill->set_values,
			   &fill->set_rate);
	pfree(seen);
	return page == slab->set_blocks;
}

/* Sums become means. */
static void
divide(BfFill *fill)
{
	if (fill->ranges > 0)
	{
		fill->range_values /= fill->ranges;
		fill->range_rate /= fill->ranges;
	}
	if (fill->sets > 0)
	{
		fill->set_values /= fill->sets;
		fill->set_rate /= fill->sets;
	}
}

bool
bf_slab_fill(BfFill *fill, Relation index, const BfSlab *slab, uint32 generation, bool sample)
{
	Reading		reading = {index, slab, generation, sample, NULL};
	Seen	   *seen = palloc(sizeof(Seen));
	uint32		wanted = sample ? Max(1, SAMPLE_PAGES / Max(slab->set_blocks, 1)) : slab->ranges;
	uint32		step = (slab->ranges + wanted - 1) / wanted;
	uint32		range;
	bool		result;

	memset(fill, 0, sizeof(BfFill));
	result = see_first_level(fill, seen, &reading);
	/* a cover has one level */
	for (range = 0; slab->set_blocks > 0 && range < slab->ranges && result; range += step)
	{
		CHECK_FOR_INTERRUPTS();
		if (seen->bits[range] > 0)
			result = see_second_level(fill, &reading, range);
	}
	pfree(seen);
	divide(fill);
	return result;
}

static void
report_lost_slab(Relation index, const BfSlab *slab)
{
	elog(ERROR, "slab %u of index \"%s\" is gone", slab->number, RelationGetRelationName(index));
}

BfFill
bf_slab_sample(Relation index, const BfSlab *slab, uint32 generation)
{
	BfFill		fill;

	if (!bf_slab_fill(&fill, index, slab, generation, true))
		report_lost_slab(index, slab);
	return fill;
}

double
bf_cover_sample(double *rates, Relation index, const BfSlab *cover, uint32 generation)
{
	Reading		reading = {index, cover, generation, true, NULL};
	Seen	   *seen = palloc(sizeof(Seen));
	BfFill		fill = {0};
	uint32		group;

	if (!see_first_level(&fill, seen, &reading))
		report_lost_slab(index, cover);
	for (group = 0; group < cover->ranges; group++)
		rates[group] = seen->rate[group] / seen->blocks;
	pfree(seen);
	return fill.ranges > 0 ? fill.range_rate / fill.ranges : 0;
}

/* False: a page has been given away. */
static bool
read_table(BfFill *fill, Relation index, const BfTableFilter *filter, bool sample)
{
	Reading		reading = {index, &filter->meta.slab, filter->meta.generation, sample, filter};
	Seen	   *seen = palloc(sizeof(Seen));
	bool		result;

	memset(fill, 0, sizeof(BfFill));
	result = see_first_level(fill, seen, &reading);
	pfree(seen);
	/* also if it is empty */
	fill->ranges = 1;
	return result;
}

BfFill
bf_table_fill(BfTableFilter *filter, Relation index, bool sample)
{
	BfFill		fill;

	do
		*filter = *bf_table_filter(index, true);
	while (!read_table(&fill, index, filter, sample));
	return fill;
}

bool
bf_rate_is_worn(double rate, double rate_when_new, double factor)
{
	return rate >= factor * rate_when_new || 1 - rate <= (1 - rate_when_new) / factor;
}

/* How much a rate must have grown for a rebuild. */
#define WORN	2

bool
bf_fill_is_worn(const BfFill *fill, const BfSlab *slab, double rate)
{
	return bf_rate_is_worn(fill->range_rate, rate * bf_excess(slab->excess), WORN) ||
		bf_rate_is_worn(fill->set_rate, rate * bf_excess(slab->set_excess), WORN);
}

void
bf_slab_set_excess(BfSlab *slab, const BfFill *fill, double rate)
{
	slab->excess = bf_excess_code(fill->range_rate / rate);
	slab->set_excess = bf_excess_code(fill->set_rate / rate);
}
