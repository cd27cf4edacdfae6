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
	double		pass;			/* fraction of the rows that pass */
	double		hashed_rows;	/* by all workers together */
	double		max_pass;		/* break-even at run time */
	BfJoinReason refusal;		/* why it does not pay */
} BfJoinEstimate;

/*
 * Estimate what a filter gains for a join, given where each of its keys is to
 * be tested, at the same places all.  False: it is expected not to pay, or
 * not to fit into memory, or rows are tested there by hand.
 */
extern bool bf_join_pays(PlannedStmt *stmt, const HashJoin *join, List *descents,
						 BfJoinEstimate *result);

#endif							/* BF_JOIN_GAIN_H */
