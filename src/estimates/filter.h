/*-------------------------------------------------------------------------
 *
 * filter.h
 *		What is known of a filter when a query is planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_FILTER_H
#define BF_FILTER_H

#include "nodes/pathnodes.h"

#include "type/stored/view.h"

typedef struct BfFilterEstimate
{
	bool		known;
	double		items;			/* distinct values in the filter */
	double		rate;			/* false positive rate */
	bool		is_open;		/* values can be tested against the view */
	BfView		view;
} BfFilterEstimate;

/* Find out what is known of the filter that an expression returns. */
extern void bf_estimate_filter(PlannerInfo *root, Node *filter, BfFilterEstimate *estimate);

extern void bf_estimate_filter_end(BfFilterEstimate *estimate);

#endif							/* BF_FILTER_H */
