/*-------------------------------------------------------------------------
 *
 * steps.h
 *		The ways from a node to a child on which the rows of a key may be
 *		followed, and what the node does with these rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STEPS_H
#define BF_JOIN_STEPS_H

#include "postgres.h"

#include "joins/planning/keys.h"
#include "joins/planning/reasons.h"
#include "joins/planning/statement.h"

/* What a node does with the rows of a child. */
typedef struct BfJoinProperties
{
	bool		stores;			/* keeps them, maybe from one scan to the next */
	bool		looks_ahead;	/* asks for more of them before it returns a row */
	bool		may_stop;		/* asks for a first one, and may ask for no more then */
	bool		scatters;		/* returns them in another order, or by batches */
	bool		groups;			/* see BfJoinGroups */
	bool		dear;			/* takes so long that rows are worth keeping from it */
} BfJoinProperties;

/* One step down: the child, and which of its columns is the key. */
typedef struct BfJoinStep
{
	const BfJoinProperties *node;
	Plan	  **place;
	AttrNumber	column;
	bool		ends_early;		/* is the child not expected to be read to its end? */
	bool		stops_anew;		/* may_stop: in each scan, not in the first one only */
	const HashJoin *hashes;		/* the join that hashes the child, if one does */
	Cost		cost;			/* of the node for the rows that it gets this way */
	Plan	   *gather;			/* the node, if other processes run the child */
	BfJoinReason refusal;		/* why there is no step, if there is none */
} BfJoinStep;

/* What must not be gone through, whatever the node allows. */
typedef struct BfJoinLimits
{
	/*
	 * Nodes that keep rows: they may be filled before the filter is complete,
	 * or keep rows from one scan to the next although the hash table changed.
	 */
	bool		not_below_stores;

	/*
	 * Nodes that read on before they return a row: if only a few rows are
	 * wanted, looking for the next one that passes may take a whole table.
	 */
	bool		not_below_lookahead;

	/* The same of merge joins that stop before their outer side ends. */
	bool		not_below_early_end;

	/*
	 * Is a first row asked for before there is a filter?  Then its group can be
	 * kept whole only while others of the group are known to follow it.
	 */
	bool		first_row_untested;

	/* Can the join be made to hash before it asks for that row? */
	bool		may_hash_first;

	/*
	 * May one process drop rows that another one would not?  Then not below what
	 * they share, a Parallel Hash or the batches of its join, nor below other
	 * hash tables, whose filters are tested there.
	 */
	bool		differs_by_process;

	/*
	 * May the join run again?  What keeps rows from one scan to the next does so
	 * if there are not too many of them: with fewer, what is below is not run
	 * again.
	 */
	bool		runs_again;
} BfJoinLimits;

/* The cost of a node itself, for all that it does, given that of those below it. */
extern Cost bf_join_own_cost(Plan *plan, Cost below);

/* What a search is about. */
typedef struct BfJoinStepContext
{
	BfJoinStatement *statement;
	const BfJoinPlanKey *key;
	const BfJoinLimits *limits;
} BfJoinStepContext;

/*
 * The step through a node with one way on, for a column of its output.  False:
 * rows are to be tested above it.
 */
extern bool bf_join_find_step(const BfJoinStepContext *context, Plan *plan, AttrNumber column,
							  BfJoinStep *step);

/* The step from an Append or MergeAppend to any of its children, but for the place. */
extern void bf_join_append_step(Plan *plan, AttrNumber column, BfJoinStep *step);

#endif							/* BF_JOIN_STEPS_H */
