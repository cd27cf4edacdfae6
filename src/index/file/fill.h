/*-------------------------------------------------------------------------
 *
 * fill.h
 *		What the bits of a slab tell: how many values it holds, and at which
 *		false positive rate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_FILL_H
#define BF_INDEX_FILL_H

#include "utils/rel.h"

#include "index/file/directory.h"
#include "index/file/table.h"

/* Of the ranges that hold a value, and of their sets that do. */
typedef struct BfFill
{
	double		ranges;
	double		range_values;	/* distinct values, mean of the ranges */
	double		range_rate;		/* mean */
	double		sets;
	double		set_values;
	double		set_rate;
} BfFill;

/*
 * Read all pages of a slab, which was found in a directory of this generation;
 * or if sample is set, some of them: then the numbers of ranges and sets are of
 * those seen.  Returns false if the slab's pages have been given away: there is
 * a newer directory.
 */
extern bool bf_slab_fill(BfFill *fill, Relation index, const BfSlab *slab, uint32 generation,
						 bool sample);

/* A sample of a slab whose pages nobody gives away meanwhile. */
extern BfFill bf_slab_sample(Relation index, const BfSlab *slab, uint32 generation);

/*
 * The false positive rate of each group in a cover, as far as there is room for groups,
 * from a sample; the caller is as above.  Returns the mean of those that hold a value.
 */
extern double bf_cover_sample(double *rates, Relation index, const BfSlab *cover,
							uint32 generation);

/*
 * The same of the one range of the filter of a table, from all pages or a sample, and
 * what the metapage says of the filter that was read.
 */
extern BfFill bf_table_fill(BfTableFilter *filter, Relation index, bool sample);

/*
 * Has a rate grown by this factor, or what is left out become less by it?  That comes
 * first for rates that are high when new: no rate grows beyond 1.
 */
extern bool bf_rate_is_worn(double rate, double rate_when_new, double factor);

/*
 * Has the rate of the ranges, or of the sets, doubled in this sense since the slab was
 * new, when it was the rate asked or had the slab's excess over that?
 */
extern bool bf_fill_is_worn(const BfFill *fill, const BfSlab *slab, double rate);

/* The slab is new: keep the excess of its rates. */
extern void bf_slab_set_excess(BfSlab *slab, const BfFill *fill, double rate);

#endif							/* BF_INDEX_FILL_H */
