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

/* Make the filter the union or intersection of itself and another one. */
extern void bf_expanded_union(BfExpanded *filter, const BfView *other);
extern void bf_expanded_intersect(BfExpanded *filter, const BfView *other);

#endif							/* BF_SETOPS_H */
