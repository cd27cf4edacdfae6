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

#include "postgres.h"

#include "utils/rel.h"

#include "index/file/slab.h"

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
 * Read all pages of a slab; or if sample is set, some of them: then the rates
 * are not computed, and the numbers of ranges and sets are of those seen.
 */
extern BfFill bf_slab_fill(Relation index, const BfSlab *slab, bool sample);

#endif							/* BF_INDEX_FILL_H */
