/*-------------------------------------------------------------------------
 *
 * places.h
 *		Which joins may have a filter, and where the rows of one side may be
 *		tested by it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLACES_H
#define BF_JOIN_PLACES_H

#include "joins/rules/sides.h"
#include "joins/rules/steps.h"
#include "joins/spec.h"

/* A node above which rows are tested. */
typedef struct BfJoinTarget
{
	Plan	  **place;			/* the parent's pointer to this node */
	AttrNumber	column;			/* the key, in this node's output; 0: an expression of that */
	bool		groups;			/* are rows grouped on the way from the node to the join? */
	bool		read_whole;		/* does a node on this way read all rows first? */
	Plan	   *gather;			/* the Gather on this way; NULL if none */
	BfJoinReason obstacle;		/* why not deeper; BF_JOIN_LEAF: no child */
	List	   *skips;			/* BfJoinSkip: what this node can skip */
	Oid			owner;			/* below groups: the table whose bounds these are */
} BfJoinTarget;

/* Where a key can be tested. */
typedef struct BfJoinDescent
{
	const BfJoinPlanKey *key;
	List	   *targets;
	double		rows;			/* estimate of the rows that are tested */
	Cost		cost_above;		/* of the nodes between there and the join */
	bool		saves_more;		/* is any of these nodes expensive? */

	/*
	 * Must the filter be complete before the first row is read, and can it be?
	 * Scans decide then what they skip, nodes that store rows fill their stores,
	 * groups begin, and workers are started.
	 */
	bool		hash_first;
	List	   *fewer_hashed;	/* the HashJoins that hash rows tested there */
} BfJoinDescent;

/*
 * The first rule that forbids the join any filter, whatever its keys;
 * BF_JOIN_ALLOWED: none does.  runs_again: may the join run more than once?
 */
extern BfJoinReason bf_join_refusal(BfJoinStatement *statement, const BfJoinSides *sides,
									bool runs_again);

/*
 * May the join fetch a row of the tested side before the other is hashed?  A
 * hash join does, to see whether there is any row.  This is the condition of
 * ExecHashJoinImpl(), without the parts that depend on earlier scans, and
 * without the rule that a Parallel Hash comes first.  That rule holds in
 * parallel mode only, and a plan whose rows are fetched one by one does not
 * run in parallel mode.  A merge join reads its outer side first.
 */
extern bool bf_join_fetches_row_first(const BfJoinSides *sides);

/*
 * May the scan's rows be tested by the key before the scan evaluates its own
 * conditions?  Then these are evaluated for fewer rows, and the hash function is
 * called for rows that they hide.
 */
extern bool bf_join_may_test_first(BfJoinStatement *statement, Plan *scan, Oid operator);

/*
 * Find the deepest places in the tested side where rows may be tested by a key.
 * Otherwise the reason why there are none.
 */
extern BfJoinReason bf_join_descend(BfJoinStatement *statement, const BfJoinSides *sides,
									const BfJoinPlanKey *key, const BfJoinLimits *limits,
									BfJoinDescent **result);

#endif							/* BF_JOIN_PLACES_H */
