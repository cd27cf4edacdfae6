/*-------------------------------------------------------------------------
 *
 * selectivity.h
 *		The fraction of rows that a test lets through.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SELECTIVITY_H
#define BF_SELECTIVITY_H

#include "postgres.h"

#include "nodes/supportnodes.h"

/*
 * Answer the planner's request for the selectivity of a function that tests a
 * filter.
 */
extern void bf_estimate_selectivity(SupportRequestSelectivity *req);

#endif							/* BF_SELECTIVITY_H */
