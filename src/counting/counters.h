/*-------------------------------------------------------------------------
 *
 * counters.h
 *		Operations on all counters of dense filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COUNTING_COUNTERS_H
#define BF_COUNTING_COUNTERS_H

#include "postgres.h"

#include "core/counters.h"

/* Add the counters of n blocks to ours.  They need not be aligned. */
extern void bf_counters_add(uint8_t *ours, const uint8_t *theirs, uint32_t n);

/*
 * Take the counters of n blocks off ours, if all of these are high enough or
 * stuck.  Returns false if they are not; some may have changed then.
 */
extern bool bf_counters_subtract(uint8_t *ours, const uint8_t *theirs, uint32_t n);

/* Make n blocks of bits of n blocks of counters. */
extern void bf_counters_to_bits(const uint8_t *counters, uint8_t *bits, uint32_t n);

/* The number of counters in n blocks that are stuck. */
extern uint64_t bf_counters_stuck(const uint8_t *counters, uint32_t n);

#endif							/* BF_COUNTING_COUNTERS_H */
