/*-------------------------------------------------------------------------
 *
 * cost.h
 *		The costs of scanning a filter index: amcostestimate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_COST_H
#define BF_INDEX_COST_H

#include "nodes/pathnodes.h"
#include "utils/relcache.h"

/* What a lookup is expected to read. */
typedef struct BfLookupPages
{
	double		index;
	double		heap;			/* of the table, in whole */
} BfLookupPages;

/*
 * Estimate what a lookup of different values of one column, counted from 1, reads, if
 * a table of so many pages has so many rows with one of them, scattered.
 */
extern BfLookupPages bf_index_lookup_pages(Relation index, AttrNumber attribute,
										   double heap_pages, double values, double rows);

/* amcostestimate */
extern void bf_index_cost(PlannerInfo *root, IndexPath *path, double loop_count,
						  Cost *startup_cost, Cost *total_cost, Selectivity *selectivity,
						  double *correlation, double *pages);

#endif							/* BF_INDEX_COST_H */
