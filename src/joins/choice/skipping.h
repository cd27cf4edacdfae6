/*-------------------------------------------------------------------------
 *
 * skipping.h
 *		What a table's scan can skip by the keys of a join filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SKIPPING_H
#define BF_JOIN_SKIPPING_H

#include "joins/rules/keys.h"
#include "joins/rules/places.h"
#include "joins/rules/statement.h"

/*
 * Find what the targets' scans can skip by the key, which has this number in the
 * filter.  Sets the skips of all targets to lists of BfJoinSkip.  keys: estimate
 * of their number, assumed to be different.  complete: is the filter complete
 * before the first row is read?
 */
extern void bf_join_find_skips(BfJoinStatement *statement, BfJoinDescent *descent, int number,
							   double keys, bool complete);

/* Does any scan below the targets skip by the key? */
extern bool bf_join_any_skips(const BfJoinDescent *descent);

/* The cost of the targets' scans that would be saved if no row of the tables matched. */
extern Cost bf_join_skipped_cost(const BfJoinDescent *descent);

/*
 * The function that compares two inner keys, by which they are kept in order.
 */
extern Oid	bf_join_key_order(const BfJoinPlanKey *key);

#endif							/* BF_JOIN_SKIPPING_H */
