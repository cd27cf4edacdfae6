/*-------------------------------------------------------------------------
 *
 * places.h
 *		Where the rows of a join's outer side may be tested by its filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLACES_H
#define BF_JOIN_PLACES_H

#include "joins/rules/steps.h"
#include "joins/spec.h"

/* A node above which rows are tested. */
typedef struct BfJoinTarget
{
	Plan	  **place;			/* the parent's pointer to this node */
	AttrNumber	column;			/* the key, in this node's output */
	BfJoinGroups groups;		/* on the way from the node to the join */
	Plan	   *gather;			/* the Gather on this way; NULL if none */
	BfJoinReason obstacle;		/* why not deeper; BF_JOIN_LEAF: no child */
	List	   *skips;			/* BfJoinSkip: what this node can skip */
	Oid			owner;			/* below groups: the table whose bounds these are */
} BfJoinTarget;

/* Where a key can be tested. */
typedef struct BfJoinDescent
{
	List	   *targets;
	double		rows;			/* estimate of the rows that are tested */
	Cost		cost_above;		/* of the nodes between there and the join */
	bool		saves_more;		/* is any of these nodes expensive? */
	bool		hash_first;		/* must the filter be complete before the first row? */
	List	   *fewer_hashed;	/* the HashJoins that hash rows tested there */
} BfJoinDescent;

/*
 * Find the deepest places at or below *place where rows may be tested by a
 * key.  False: there are none.
 */
extern bool bf_join_descend(BfJoinStatement *statement, Plan **place, const BfJoinPlanKey *key,
							const BfJoinLimits *limits, BfJoinDescent *result);

#endif							/* BF_JOIN_PLACES_H */
