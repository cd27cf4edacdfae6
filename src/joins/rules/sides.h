/*-------------------------------------------------------------------------
 *
 * sides.h
 *		The two sides of a join: one whose rows are all known before the first
 *		row of the other is needed, and one whose rows may be tested.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SIDES_H
#define BF_JOIN_SIDES_H

#include "nodes/plannodes.h"

#include "joins/rules/reasons.h"

typedef struct BfJoinSides
{
	Join	   *join;			/* a HashJoin or a MergeJoin */
	Plan	  **tested;			/* the join's pointer to the side that is tested */
	Plan	   *store;			/* the Hash or Sort that keeps the rows of the other */
	Plan	  **store_place;	/* its parent's pointer to it */
} BfJoinSides;

/* Does the join return no rows of its inner side without a match? */
extern bool bf_join_drops_unmatched_inner(JoinType type);

/* Does a node join by hashing or by merging? */
static inline bool
bf_join_has_sides(const Plan *plan)
{
	return IsA(plan, HashJoin) || IsA(plan, MergeJoin);
}

/*
 * Find the sides of a hash join or merge join.  Of a merge join, the smaller of
 * the sides that are possible is hashed.  Otherwise the reason why the join can
 * have no filter; then only the join is set.
 */
extern BfJoinReason bf_join_find_sides(Plan *plan, BfJoinSides *sides);

/* The conditions of a join, as in the plan. */
static inline List *
bf_join_conditions(const BfJoinSides *sides)
{
	return IsA(sides->join, HashJoin) ? ((const HashJoin *) sides->join)->hashclauses :
		((const MergeJoin *) sides->join)->mergeclauses;
}

/*
 * The same of a join whose sides were found: a list of BfJoinPlanKey, in the order
 * of the plan.
 */
extern List *bf_join_keys(const BfJoinSides *sides);

#endif							/* BF_JOIN_SIDES_H */
