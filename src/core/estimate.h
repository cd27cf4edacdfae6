/*-------------------------------------------------------------------------
 *
 * estimate.h
 *		What a filter's bits tell of how often it errs.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_ESTIMATE_H
#define BF_ESTIMATE_H

#include <stdint.h>

/*
 * Blocks that the rate of a large filter is taken from, evenly spread.  The
 * blocks' rates have a standard deviation about as large as their mean, so
 * that 65,536 of them give the mean to 0.4 %.
 */
#define BF_RATE_SAMPLE		65536

/*
 * The probability that an absent value finds its bits set in this block of a
 * filter of k hashes.
 */
extern double bf_block_rate(const uint8_t *block, int k);

#endif							/* BF_ESTIMATE_H */
