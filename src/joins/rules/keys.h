/*-------------------------------------------------------------------------
 *
 * keys.h
 *		The keys of hash joins, and what their operators imply.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_KEYS_H
#define BF_JOIN_KEYS_H

#include "access/attnum.h"
#include "nodes/primnodes.h"

#include "joins/rules/reasons.h"
#include "joins/rules/statement.h"

/* A condition of a join: an expression of the tested side equals one of the other. */
typedef struct BfJoinPlanKey
{
	int			number;			/* among the keys of the join, from 0 */
	AttrNumber	column;			/* of the tested side; 0: it is not a column */
	Expr	   *outer;			/* of the tested side */
	Expr	   *inner;			/* in terms of the store's child */
	Oid			operator;		/* its left argument is of the tested side */
	Oid			collation;
	BfJoinReason refusal;		/* why values cannot be hashed */
} BfJoinPlanKey;

/*
 * Does a hash function or a comparison reveal nothing of its arguments, and
 * have no side effects?
 */
extern bool bf_join_function_is_harmless(Oid function);

/*
 * Have values that are equal under the collation always the same hash?  Of
 * functions that are harmless, which those of containers are not.
 */
extern bool bf_join_hash_follows_equality(Oid function, Oid collation);

/* The same of both hash functions of an operator. */
extern bool bf_join_hashes_follow_equality(Oid operator, Oid collation);

/* Do the hash functions of an operator reveal nothing of their arguments? */
extern bool bf_join_hash_is_harmless(Oid operator);

/*
 * May workers call the hash function of the operator's outer side?  If not,
 * that may be why the join itself is above the Gather.
 */
extern bool bf_join_hash_is_parallel_safe(Oid operator);

/* Call bf_join_watch_function() for the hash functions of an operator. */
extern void bf_join_watch_hash(BfJoinStatement *statement, Oid operator);

/*
 * Are rows that are equal to a grouping by this operator and collation also
 * equal to the join?
 */
extern bool bf_join_groups_agree(Oid operator, Oid collation, const BfJoinPlanKey *key);

#endif							/* BF_JOIN_KEYS_H */
