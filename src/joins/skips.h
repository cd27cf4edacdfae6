/*-------------------------------------------------------------------------
 *
 * skips.h
 *		What a scan can skip, as plans record it.
 *
 * A partition's bounds limit the values of one of its columns; a BRIN index keeps
 * the lowest and the highest value of each range of blocks.  If no key that a
 * join hashed lies there, no row of the partition or range can match, so a scan
 * need not read its blocks.  A filter index tells which blocks a key may be in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SKIPS_H
#define BF_JOIN_SKIPS_H

#include "access/attnum.h"
#include "nodes/pg_list.h"

/* What tells where keys can be. */
typedef enum BfJoinSkipKind
{
	BF_JOIN_SKIP_PARTITION,		/* the bounds of a partition */
	BF_JOIN_SKIP_BRIN,			/* a BRIN index */
	BF_JOIN_SKIP_LOOKUP			/* a filter index, in which keys are looked up */
} BfJoinSkipKind;

/*
 * Maximum number of keys that are remembered one by one: only these can be
 * looked up.
 */
#define BF_JOIN_MAX_EXACT_KEYS	4096

/*
 * A part of a partition's bounds, which all of its rows fulfil in which the column
 * is not NULL: the column compares by the strategy to one of the constants, or
 * the column's hash has a remainder.
 */
typedef struct BfJoinBound
{
	int			strategy;		/* of a btree; 0: a remainder of a hash */
	int			modulus;		/* of hashes */
	int			remainder;
	Oid			function;		/* compares a key to a constant, or hashes a key */
	List	   *constants;		/* Const */
} BfJoinBound;

/*
 * What is known of one table by one column, to which a join's key is compared.
 */
typedef struct BfJoinSkip
{
	BfJoinSkipKind kind;
	int			key;			/* number of the key in the filter, from 0 */
	double		saves;			/* cost of the scan if no row matches; not in the plan */
	List	   *bounds;			/* BfJoinBound; NIL: it is an index */

	/*
	 * The newest transaction that attached the partition: an older snapshot may
	 * see rows that were deleted before.
	 */
	TransactionId attached_by;
	Oid			index;
	AttrNumber	attribute;		/* of the index */
	Oid			function;		/* of BRIN: compares a key to a value in the index */
} BfJoinSkip;

#endif							/* BF_JOIN_SKIPS_H */
