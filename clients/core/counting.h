/*-------------------------------------------------------------------------
 *
 * counting.h
 *		Filters of the type counting_bloomfilter outside the server.  They can
 *		be read, tested, counted and written, but not changed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COUNTING_H
#define BF_COUNTING_H

#include "filter.h"

typedef struct BfCountingFilter
{
	BfFilter   *counters;		/* for functions that write a filter's forms */
	BfFilter   *bits;			/* the bloomfilter of the values: for all other
								 * functions that do not change a filter */
} BfCountingFilter;

/*
 * Read a counting filter from any form that bf_filter_parse() accepts, or from
 * one form only.  Returns NULL after an error.
 */
extern BfCountingFilter *bf_counting_parse(const uint8_t *input, size_t len, BfError *error);
extern BfCountingFilter *bf_counting_from_text(const char *text, size_t len, BfError *error);
extern BfCountingFilter *bf_counting_from_bytes(const uint8_t *bytes, size_t len,
												BfError *error);

/* filter may be NULL. */
extern void bf_counting_free(BfCountingFilter *filter);

/*
 * How often was the hash added, at most?  0 to 15; 15 means "15 or more".
 * Values are checked and hashed as for "bits".
 */
extern int	bf_counting_count_hash(const BfCountingFilter *filter, uint64_t hash);

#endif							/* BF_COUNTING_H */
