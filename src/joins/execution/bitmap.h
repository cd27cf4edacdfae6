/*-------------------------------------------------------------------------
 *
 * bitmap.h
 *		Which integers were added, as finely as some thousand bits tell.
 *
 * A bit stands for 2^shift integers that follow each other.  The lowest and the
 * highest integer decide the shift: the bits between them have to fit.  To add an
 * integer takes as long as to set a bit; nothing is sorted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_BITMAP_H
#define BF_JOIN_BITMAP_H

#include "postgres.h"

/*
 * 8 kB, a quarter of the first-level cache.  Dates of 179 years have a bit each.
 */
#define BF_BITMAP_BITS		65536

/* Bits are used in a circle: bit b of all integers is bit b % BF_BITMAP_BITS here. */
typedef struct BfBitmap
{
	uint64		low;			/* the lowest and the highest that was added */
	uint64		high;			/* lower than low: none was */
	int			shift;
	uint64		words[BF_BITMAP_BITS / 64];
} BfBitmap;

/* Integers from low to high, both included. */
typedef struct BfBitmapRun
{
	uint64		low;
	uint64		high;
} BfBitmapRun;

extern void bf_bitmap_reset(BfBitmap *bitmap);

/* Make room for an integer that is lower or higher than all others. */
extern void bf_bitmap_extend(BfBitmap *bitmap, uint64 value);

/*
 * Add an integer.  False: nothing changed, and the integer was certainly added
 * before.
 */
static inline bool
bf_bitmap_add(BfBitmap *bitmap, uint64 value)
{
	uint64		bit;
	uint64	   *word;
	uint64		mask;

	if (unlikely(value < bitmap->low || value > bitmap->high))
		bf_bitmap_extend(bitmap, value);
	bit = (value >> bitmap->shift) % BF_BITMAP_BITS;
	word = &bitmap->words[bit / 64];
	mask = UINT64CONST(1) << (bit % 64);
	if ((*word & mask) != 0 && bitmap->shift == 0)
		return false;
	*word |= mask;
	return true;
}

/*
 * The next run of set bits, from an integer on; the search for the one after it
 * begins at run->high + 1.  False: there is none.
 */
extern bool bf_bitmap_next_run(const BfBitmap *bitmap, uint64 from, BfBitmapRun *run);

#endif							/* BF_JOIN_BITMAP_H */
