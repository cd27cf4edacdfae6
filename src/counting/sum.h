/*-------------------------------------------------------------------------
 *
 * sum.h
 *		Adding up counting filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SUM_H
#define BF_SUM_H

#include "type/memory/expanded.h"
#include "type/stored/view.h"

/*
 * Add a filter to ours, which is an aggregate's state or has just been
 * derived.  After an error ours must not be used.
 */
extern void bf_counting_sum(BfExpanded *filter, const BfView *other);

#endif							/* BF_SUM_H */
