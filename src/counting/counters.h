/* counters.h: declarations of counters.c */
#ifndef BF_COUNTING_COUNTERS_H
#define BF_COUNTING_COUNTERS_H

#include "core/counters.h"

/* Add the counters of n blocks to ours.  Neither has to be aligned. */
extern void bf_counters_add(uint8_t *ours, const uint8_t *theirs, uint32_t n);

/*
 * Subtract the counters of n blocks from ours.  Returns false if any of ours
 * is too low and not stuck; ours are then undefined.
 */
extern bool bf_counters_subtract(uint8_t *ours, const uint8_t *theirs, uint32_t n);

/* Make n blocks of bits from n blocks of counters. */
extern void bf_counters_to_bits(const uint8_t *counters, uint8_t *bits, uint32_t n);

/* The number of stuck counters in n blocks. */
extern uint64_t bf_counters_stuck(const uint8_t *counters, uint32_t n);

#endif							/* BF_COUNTING_COUNTERS_H */
