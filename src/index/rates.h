/*-------------------------------------------------------------------------
 *
 * rates.h
 *		The false positive rates that an index has by now, for the planner.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_RATES_H
#define BF_INDEX_RATES_H

#include "utils/relcache.h"

/* Of a column, from 0 to 1. */
typedef struct BfRates
{
	double		range;			/* mean of the ranges, or of the one filter of the table */
	double		set;			/* mean of the sets of ranges that are read in vain */
	double		cover;			/* mean of the groups in their covers */
} BfRates;

/* Of filters that are new. */
extern BfRates bf_rates_asked(double rate);

/*
 * From some pages of the index: of filters of that part of the table which has
 * so many pages, 0 <= column < columns.  Where no value is found there, the rates
 * asked.
 */
extern BfRates bf_rates_now(Relation index, uint32 column, double heap_pages);

#endif							/* BF_INDEX_RATES_H */
