/* estimate.h: declarations of estimate.c */
#ifndef BF_ESTIMATE_H
#define BF_ESTIMATE_H

#include <stdint.h>

/*
 * Number of blocks, evenly spread, from which the rate of a large filter is
 * estimated.  The standard deviation of the blocks' rates is about as large as
 * their mean, so that 65,536 blocks give the mean to 0.4 %.
 */
#define BF_RATE_SAMPLE		65536

/*
 * The probability that all bits of an absent value are set in this block of a
 * filter with k hashes.
 */
extern double bf_block_rate(const uint8_t *block, int k);

#endif							/* BF_ESTIMATE_H */
