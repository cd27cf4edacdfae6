/*-------------------------------------------------------------------------
 *
 * gain.h
 *		Whether a join filter is expected to pay.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_GAIN_H
#define BF_JOIN_GAIN_H

#include "postgres.h"

#include "nodes/plannodes.h"

#include "joins/planning/reasons.h"

typedef struct BfJoinEstimate
{
	double		gain;			/* in the planner's units of cost */
	double		spent;			/* of what is saved, on testing and hashing */
	Cost		cost_above;		/* of all rows, from where they are tested to the join */
	Cost		join_cost;		/* of all rows that come to the join */
	Cost		test_cost;		/* of all rows */
	Cost		build_cost;
	Cost		skipped_cost;	/* of scans, that is not spent if no row matches */
	double		pass;			/* fraction of the rows that pass */
	double		hashed_rows;	/* by all workers together */
	double		max_pass;		/* break-even at run time */
	BfJoinReason refusal;		/* why it does not pay */
} BfJoinEstimate;

/*
 * Estimate what a filter gains for a join, given its keys (BfJoinPlanKey)
 * and where each of them is to be tested, at the same places all; what their scans
 * can skip; and the fraction of the rows that filters of other joins leave to be
 * hashed.  False: it is expected not to pay, or not to fit into memory, or rows are
 * tested there by hand.
 */
extern bool bf_join_pays(PlannedStmt *stmt, const HashJoin *join, List *keys,
						 List *descents, Cost skipped_cost, double hashed_left,
						 BfJoinEstimate *result);

/*
 * What the filter gains if others leave only a fraction of the rows to it, where
 * they are tested, and of those that come to the join.
 */
extern double bf_join_gain(const BfJoinEstimate *estimate, double left_at_place,
						   double left_at_join);

#endif							/* BF_JOIN_GAIN_H */
