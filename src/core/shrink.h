/*-------------------------------------------------------------------------
 *
 * shrink.h
 *		What becomes of a filter's header when adjacent blocks are merged.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SHRINK_H
#define BF_SHRINK_H

#include "core/format.h"

/*
 * Make it the header of the filter with 1/factor of the blocks, whose number
 * the factor divides.  A list stays one as long as one of the new size may be.
 */
extern void bf_shrink_header(BfHeader *header, uint32_t factor);

/* Room for bf_divisors_describe(): its numbers have at most 7 digits. */
#define BF_DIVISORS_ROOM	320

/*
 * Write the numbers that divide n, a number of blocks, in ascending order, for
 * people to read: the smallest ones and how many more.
 */
extern void bf_divisors_describe(uint32_t n, char dst[BF_DIVISORS_ROOM]);

#endif							/* BF_SHRINK_H */
