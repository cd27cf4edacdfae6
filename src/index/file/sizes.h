/*-------------------------------------------------------------------------
 *
 * sizes.h
 *		The sizes of groups and slabs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_SIZES_H
#define BF_INDEX_SIZES_H

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

/*
 * The false positive rate of a group in its cover.  At 0.05, covers add 6 bits a
 * value, and a lookup of an absent value reads 4 pages for 42 groups instead of
 * 58.  At 0.02 it would read 2, for 8 bits.
 */
#define BF_COVER_RATE	0.05

/*
 * Make the slab, of which only first_heap_page is known, a cover of groups of so
 * many distinct values.
 */
extern void bf_cover_set_size(BfSlab *cover, double group_values);

#endif							/* BF_INDEX_SIZES_H */
