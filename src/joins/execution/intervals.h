/*-------------------------------------------------------------------------
 *
 * intervals.h
 *		Puts the intervals of a set of keys in order, and closes gaps between them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_INTERVALS_H
#define BF_JOIN_INTERVALS_H

#include "postgres.h"

#include "joins/execution/keyset.h"

/* Put the intervals in order, those together that meet. */
extern void bf_intervals_sort(BfKeySet *set);

/*
 * Leave at most that many intervals, which are in order.  They are no longer exact
 * if there were more.
 */
extern void bf_intervals_coarsen(BfKeySet *set, int most);

/* Of two uint64, for qsort(). */
extern int	bf_compare_integers(const void *a, const void *b);

#endif							/* BF_JOIN_INTERVALS_H */
