/*-------------------------------------------------------------------------
 *
 * counting.h
 *		Values of the type counting_bloomfilter outside the server: read,
 *		tested, counted and written, not changed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COUNTING_H
#define BF_COUNTING_H

#include "filter.h"

typedef struct BfCountingFilter
{
	BfFilter   *counters;		/* for the functions that write a filter's forms */
	BfFilter   *bits;			/* the bloomfilter of the values: for all others
								 * that do not change it */
} BfCountingFilter;

/*
 * From any form that bf_filter_parse() reads, or from one of them only.  NULL is
 * an error.
 */
extern BfCountingFilter *bf_counting_parse(const uint8_t *input, size_t len, BfError *error);
extern BfCountingFilter *bf_counting_from_text(const char *text, size_t len, BfError *error);
extern BfCountingFilter *bf_counting_from_bytes(const uint8_t *bytes, size_t len,
												BfError *error);

/* NULL is allowed. */
extern void bf_counting_free(BfCountingFilter *filter);

/*
 * How often was the hash added, at most: 0 to 15, which stands for "15 or more".
 * Values are accepted and hashed as those of bits.
 */
extern int	bf_counting_count_hash(const BfCountingFilter *filter, uint64_t hash);

#endif							/* BF_COUNTING_H */
