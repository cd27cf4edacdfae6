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
 * The false positive rate of a group in its cover, in a region of this number
 * (directory.h).  The groups that a lookup reads in vain add up, so the rate falls with
 * the size of the table: each region adds less than the one before.  That takes 6 bits
 * a value in the first region, of 15 GB, 8 in the second, and 11 from the tenth on;
 * there, a page of a cover is as much as the groups in vain.
 */
#define BF_FIRST_COVER_RATE	0.06
#define BF_LAST_COVER_RATE	0.006

static inline double
bf_cover_rate(uint32 region)
{
	return Max(BF_FIRST_COVER_RATE / (region + 1.0), BF_LAST_COVER_RATE);
}

/*
 * Fewest groups of an index that are covered, some 900 MB of the table.  A cover is a
 * fifth of the index, and an absent value costs some 1.4 pages a group without: with
 * fewer groups, the cover would save less than ten pages.
 */
#define BF_LEAST_COVERED	8

/* Fewest that VACUUM adds to those that are covered, unless a region ends with them. */
#define BF_LEAST_ADDED		4

/*
 * Choose the blocks and bits per value of a cover of groups of so many distinct values,
 * for this false positive rate of each.
 */
extern void bf_cover_set_size(BfSlab *cover, double group_values, double rate);

/* Have the filters of two covers the same size, so that they can be copied? */
static inline bool
bf_cover_has_size(const BfSlab *cover, const BfSlab *other)
{
	return cover->blocks == other->blocks && cover->k == other->k;
}

/* Can filters of groups that need so many blocks have the number of another cover? */
extern bool bf_cover_fits(uint32 blocks, uint32 others);

#endif							/* BF_INDEX_SIZES_H */
