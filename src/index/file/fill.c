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

static void
see_page(Seen *seen, Relation index, const BfSlab *slab, BlockNumber block, uint32 filters,
		 uint32 stride, uint32 blocks, int k)
{
	Buffer		buffer = bf_page_read(index, block, BF_PAGE_SLAB, slab->number, BUFFER_LOCK_SHARE);
	const uint8 *slot = (const uint8 *) BufferGetPage(buffer) + BF_FIRST_SLOT;
	uint32		filter;
	uint32		i;

	for (filter = 0; filter < filters; filter++, slot += stride * BF_BLOCK_BYTES)
		for (i = 0; i < blocks; i++)
		{
			seen->bits[filter] += bf_blocks_popcount(slot + i * BF_BLOCK_BYTES, 1);
			if (k > 0)
				seen->rate[filter] += bf_block_rate(slot + i * BF_BLOCK_BYTES, k);
		}
	seen->blocks += blocks;
	UnlockReleaseBuffer(buffer);
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

static void
see_first_level(BfFill *fill, Seen *seen, Relation index, const BfSlab *slab, bool sample)
{
	uint32		pages = bf_first_level_pages(slab);
	uint32		per_page = bf_blocks_per_page(slab);
	uint32		step = sample ? (pages + SAMPLE_PAGES - 1) / SAMPLE_PAGES : 1;
	uint32		page;

	memset(seen, 0, sizeof(Seen));
	for (page = 0; page < pages; page += step)
	{
		CHECK_FOR_INTERRUPTS();
		see_page(seen, index, slab, slab->first_page + page, slab->ranges, per_page,
				 Min(per_page, slab->blocks - page * per_page), sample ? 0 : slab->k);
	}
	sum_up(seen, slab->ranges, slab->blocks, slab->k, &fill->ranges, &fill->range_values,
		   &fill->range_rate);
}

static void
see_second_level(BfFill *fill, Relation index, const BfSlab *slab, uint32 range, bool sample)
{
	BlockNumber first = slab->first_page + bf_first_level_pages(slab) + range * slab->set_blocks;
	Seen	   *seen = palloc0(sizeof(Seen));
	uint32		page;

	for (page = 0; page < slab->set_blocks; page++)
		see_page(seen, index, slab, first + page, BF_SLOTS, 1, 1, sample ? 0 : slab->set_k);
	sum_up(seen, BF_SLOTS, slab->set_blocks, slab->set_k, &fill->sets, &fill->set_values,
		   &fill->set_rate);
	pfree(seen);
}

BfFill
bf_slab_fill(Relation index, const BfSlab *slab, bool sample)
{
	BfFill		fill = {0};
	Seen	   *seen = palloc(sizeof(Seen));
	uint32		wanted = sample ? Max(1, SAMPLE_PAGES / slab->set_blocks) : slab->ranges;
	uint32		step = (slab->ranges + wanted - 1) / wanted;
	uint32		range;

	see_first_level(&fill, seen, index, slab, sample);
	for (range = 0; range < slab->ranges; range += step)
	{
		CHECK_FOR_INTERRUPTS();
		if (seen->bits[range] > 0)
			see_second_level(&fill, index, slab, range, sample);
	}
	pfree(seen);
	if (fill.ranges > 0)
	{
		fill.range_values /= fill.ranges;
		fill.range_rate /= fill.ranges;
	}
	if (fill.sets > 0)
	{
		fill.set_values /= fill.sets;
		fill.set_rate /= fill.sets;
	}
	return fill;
}
