/*-------------------------------------------------------------------------
 *
 * sizes.h
 *		The sizes of groups and slabs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_SIZES_H
#define BF_INDEX_SIZES_H

#include "postgres.h"

#include "index/file/slab.h"

/* The number of heap pages in a set, if a page has so many rows. */
extern int	bf_choose_set_pages(double rows_per_page);

/*
 * Set the number of ranges of a group to at least the wanted number, as far as
 * a group can have so many.
 */
extern void bf_group_set_ranges(BfSlab *slab, uint64 wanted);

/*
 * Choose the slab's blocks and bits per value, for so many distinct values of
 * a range and of a set and this false positive rate of each.
 */
extern void bf_slab_set_size(BfSlab *slab, double range_values, double set_values, double rate);

#endif							/* BF_INDEX_SIZES_H */
