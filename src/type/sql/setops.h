/*-------------------------------------------------------------------------
 *
 * setops.h
 *		Union and intersection of a filter in memory with another filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETOPS_H
#define BF_SETOPS_H

#include "type/memory/expanded.h"
#include "type/stored/view.h"

/*
 * Prepare the filter to be combined with another: raise an error if that is
 * impossible, and give it the header of the result.
 */
extern void bf_expanded_combine_header(BfExpanded *filter, const BfView *other);

/*
 * Turn the filter, which is an aggregate's state or has just been derived,
 * into the union or intersection with another.  After an error it must not be
 * used.
 */
extern void bf_expanded_union(BfExpanded *filter, const BfView *other);
extern void bf_expanded_intersect(BfExpanded *filter, const BfView *other);

#endif							/* BF_SETOPS_H */
