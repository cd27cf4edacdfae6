/*-------------------------------------------------------------------------
 *
 * bitmap.c
 *		The integers that were added, at the resolution of some thousand bits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "core/sorted.h"
#include "joins/ranges/bitmap.h"

static inline bool
is_set(const uint64 *words, uint64 bit)
{
	bit %= BF_BITMAP_BITS;
	return ((words[bit / 64] >> (bit % 64)) & 1) != 0;
}

/* Increase the shift, so that each bit stands for more integers. */
static void
widen(BfBitmap *bitmap, int shift)
{
	uint64		old[BF_BITMAP_BITS / 64];
	uint64		first = bitmap->low >> bitmap->shift;
	uint64		count = (bitmap->high >> bitmap->shift) - first + 1;
	uint64		i;

	memcpy(old, bitmap->words, sizeof(old));
	memset(bitmap->words, 0, sizeof(bitmap->words));
	for (i = 0; i < count; i++)
		if (is_set(old, first + i))
		{
			uint64		bit = ((first + i) >> (shift - bitmap->shift)) % BF_BITMAP_BITS;

			bitmap->words[bit / 64] |= UINT64CONST(1) << (bit % 64);
		}
	bitmap->shift = shift;
}

/* The shift with which the bits reach from low to high. */
static int
needed_shift(const BfBitmap *bitmap, uint64 low, uint64 high)
{
	int			shift = bitmap->shift;

	while ((high >> shift) - (low >> shift) >= BF_BITMAP_BITS)
		shift++;
	return shift;
}

static void
extend(BfBitmap *bitmap, uint64 value)
{
	uint64		low = Min(bitmap->low, value);
	uint64		high = Max(bitmap->high, value);
	int			shift = needed_shift(bitmap, low, high);

	if (shift > bitmap->shift)
		widen(bitmap, shift);
	bitmap->low = low;
	bitmap->high = high;
}

/* ---------- integers that are kept apart ---------- */

/*
 * Let the bits reach all but some of the farthest of sorted integers: those
 * lowest and highest ones without which they reach least far.
 */
static void
extend_to_nearest(BfBitmap *bitmap, const uint64 *values, int n)
{
	const int	most = BF_BITMAP_MOST_FAR / 2;
	int			below = (int) bf_count_below(values, n, bitmap->low);
	int			above = bitmap->high == PG_UINT64_MAX ? 0 : n - (int) bf_count_below(values, n, bitmap->high + 1);
	uint64		low = bitmap->low;
	uint64		high = bitmap->high;
	int			i;

	for (i = 0; i <= Min(below, most); i++)
	{
		int			j = Min(above, most - i);
		uint64		lowest = i < below ? values[i] : bitmap->low;
		uint64		highest = j < above ? values[n - 1 - j] : bitmap->high;

		if (i == 0 || highest - lowest < high - low)
		{
			low = lowest;
			high = highest;
		}
	}
	extend(bitmap, low);
	extend(bitmap, high);
}

/* Add sorted integers, among which are all that are kept apart. */
static void
add_sorted(BfBitmap *bitmap, const uint64 *values, int n)
{
	int			i;

	extend_to_nearest(bitmap, values, n);
	bitmap->nfar = 0;
	for (i = 0; i < n; i++)
		bf_bitmap_add(bitmap, values[i]);
}

/* Keep an integer apart; if there are too many, the bits reach the nearest. */
static void
keep_apart(BfBitmap *bitmap, uint64 value)
{
	uint64		values[BF_BITMAP_MOST_FAR + 1];
	int			n = bitmap->nfar;
	int			place = (int) bf_count_below(bitmap->far, n, value);

	if (place < n && bitmap->far[place] == value)
		return;
	memcpy(values, bitmap->far, place * sizeof(uint64));
	values[place] = value;
	memcpy(values + place + 1, bitmap->far + place, (n - place) * sizeof(uint64));
	if (n < BF_BITMAP_MOST_FAR)
		memcpy(bitmap->far, values, ++bitmap->nfar * sizeof(uint64));
	else
		add_sorted(bitmap, values, n + 1);
}

bool
bf_bitmap_reach(BfBitmap *bitmap, uint64 value)
{
	if (needed_shift(bitmap, Min(bitmap->low, value), Max(bitmap->high, value)) > bitmap->shift)
	{
		keep_apart(bitmap, value);
		return false;
	}
	extend(bitmap, value);
	return true;
}

void
bf_bitmap_start(BfBitmap *bitmap, const uint64 *values, int n)
{
	memset(bitmap->words, 0, sizeof(bitmap->words));
	bitmap->shift = 0;
	/* one of those that are not far from most */
	bitmap->low = bitmap->high = values[n / 2];
	add_sorted(bitmap, values, n);
}

/* ---------- runs ---------- */

bool
bf_bitmap_next_run(const BfBitmap *bitmap, uint64 from, BfBitmapRun *run)
{
	uint64		bit = Max(from, bitmap->low) >> bitmap->shift;
	uint64		last = bitmap->high >> bitmap->shift;

	if (from > bitmap->high)
		return false;
	while (bit <= last && !is_set(bitmap->words, bit))
		bit++;
	if (bit > last)
		return false;
	run->low = Max(bit << bitmap->shift, bitmap->low);
	while (bit < last && is_set(bitmap->words, bit + 1))
		bit++;
	run->high = bit == last ? bitmap->high : ((bit + 1) << bitmap->shift) - 1;
	return true;
}
