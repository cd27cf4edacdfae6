/*-------------------------------------------------------------------------
 *
 * shrink.c
 *		The header of a filter whose adjacent blocks are merged.
 *
 *-------------------------------------------------------------------------
 */
#include "core/shrink.h"

#include <stdio.h>

/* Number of divisors that are listed; most numbers have fewer. */
#define MAX_LISTED	24

void
bf_shrink_header(BfHeader *header, uint32_t factor)
{
	header->blocks /= factor;
	header->capacity /= factor;
	if (header->capacity == 0)
		header->capacity = 1;
	if (header->count > header->blocks)
	{
		header->representation = BF_DENSE;
		header->count = 0;
	}
}

void
bf_divisors_describe(uint32_t n, char dst[BF_DIVISORS_ROOM])
{
	size_t		length = 0;
	uint32_t	divisor;
	int			found = 0;

	for (divisor = 1; divisor <= n; divisor++)
	{
		if (n % divisor == 0 && ++found <= MAX_LISTED)
			length += (size_t) snprintf(dst + length, BF_DIVISORS_ROOM - length, "%s%u",
										found > 1 ? ", " : "", (unsigned) divisor);
	}
	if (found > MAX_LISTED)
		snprintf(dst + length, BF_DIVISORS_ROOM - length, " and %d larger ones", found - MAX_LISTED);
}
