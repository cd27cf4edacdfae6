/*-------------------------------------------------------------------------
 *
 * bounds.h
 *		What the constraint of a partition says of one of its columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLAN_BOUNDS_H
#define BF_JOIN_PLAN_BOUNDS_H

#include "postgres.h"

#include "utils/relcache.h"

#include "joins/planning/statement.h"
#include "joins/skips.h"

/* A column of a table, and the operator by which it is compared to a join's keys. */
typedef struct BfJoinColumn
{
	BfJoinStatement *statement;
	Relation	relation;
	AttrNumber	attribute;
	Oid			operator;
	Oid			collation;
	Oid			family;			/* of btree, whose equality the operator is */
	Oid			inner_type;		/* the operator's right one */
} BfJoinColumn;

/*
 * The function of the family that compares an inner key to a value of a type.
 * InvalidOid: there is none, or it must not be called.
 */
extern Oid	bf_join_comparison(const BfJoinColumn *column, Oid type);

/*
 * A list of BfJoinBound; NIL if nothing is known.  What is not understood of the
 * constraint is left out, so that it excludes no key.
 */
extern List *bf_join_find_bounds(const BfJoinColumn *column);

/*
 * The same of the levels, from the top down, that are partitioned by this column
 * alone: rows with equal values are in one partition of them.
 */
extern List *bf_join_find_common_bounds(const BfJoinColumn *column);

#endif							/* BF_JOIN_PLAN_BOUNDS_H */
