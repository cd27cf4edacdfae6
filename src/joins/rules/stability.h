/*-------------------------------------------------------------------------
 *
 * stability.h
 *		How parts of plans behave when they run again, or with fewer rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STABILITY_H
#define BF_JOIN_STABILITY_H

#include "joins/rules/sides.h"
#include "joins/rules/statement.h"

/*
 * Find out which parameters of the statement may differ from one time, or from
 * one process, to another.  Must be called before the other functions here.
 */
extern void bf_join_learn_stability(BfJoinStatement *statement);

/* How the result of a plan may change when it runs again, the least stable first. */
typedef enum BfJoinStability
{
	BF_JOIN_VOLATILE,			/* it has side effects, or an unknown node */
	BF_JOIN_STABLE,				/* the set of rows may differ, as with LIMIT */
	BF_JOIN_BY_SETTINGS,		/* the same rows, unless a setting has changed */
	BF_JOIN_REPEATABLE			/* the same rows, in any order */
} BfJoinStability;

extern BfJoinStability bf_join_stability(BfJoinStatement *statement, Plan *plan);

/*
 * May the plan return rows without end, if row after row is read?  This is
 * true of recursive queries, foreign tables other than those of PostgreSQL
 * servers, custom scans, and functions that return a set in a SELECT list.  It
 * is also true of a plan that uses a sub-select that may never return.
 */
extern bool bf_join_may_be_endless(BfJoinStatement *statement, Plan *plan);

/*
 * May a join hash before it reads a first row of the tested side?  Not if that
 * is volatile: the join may then have to read no more than that row.  Nor if
 * hashing may be endless: a join without such rows must end.
 */
extern bool bf_join_may_hash_first(BfJoinStatement *statement, const BfJoinSides *sides);

/*
 * Does a node do the same, but for fewer rows, if it gets fewer rows?  It does
 * not if any of its expressions has a volatile function or a sub-select.
 */
extern bool bf_join_is_calm(BfJoinStatement *statement, Plan *plan);

/* The same for an expression. */
extern bool bf_join_expression_is_calm(BfJoinStatement *statement, Node *expression);

#endif							/* BF_JOIN_STABILITY_H */
