/*-------------------------------------------------------------------------
 *
 * sum.h
 *		Adding up counting filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SUM_H
#define BF_SUM_H

#include "type/expanded.h"
#include "type/view.h"

/*
 * Add a filter to ours, an aggregate's state or one just derived.  After an
 * error ours is of no use.
 */
extern void bf_counting_sum(BfExpanded *filter, const BfView *other);

#endif							/* BF_SUM_H */
