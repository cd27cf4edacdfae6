/*-------------------------------------------------------------------------
 *
 * cost.h
 *		What a test costs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COST_H
#define BF_COST_H

#include "postgres.h"

#include "nodes/supportnodes.h"

/* Answer a request for the cost of one of the testing functions. */
extern void bf_estimate_cost(SupportRequestCost *req);

#endif							/* BF_COST_H */
