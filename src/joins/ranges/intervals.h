/*-------------------------------------------------------------------------
 *
 * intervals.h
 *		Sorts the intervals of a set of keys, and closes gaps between them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_INTERVALS_H
#define BF_JOIN_INTERVALS_H

#include "postgres.h"

#include "joins/ranges/keyset.h"

/* Sort the intervals, and join those that overlap. */
extern void bf_intervals_sort(BfKeySet *set);

/*
 * Leave at most that many intervals of a sorted set.  If there were more, the
 * intervals are no longer exact.
 */
extern void bf_intervals_coarsen(BfKeySet *set, int most);

/* Compares two uint64, for qsort(). */
extern int	bf_compare_integers(const void *a, const void *b);

#endif							/* BF_JOIN_INTERVALS_H */
