/*-------------------------------------------------------------------------
 *
 * stability.h
 *		What parts of plans do when they run again, or with fewer rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STABILITY_H
#define BF_JOIN_STABILITY_H

#include "postgres.h"

#include "joins/planning/statement.h"

/*
 * Find out which parameters of the statement may have other values at another
 * time or in another process.  To be called before anything below.
 */
extern void bf_join_learn_stability(BfJoinStatement *statement);

/* How the result of a plan may change when it runs again, the least stable first. */
typedef enum BfJoinStability
{
	BF_JOIN_VOLATILE,			/* it has effects, or there is an unknown node */
	BF_JOIN_STABLE,				/* rows may differ, as with LIMIT */
	BF_JOIN_REPEATABLE			/* the same rows, in any order */
} BfJoinStability;

extern BfJoinStability bf_join_stability(BfJoinStatement *statement, Plan *plan);

/* The same of the result of a sub-select. */
extern BfJoinStability bf_join_sub_select_stability(BfJoinStatement *statement,
													const SubPlan *subplan);

/*
 * May it return rows for ever, to whoever asks for one after another?  So may a
 * recursive query, a foreign table that is no other server's, and a custom scan,
 * and a function that returns a set all but that.  Nor does it end if a sub-select
 * that it needs never does.
 */
extern bool bf_join_may_be_endless(BfJoinStatement *statement, Plan *plan);

/*
 * May a hash join hash before it asks its outer side for a first row?  If something
 * there is volatile, the join may read no more than that row; and if hashing never
 * ends, a join of nothing would not end either.
 */
extern bool bf_join_may_hash_first(BfJoinStatement *statement, const HashJoin *join);

/*
 * Does a node do the same, but for fewer rows, if it gets fewer rows?  Not if
 * there is a volatile function or a sub-select in any of its expressions.
 */
extern bool bf_join_is_calm(BfJoinStatement *statement, Plan *plan);

/* The same of an expression. */
extern bool bf_join_expression_is_calm(BfJoinStatement *statement, Node *expression);

#endif							/* BF_JOIN_STABILITY_H */
