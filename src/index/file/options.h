/*-------------------------------------------------------------------------
 *
 * options.h
 *		The storage parameters of a filter index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_OPTIONS_H
#define BF_INDEX_OPTIONS_H

#include "utils/rel.h"

/* Of what an index has filters. */
typedef enum BfIndexScope
{
	BF_SCOPE_RANGES,			/* one of each range of the table's pages */
	BF_SCOPE_TABLE				/* one of the table */
} BfIndexScope;

/*
 * The false positive rate of a range, and of a set in a range.  Measured with
 * 20 million rows of 101 bytes: 0.01 needs 23.6 bits a row and a lookup 44
 * pages, 0.003 26.6 bits and 26 pages, 0.001 29.7 bits and 20 pages.
 */
#define BF_DEFAULT_RANGE_RATE	0.003

/* Of a whole table: the type's default. */
#define BF_DEFAULT_TABLE_RATE	0.01

#define BF_MAX_INDEX_RATE		0.5

/* Define the parameters.  Called once when the library is loaded. */
extern void bf_index_options_init(void);

/* The access method's amoptions. */
extern bytea *bf_index_options(Datum reloptions, bool validate);

/* scope: what the index shall be, from the next time that it is built. */
extern BfIndexScope bf_index_scope_asked(Relation index);

/* false_positive_rate */
extern double bf_index_rate(Relation index);

/* expected_items, or 0 if it was not given */
extern double bf_index_expected_items(Relation index);

#endif							/* BF_INDEX_OPTIONS_H */
