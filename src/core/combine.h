/* combine.h: declarations of combine.c */
#ifndef BF_COMBINE_H
#define BF_COMBINE_H

#include "core/format.h"

/* Do both headers have the same type name?  Environments are not compared. */
extern bool bf_names_equal(const BfHeader *a, const BfHeader *b);

/* Do both filters have the same family, or one of them no value yet? */
extern bool bf_families_combine(const BfHeader *a, const BfHeader *b);

/* Are size and seed the same? */
extern bool bf_parameters_combine(const BfHeader *a, const BfHeader *b);

/* Can the filters be combined? */
extern bool bf_combinable(const BfHeader *a, const BfHeader *b);

/*
 * Turn a's header into that of the combination: b's family if a has none, the
 * larger capacity, the lower rate.  The count remains a's.
 */
extern void bf_combine_headers(BfHeader *a, const BfHeader *b);

/* Room for bf_parameters_describe(): five numbers and words. */
#define BF_PARAMETERS_ROOM	192

/* Write a filter's size and seed, for people to read. */
extern void bf_parameters_describe(const BfHeader *header, char dst[BF_PARAMETERS_ROOM]);

/* What to do about filters of different parameters. */
extern const char *bf_parameters_hint(const BfHeader *a, const BfHeader *b);

#endif							/* BF_COMBINE_H */
