/*-------------------------------------------------------------------------
 *
 * combine.h
 *		Which filters combine, and what header the combination has.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COMBINE_H
#define BF_COMBINE_H

#include "core/format.h"

/* Is the type with its own hash the same, whatever the environment? */
extern bool bf_names_equal(const BfHeader *a, const BfHeader *b);

/* Are the filters' families the same, or one of them without any? */
extern bool bf_families_combine(const BfHeader *a, const BfHeader *b);

/* Are size and seed the same? */
extern bool bf_parameters_combine(const BfHeader *a, const BfHeader *b);

/* Can the filters be combined? */
extern bool bf_combinable(const BfHeader *a, const BfHeader *b);

/*
 * The header that a combination of a and b starts from: a's, with b's family
 * if a has none, the larger capacity and the lower rate.  The count is a's.
 */
extern void bf_combine_headers(BfHeader *a, const BfHeader *b);

/* Room for what bf_parameters_describe() writes: four numbers and words. */
#define BF_PARAMETERS_ROOM	192

/* Write a filter's size and seed, for people to read. */
extern void bf_parameters_describe(const BfHeader *header, char dst[BF_PARAMETERS_ROOM]);

#endif							/* BF_COMBINE_H */
