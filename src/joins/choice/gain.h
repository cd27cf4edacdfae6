/*-------------------------------------------------------------------------
 *
 * gain.h
 *		Whether a join filter is expected to pay.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_GAIN_H
#define BF_JOIN_GAIN_H

#include "nodes/plannodes.h"

#include "joins/rules/reasons.h"
#include "joins/rules/sides.h"

typedef struct BfJoinEstimate
{
	double		gain;			/* in the planner's units of cost */
	double		spent;			/* cost of the tests and of hashing */
	Cost		cost_above;		/* of all rows, from where they are tested to the join */
	Cost		join_cost;		/* of all rows that reach the join */
	Cost		test_cost;		/* of all rows */
	Cost		build_cost;
	Cost		skipped_cost;	/* of scans, if no row matches */
	double		pass;			/* fraction of the rows that pass */
	double		hashed_rows;	/* by all workers together */
	double		max_pass;		/* break-even at run time */
	BfJoinReason refusal;		/* why it does not pay */
} BfJoinEstimate;

/*
 * Estimate what a filter gains for a join.  Its keys are all tested at the
 * same places, which the descents (BfJoinDescent) describe.  skipped_cost is
 * the cost of what their scans can skip, and hashed_left the fraction of the
 * hashed rows that the filters of other joins let pass.  False: the filter is
 * not expected to pay, or not to fit into memory, or the query tests the rows
 * by a filter of its own.
 */
extern bool bf_join_pays(PlannedStmt *stmt, const BfJoinSides *sides, List *descents,
						 Cost skipped_cost, double hashed_left, BfJoinEstimate *result);

/* The least cost of a scan that reads so many rows. */
extern Cost bf_join_rows_cost(double rows);

/*
 * The gain of the filter if others let pass only the fraction left_at_place of
 * the rows where they are tested, and left_at_join of the rows that reach the
 * join.
 */
extern double bf_join_gain(const BfJoinEstimate *estimate, double left_at_place,
						   double left_at_join);

#endif							/* BF_JOIN_GAIN_H */
