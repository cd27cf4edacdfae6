/*-------------------------------------------------------------------------
 *
 * cost.h
 *		The cost of a test.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COST_H
#define BF_COST_H

#include "nodes/supportnodes.h"

/*
 * Answer the planner's request for the cost of a function that tests a filter.
 */
extern void bf_estimate_cost(SupportRequestCost *req);

#endif							/* BF_COST_H */
