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

/* The number of rows that all workers together are expected to hash. */
extern double bf_join_hashed_rows(Plan *hash);

/*
 * Estimate the fraction of the outer side's rows that pass a filter of the keys
 * of these descents (BfJoinDescent) from the join.
 */
extern double bf_join_pass_fraction(PlannedStmt *stmt, const HashJoin *join, List *descents);

/*
 * Are the hashed values of a key expected to be close together?  False: they
 * are not, or that is not known.
 */
extern bool bf_join_lies_together(PlannedStmt *stmt, const HashJoin *join,
								  const BfJoinPlanKey *key);

#endif							/* BF_JOIN_SELECTIVITY_H */
