/* params.h: declarations of params.c */
#ifndef BF_PARAMS_H
#define BF_PARAMS_H

#include "core/format.h"

/* The default rate; also that of RedisBloom and of BRIN. */
#define BF_DEFAULT_RATE		0.01

/*
 * The header of an empty filter of the type for expected_items (rounded up)
 * distinct values at the rate.  Raises 22023 for arguments out of range, 54000
 * if the filter would be too large.
 */
extern void bf_sized_header(BfFilterType type, BfHeader *header, double expected_items,
							double rate, int64_t seed);

/* The header of an empty unsized filter.  Raises 22023 for a bad rate. */
extern void bf_unsized_header(BfHeader *header, double rate, int64_t seed);

#endif							/* BF_PARAMS_H */
