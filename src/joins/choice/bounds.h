/*-------------------------------------------------------------------------
 *
 * bounds.h
 *		What the bounds of a partition say about one of its columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLAN_BOUNDS_H
#define BF_JOIN_PLAN_BOUNDS_H

#include "utils/relcache.h"

#include "joins/rules/statement.h"
#include "joins/skips.h"

/* A column of a table, and the operator by which it is compared to a join's keys. */
typedef struct BfJoinColumn
{
	BfJoinStatement *statement;
	Relation	relation;
	AttrNumber	attribute;
	Oid			operator;
	Oid			collation;
	Oid			family;			/* of btree; the operator is its equality */
	Oid			inner_type;		/* the operator's right type */
} BfJoinColumn;

/*
 * May this function be called by scans?  They call it for rows that the join
 * does not see, and maybe in workers.  A cached plan is made anew when the
 * function changes.
 */
extern bool bf_join_may_call(const BfJoinColumn *column, Oid function);

/*
 * The family's function that compares an inner key to a value of a type;
 * InvalidOid if there is none, or if it must not be called.
 */
extern Oid	bf_join_comparison(const BfJoinColumn *column, Oid type);

/*
 * The bounds of a partition, as a list of BfJoinBound; NIL if none are known.
 * Parts of the constraint that are not understood are left out: they exclude
 * no key.
 */
extern List *bf_join_find_bounds(const BfJoinColumn *column);

/*
 * The bounds of a partition, but only for the levels, from the top down, that
 * are partitioned by this column alone: there, rows with equal values are in one
 * partition.  Sets owner to that partition of the lowest such level, if there is
 * one: its own partitions all have these bounds.
 */
extern List *bf_join_find_common_bounds(const BfJoinColumn *column, Oid *owner);

#endif							/* BF_JOIN_PLAN_BOUNDS_H */
