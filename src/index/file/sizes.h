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
 * A false positive rate over the rate asked, as slabs keep it: 0 up to 1, each
 * further unit 9 %.
 */
extern uint8 bf_excess_code(double excess);

/* At least the excess that the code was made from. */
extern double bf_excess(uint8 code);

/*
 * Choose the slab's blocks and bits per value, for so many distinct values of
 * a range and of a set and this false positive rate of each.  Sets the excess
 * that even values give.
 */
extern void bf_slab_set_size(BfSlab *slab, double range_values, double set_values, double rate);

/*
 * Let a slab that takes the place of an old one keep its numbers of blocks,
 * unless it needs more.  It may lack very few, so that slabs that take the
 * places of each other have the same size.  Its bits per value stay: with more
 * blocks, they give lower rates.
 */
extern void bf_slab_keep_size(BfSlab *slab, const BfSlab *old);

#endif							/* BF_INDEX_SIZES_H */
