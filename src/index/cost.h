/*-------------------------------------------------------------------------
 *
 * cost.h
 *		The costs of scanning a filter index: amcostestimate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_COST_H
#define BF_INDEX_COST_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* amcostestimate */
extern void bf_index_cost(PlannerInfo *root, IndexPath *path, double loop_count,
						  Cost *startup_cost, Cost *total_cost, Selectivity *selectivity,
						  double *correlation, double *pages);

#endif							/* BF_INDEX_COST_H */
