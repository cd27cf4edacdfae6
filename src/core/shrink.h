/* shrink.h: declarations of shrink.c */
#ifndef BF_SHRINK_H
#define BF_SHRINK_H

#include "core/format.h"

/*
 * Turn the header into that of the filter with 1/factor of the blocks.  The
 * factor must divide the number of blocks.  A list remains a list if a filter
 * of the new size may have one of this length.
 */
extern void bf_shrink_header(BfHeader *header, uint32_t factor);

/* Room for bf_divisors_describe(): its numbers have at most 7 digits. */
#define BF_DIVISORS_ROOM	320

/*
 * Write the divisors of n, a number of blocks, in ascending order for people
 * to read: the smallest ones, and how many more there are.
 */
extern void bf_divisors_describe(uint32_t n, char dst[BF_DIVISORS_ROOM]);

#endif							/* BF_SHRINK_H */
