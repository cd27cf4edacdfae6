/*-------------------------------------------------------------------------
 *
 * skips.h
 *		What lets a scan skip what no hashed key can match, as plans keep it.
 *
 * A partition's bounds limit the values that a column of its rows has; a BRIN
 * index keeps the lowest and the highest of each range of blocks.  If no key
 * that a join hashed lies there, nothing of that can match, and need not be read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SKIPS_H
#define BF_JOIN_SKIPS_H

#include "postgres.h"

#include "access/attnum.h"
#include "nodes/pg_list.h"

/*
 * A part of a partition's constraint, all of which its rows fulfil: the column
 * compares to one of the constants like that, or has that remainder.
 */
typedef struct BfJoinBound
{
	int			strategy;		/* of a btree; 0: the hash of a partition */
	int			modulus;		/* of hashes */
	int			remainder;
	Oid			function;		/* compares a key to a constant, or hashes a key */
	List	   *constants;		/* Const */
} BfJoinBound;

/* What is known of one table by one column, which a key of a join is compared to. */
typedef struct BfJoinSkip
{
	int			key;			/* its number in the filter, from 0 */
	List	   *bounds;			/* BfJoinBound; NIL: it is a BRIN index */
	Oid			index;
	AttrNumber	attribute;		/* of the index */
	Oid			function;		/* compares a key to a value that the index keeps */
} BfJoinSkip;

/* As lists of nodes that can be copied, written and read. */
extern List *bf_join_skip_to_list(const BfJoinSkip *skip);
extern BfJoinSkip *bf_join_skip_from_list(List *list);

#endif							/* BF_JOIN_SKIPS_H */
