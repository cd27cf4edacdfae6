/* sizing.h: declarations of sizing.c */
#ifndef BF_SIZING_H
#define BF_SIZING_H

#include <stdbool.h>
#include <stdint.h>

/* Limits of the target false positive rate: BF_MIN_RATE <= p < 1. */
#define BF_MIN_RATE		1e-6

/*
 * Make the tables that rates are computed from.  If this function was not
 * called, the first call of a function below makes them, which two threads
 * must not do at once.
 */
extern void bf_sizing_init(void);

/*
 * Expected false positive rate, 0 .. 1, of a filter of the given number of
 * blocks (>= 1) and hashes k (1 .. 16) that holds n distinct values.
 */
extern double bf_expected_rate(double n, uint32_t blocks, int k);

/*
 * Choose the smallest filter that holds n (>= 1) distinct values at an
 * expected false positive rate of at most rate.  Returns false if that needs
 * more than BF_MAX_BLOCKS blocks.
 */
extern bool bf_choose_size(double n, double rate, uint32_t *blocks, int *k);

/*
 * The largest n for which bf_choose_size() finds a filter with this rate of at
 * most max_blocks blocks.
 */
extern double bf_max_capacity(double rate, uint32_t max_blocks);

/*
 * Estimated number of distinct values in a filter with the given number of
 * bits set.  For a full filter this is the estimate for one unset bit, the
 * largest possible estimate.
 */
extern double bf_estimate_count(uint64_t bits_set, uint32_t blocks, int k);

/* What to do about a number of values that is too small. */
extern const char *bf_items_hint(double expected_items);

#endif							/* BF_SIZING_H */
