/*-------------------------------------------------------------------------
 *
 * info.h
 *		Estimates about a filter that the planner uses too.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INFO_H
#define BF_INFO_H

#include "type/view.h"

/*
 * Estimate the number of distinct values and the false positive rate from a
 * sample of the filter's blocks.
 */
extern void bf_estimate_fill(const BfView *view, double *items, double *rate);

#endif							/* BF_INFO_H */
