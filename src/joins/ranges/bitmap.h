/*-------------------------------------------------------------------------
 *
 * bitmap.h
 *		The integers that were added, at the resolution of some thousand bits.
 *
 * A bit stands for 2^shift consecutive integers.  The lowest and the highest
 * integer determine the shift: the bits between them must fit.  Adding an
 * integer takes as long as setting a bit; nothing is sorted.
 *
 * A few integers for which the shift would have to increase, such as 'infinity'
 * among dates, have no bit, but are kept apart.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_BITMAP_H
#define BF_JOIN_BITMAP_H

/*
 * 8 kB, a quarter of the first-level cache.  Dates of 179 years have a bit each.
 */
#define BF_BITMAP_BITS		65536

/*
 * Maximum number of integers that are kept apart: 2 kB.  With more, the bits
 * reach the nearest half of them.
 */
#define BF_BITMAP_MOST_FAR	256

/* Maximum number of runs, and of integers that are kept apart. */
#define BF_BITMAP_MOST_INTERVALS	(BF_BITMAP_BITS / 2 + BF_BITMAP_MOST_FAR)

/*
 * The bits are used as a ring: bit b of all integers is bit b % BF_BITMAP_BITS
 * of the array.
 */
typedef struct BfBitmap
{
	uint64		low;			/* the lowest and the highest integer that has a bit */
	uint64		high;
	int			shift;
	int			nfar;
	uint64		far[BF_BITMAP_MOST_FAR];	/* kept apart, sorted; lower or higher */
	uint64		words[BF_BITMAP_BITS / 64];
} BfBitmap;

/* Integers from low to high, both included. */
typedef struct BfBitmapRun
{
	uint64		low;
	uint64		high;
} BfBitmapRun;

/*
 * Begin with sorted integers, at least one: those that lie far from most of them
 * are kept apart, wherever they come among those that are added later.
 */
extern void bf_bitmap_start(BfBitmap *bitmap, const uint64 *values, int n);

/*
 * Make room for an integer that is lower or higher than all that have a bit.
 * False: it is kept apart.
 */
extern bool bf_bitmap_reach(BfBitmap *bitmap, uint64 value);

static inline void
bf_bitmap_add(BfBitmap *bitmap, uint64 value)
{
	uint64		bit;

	if (unlikely(value < bitmap->low || value > bitmap->high) && !bf_bitmap_reach(bitmap, value))
		return;
	bit = (value >> bitmap->shift) % BF_BITMAP_BITS;
	bitmap->words[bit / 64] |= UINT64CONST(1) << (bit % 64);
}

/*
 * The next run of set bits at or after an integer; the run after that is
 * searched for from run->high + 1.  False: there is none.
 */
extern bool bf_bitmap_next_run(const BfBitmap *bitmap, uint64 from, BfBitmapRun *run);

#endif							/* BF_JOIN_BITMAP_H */
