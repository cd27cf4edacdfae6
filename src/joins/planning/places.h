/*-------------------------------------------------------------------------
 *
 * places.h
 *		Where the rows of a join's outer side may be tested by its filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLACES_H
#define BF_JOIN_PLACES_H

#include "postgres.h"

#include "joins/planning/steps.h"
#include "joins/spec.h"

/* A node above which rows are tested. */
typedef struct BfJoinTarget
{
	Plan	  **place;			/* its parent's pointer to it */
	AttrNumber	column;			/* of its output */
	BfJoinGroups groups;		/* on the way from there to the join */
	Plan	   *gather;			/* the Gather on this way; NULL: there is none */
	BfJoinReason bound;			/* why not deeper; BF_JOIN_LEAF: there is nothing */
	List	   *skips;			/* BfJoinSkip: what its scan can skip by this key */
} BfJoinTarget;

/* Where a key is to be tested. */
typedef struct BfJoinDescent
{
	List	   *targets;
	double		rows;			/* estimate of the rows that are tested */
	Cost		cost_above;		/* of the nodes between there and the join */
	bool		saves_more;		/* is one of them dear? */
	bool		hash_first;		/* must the filter be complete before the first row? */
	List	   *fewer_hashed;	/* HashJoin: those that hash rows which are tested there */
} BfJoinDescent;

/*
 * The deepest places at or below *place where rows may be tested by a key.
 * False: there are none.
 */
extern bool bf_join_descend(BfJoinStatement *statement, Plan **place, const BfJoinPlanKey *key,
							const BfJoinLimits *limits, BfJoinDescent *result);

#endif							/* BF_JOIN_PLACES_H */
