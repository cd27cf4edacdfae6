/*-------------------------------------------------------------------------
 *
 * setops.h
 *		Union and intersection of a filter in memory with any other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETOPS_H
#define BF_SETOPS_H

#include "type/expanded.h"
#include "type/view.h"

/*
 * Prepare the filter to take up another one: check that they can be combined,
 * and give it the header of both.
 */
extern void bf_expanded_combine_header(BfExpanded *filter, const BfView *other);

/*
 * Make the filter, an aggregate's state or one just derived, the union or
 * intersection of itself and another one.  After an error it is of no use.
 */
extern void bf_expanded_union(BfExpanded *filter, const BfView *other);
extern void bf_expanded_intersect(BfExpanded *filter, const BfView *other);

#endif							/* BF_SETOPS_H */
