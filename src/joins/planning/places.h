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

#include "joins/planning/statement.h"
#include "joins/spec.h"

/* A key of a join whose outer side is a plain column. */
typedef struct BfJoinPlanKey
{
	int			number;			/* among the keys of the join, from 0 */
	AttrNumber	column;			/* of the outer side */
	Expr	   *inner;			/* in terms of the Hash node's child */
	Oid			operator;
	Oid			collation;
} BfJoinPlanKey;

/* A node above which rows are tested. */
typedef struct BfJoinTarget
{
	Plan	  **place;			/* its parent's pointer to it */
	AttrNumber	column;			/* of its output */
	BfJoinGroups groups;		/* on the way from there to the join */
} BfJoinTarget;

/* Where a key is to be tested. */
typedef struct BfJoinDescent
{
	List	   *targets;
	double		rows;			/* estimate of the rows that are tested */
	Cost		cost_above;		/* of the nodes between there and the join */
	bool		saves_more;		/* is one of them dear? */
} BfJoinDescent;

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

/* Do the hash functions of an operator tell nothing of their arguments? */
extern bool bf_join_hash_is_harmless(Oid operator);

/*
 * The column of a child (or relation) varno that a column of a node is,
 * unchanged; 0 if it is anything else.  Types may differ if their values look
 * the same.
 */
extern AttrNumber bf_join_passed_column(Plan *plan, AttrNumber column, int varno);

/*
 * The deepest places at or below *place where rows may be tested by a key.
 * False: there are none.
 */
extern bool bf_join_descend(BfJoinStatement *statement, Plan **place, const BfJoinPlanKey *key,
							const BfJoinLimits *limits, BfJoinDescent *result);

#endif							/* BF_JOIN_PLACES_H */
