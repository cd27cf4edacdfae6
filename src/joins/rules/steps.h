/*-------------------------------------------------------------------------
 *
 * steps.h
 *		The ways from a node to a child by which the rows of a key can be
 *		followed, and what the node does with these rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STEPS_H
#define BF_JOIN_STEPS_H

#include "joins/rules/keys.h"
#include "joins/rules/reasons.h"
#include "joins/rules/sides.h"
#include "joins/rules/statement.h"

/* What a node does with the rows of a child. */
typedef struct BfJoinProperties
{
	bool		stores;			/* keeps rows, maybe for the next scan */
	bool		reads_all;		/* before it returns the first row */
	bool		looks_ahead;	/* reads more rows before it returns a row */
	bool		may_stop;		/* reads a first row, and maybe no more then */
	bool		groups;			/* returns one row, or none, for several */
	bool		dear;			/* expensive: dropping rows earlier pays */
} BfJoinProperties;

/* One step down: the child, and which of its columns is the key. */
typedef struct BfJoinStep
{
	const BfJoinProperties *node;
	Plan	  **place;
	AttrNumber	column;
	bool		ends_early;		/* may the child not be read to its end? */
	bool		stops_anew;		/* may_stop holds in each scan */
	HashJoin   *hashes;			/* the join that hashes the child, if one does */
	Cost		cost;			/* of the node for the rows of this child */
	Plan	   *gather;			/* the node, if other processes run the child */
} BfJoinStep;

/* Limits that hold whatever the node allows. */
typedef struct BfJoinLimits
{
	/*
	 * Do not go below nodes that keep rows?  They may be filled before the
	 * filter is complete, or keep rows from one scan to the next although the
	 * hash table changed.
	 */
	bool		not_below_stores;

	/*
	 * Do not go below nodes that read on before they return a row?  If only a
	 * few rows are wanted, finding the next row that passes may take a whole
	 * table.
	 */
	bool		not_below_lookahead;

	/* Is a first row read before there is a filter?  Then its group is not whole. */
	bool		first_row_untested;

	/* Would it be, but the join can be made to hash before it reads the row? */
	bool		may_hash_first;

	/*
	 * May one process drop rows that another process would not?  Then do not
	 * go below what processes share, a Parallel Hash or the batches of its
	 * join, nor below other hash tables, whose filters are tested there.
	 */
	bool		differs_by_process;

	/*
	 * May the join run again?  Nodes that keep rows from one scan to the next
	 * do so if there are few enough: with fewer rows, the nodes below them do
	 * not run again.
	 */
	bool		runs_again;
} BfJoinLimits;

/* The cost of a node alone, given the cost of the nodes below it. */
extern Cost bf_join_own_cost(Plan *plan, Cost below);

/* What the search is for. */
typedef struct BfJoinStepContext
{
	BfJoinStatement *statement;
	const BfJoinPlanKey *key;
	const BfJoinLimits *limits;
} BfJoinStepContext;

/*
 * Find the step through a node that has one way down, for a column of its
 * output, or why rows must be tested above the node.  step is zeroed before.
 */
extern BfJoinReason bf_join_find_step(const BfJoinStepContext *context, Plan *plan,
									  AttrNumber column, BfJoinStep *step);

/*
 * The step from an Append or MergeAppend to any of its children; does not set
 * the place.
 */
extern void bf_join_append_step(Plan *plan, AttrNumber column, BfJoinStep *step);

/* The step from a merge join to the side that is tested by its own filter. */
extern void bf_join_merge_step(const BfJoinSides *sides, BfJoinStep *step);

#endif							/* BF_JOIN_STEPS_H */
