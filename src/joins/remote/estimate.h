/*-------------------------------------------------------------------------
 *
 * estimate.h
 *		Estimates the rows of a join whose foreign table is filtered on its
 *		server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_ESTIMATE_H
#define BF_REMOTE_ESTIMATE_H

#include "nodes/pathnodes.h"

/*
 * Called by the planner for each table before it plans joins, if the query has
 * such filters or lists.
 */
extern void bf_remote_correct_estimates(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte);

#endif							/* BF_REMOTE_ESTIMATE_H */
