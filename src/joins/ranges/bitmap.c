/*-------------------------------------------------------------------------
 *
 * bitmap.c
 *		The integers that were added, at the resolution of some thousand bits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "joins/ranges/bitmap.h"

void
bf_bitmap_reset(BfBitmap *bitmap)
{
	memset(bitmap->words, 0, sizeof(bitmap->words));
	bitmap->low = PG_UINT64_MAX;
	bitmap->high = 0;
	bitmap->shift = 0;
}

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

void
bf_bitmap_extend(BfBitmap *bitmap, uint64 value)
{
	uint64		low = Min(bitmap->low, value);
	uint64		high = Max(bitmap->high, value);
	int			shift = bitmap->shift;

	while ((high >> shift) - (low >> shift) >= BF_BITMAP_BITS)
		shift++;
	if (shift > bitmap->shift && bitmap->low <= bitmap->high)
		widen(bitmap, shift);
	bitmap->shift = shift;
	bitmap->low = low;
	bitmap->high = high;
}

bool
bf_bitmap_next_run(const BfBitmap *bitmap, uint64 from, BfBitmapRun *run)
{
	uint64		bit = Max(from, bitmap->low) >> bitmap->shift;
	uint64		last = bitmap->high >> bitmap->shift;

	if (bitmap->low > bitmap->high || from > bitmap->high)
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
