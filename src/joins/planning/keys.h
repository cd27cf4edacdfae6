/*-------------------------------------------------------------------------
 *
 * keys.h
 *		The keys of hash joins, and what may be told from their operators.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_KEYS_H
#define BF_JOIN_KEYS_H

#include "postgres.h"

#include "access/attnum.h"
#include "nodes/primnodes.h"

#include "joins/planning/statement.h"

/* A key of a join whose outer side is a plain column. */
typedef struct BfJoinPlanKey
{
	int			number;			/* among the keys of the join, from 0 */
	AttrNumber	column;			/* of the outer side */
	Expr	   *inner;			/* in terms of the Hash node's child */
	Oid			operator;
	Oid			collation;
} BfJoinPlanKey;

/*
 * Does a hash function or a comparison tell nothing of its arguments, and do
 * nothing else?
 */
extern bool bf_join_function_is_harmless(Oid function);

/* Do the hash functions of an operator tell nothing of their arguments? */
extern bool bf_join_hash_is_harmless(Oid operator);

/*
 * May workers call the hash function of its outer side?  The join itself may be
 * where it is because they may not.
 */
extern bool bf_join_hash_is_parallel_safe(Oid operator);

/* bf_join_watch_function() of the hash functions of an operator. */
extern void bf_join_watch_hash(BfJoinStatement *statement, Oid operator);

/*
 * Are rows that a grouping by that operator and collation takes for one also
 * one to the join?
 */
extern bool bf_join_groups_agree(Oid operator, Oid collation, const BfJoinPlanKey *key);

#endif							/* BF_JOIN_KEYS_H */
