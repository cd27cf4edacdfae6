/*-------------------------------------------------------------------------
 *
 * sorted.h
 *		Finding a place among sorted hashes, or other integers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SORTED_H
#define BF_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* How many of n ascending values are less than this one? */
static inline size_t
bf_count_below(const uint64_t *values, size_t n, uint64_t value)
{
	size_t		low = 0;

	while (low < n)
	{
		size_t		middle = low + (n - low) / 2;

		if (values[middle] < value)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

#endif							/* BF_SORTED_H */
