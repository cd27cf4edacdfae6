/*-------------------------------------------------------------------------
 *
 * selectivity.h
 *		Estimates how many of a join's rows have a match for some of its keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SELECTIVITY_H
#define BF_JOIN_SELECTIVITY_H

#include "nodes/plannodes.h"

#include "joins/rules/keys.h"
#include "joins/rules/sides.h"

/* The number of rows that a Hash or Sort keeps, expected of all workers together. */
extern double bf_join_hashed_rows(Plan *store);

/*
 * Estimate the fraction of the tested side's rows that pass a filter of the keys
 * of these descents (BfJoinDescent) from the join.
 */
extern double bf_join_pass_fraction(PlannedStmt *stmt, const BfJoinSides *sides, List *descents);

#endif							/* BF_JOIN_SELECTIVITY_H */
