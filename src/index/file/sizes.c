/*-------------------------------------------------------------------------
 *
 * sizes.c
 *		The sizes of groups and slabs.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "core/sizing.h"
#include "index/file/sizes.h"

/*
 * Fewest rows of a set, if there are pages enough.  A set has at least one
 * block, which at the default rate is right for 40 values.  Smaller sets waste
 * space, larger sets cost heap pages: a row found by the index means reading
 * all pages of its set.  20 rows waste at most half of a block.
 */
#define SET_ROWS	20

int
bf_choose_set_pages(double rows_per_page)
{
	double		pages = ceil(SET_ROWS / Max(rows_per_page, 0.01));

	return (int) Min(pages, BF_MAX_SET_PAGES);
}

void
bf_group_set_ranges(BfSlab *slab, uint64 wanted)
{
	uint32		blocks_per_page = BF_SLOTS / (uint32) Max(1, Min(wanted, BF_SLOTS));

	slab->ranges = BF_SLOTS / blocks_per_page;
}

/* Steps of the code in which a rate doubles. */
#define EXCESS_STEPS	8

uint8
bf_excess_code(double excess)
{
	return excess <= 1 ? 0 : (uint8) Min(ceil(EXCESS_STEPS * log2(excess)), PG_UINT8_MAX);
}

double
bf_excess(uint8 code)
{
	return exp2((double) code / EXCESS_STEPS);
}

/* The number of bits per value with the lowest rate. */
static int
choose_k(double values, uint32 blocks, double *rate)
{
	int			best = 1;
	int			k;

	*rate = bf_expected_rate(values, blocks, 1);
	for (k = 2; k <= BF_MAX_HASHES; k++)
	{
		double		r = bf_expected_rate(values, blocks, k);

		if (r < *rate)
		{
			*rate = r;
			best = k;
		}
	}
	return best;
}

/*
 * A set has few blocks, so that its rate can be far below the one asked for.
 * One block less is better if its rate is nearer to that, as a factor.
 */
static void
set_second_level(BfSlab *slab, double values, double rate)
{
	uint32		blocks;
	int			k;
	double		rate_then;
	double		rate_less;

	if (!bf_choose_size(values, rate, &blocks, &k))
		elog(ERROR, "too many values in a set of heap pages: %g", values);
	/* more than its pages can have: estimated from filters that are worn */
	if (blocks > BF_MAX_SET_BLOCKS)
	{
		blocks = BF_MAX_SET_BLOCKS;
		k = choose_k(values, blocks, &rate_then);
	}
	if (blocks > 1)
	{
		int			k_less = choose_k(values, blocks - 1, &rate_less);

		rate_then = bf_expected_rate(values, blocks, k);
		if (rate_less * rate_then < rate * rate)
		{
			blocks--;
			k = k_less;
		}
	}
	slab->set_blocks = (uint8) blocks;
	slab->set_k = (uint8) k;
	slab->set_excess = bf_excess_code(bf_expected_rate(values, blocks, k) / rate);
}

/*
 * Choose the blocks and bits per value of the first level.  More values than there
 * can be get the largest size: they are many keys, or estimated from worn filters.
 * Returns the rate that is delivered.
 */
static double
set_first_level(BfSlab *slab, double values, double rate)
{
	double		delivered = rate;
	int			k;

	if (!bf_choose_size(Max(values, 1), rate, &slab->blocks, &k))
	{
		slab->blocks = BF_MAX_BLOCKS;
		k = choose_k(values, slab->blocks, &delivered);
	}
	slab->k = (uint8) k;
	return delivered;
}

void
bf_slab_set_size(BfSlab *slab, double range_values, double set_values, double rate)
{
	slab->excess = bf_excess_code(set_first_level(slab, range_values, rate) / rate);
	set_second_level(slab, Max(set_values, 1), rate);
}

/*
 * Blocks, in percent, that a slab may lack.  1 % of the blocks are a rate 1.08
 * times as high, with 8 bits per value.
 */
#define MAY_LACK	1

void
bf_slab_keep_size(BfSlab *slab, const BfSlab *old)
{
	if (slab->blocks <= old->blocks * (1 + MAY_LACK / 100.0))
		slab->blocks = old->blocks;
	slab->set_blocks = Max(slab->set_blocks, old->set_blocks);
}

void
bf_cover_set_size(BfSlab *cover, double group_values, double rate)
{
	(void) set_first_level(cover, group_values, rate);
}

/*
 * If they lack a seventh, the rate is 0.09 instead of 0.06, or 0.012 instead of 0.006;
 * with twice as many, the cover is twice as large as it need be.
 */
#define MOST_LACK	1.15
#define LEAST_USED	0.5

bool
bf_cover_fits(uint32 blocks, uint32 others)
{
	return blocks <= others * MOST_LACK && blocks >= others * LEAST_USED;
}
