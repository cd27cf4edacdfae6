/*-------------------------------------------------------------------------
 *
 * selectivity.h
 *		The fraction of rows that a test lets through.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SELECTIVITY_H
#define BF_SELECTIVITY_H

#include "nodes/supportnodes.h"

/* If nothing is known: a filter is used to discard most rows. */
#define BF_DEFAULT_SELECTIVITY	0.1

/*
 * Answer the planner's request for the selectivity of a function that tests a
 * filter.
 */
extern void bf_estimate_selectivity(SupportRequestSelectivity *req);

#endif							/* BF_SELECTIVITY_H */
