/*-------------------------------------------------------------------------
 *
 * keyset.h
 *		The keys that a join hashed, as intervals that cover them all.
 *
 * While there are few different keys each is an interval of its own.  Of more,
 * the intervals cover what lies between some of them, too: what no interval
 * meets, no key is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_KEYSET_H
#define BF_JOIN_KEYSET_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pg_list.h"

#include "joins/execution/integers.h"

/* Of values of the keys' type; both are included. */
typedef struct BfInterval
{
	Datum		low;
	Datum		high;
} BfInterval;

struct BfBitmap;
struct keys_hash;

typedef struct BfKeySet
{
	MemoryContext mcxt;			/* of all that follows but the functions */
	BfKeyKind	kind;
	FmgrInfo	compare;		/* a btree's, of the keys' type */
	Oid			collation;
	int16		typlen;
	bool		typbyval;

	/*
	 * Nothing is known: there were too many keys or too long ones.  What asks then
	 * has to take every value for a key.
	 */
	bool		unknown;

	/* in order and disjoint, once the set is finished */
	BfInterval *intervals;
	int			n;
	bool		exact;			/* is each a single value, that was added? */

	/* of integers: those that are different while they are few, and all of them */
	struct keys_hash *few;
	struct BfBitmap *bitmap;

	/* of other types: room in intervals, and what is not in order at its end */
	int			room;
	uint64		added;
	Size		bytes;			/* of keys that are not by value */
} BfKeySet;

/*
 * Intervals of a finished set at most: of integers, whose bits have no more
 * runs; and of other types, each of which takes calls to be found.
 */
#define BF_MAX_BITMAP_RUNS		32768
#define BF_MAX_EXACT_KEYS		4096

/* An empty set, in a context below parent.  compare: of btree, of two keys. */
extern BfKeySet *bf_keys_create(Oid compare, Oid collation, Oid type, MemoryContext parent);

/*
 * Empty sets of the columns of a key, in contexts below parent: NULL for those
 * without a comparison.
 */
extern BfKeySet **bf_keys_create_all(List *compares, List *collations, List *types,
									 MemoryContext parent);

/* Empty it. */
extern void bf_keys_reset(BfKeySet *set);

/* Add a key, which is copied; not NULL. */
extern void bf_keys_add(BfKeySet *set, Datum key);

/* All keys were added: put the intervals in order. */
extern void bf_keys_finish(BfKeySet *set);

/*
 * Write the intervals of a finished set, no more than fit, to memory of
 * BF_KEYS_SLOT_BYTES that is aligned, and add those that were written there to a
 * set, which is finished when it has them all.
 */
#define BF_KEYS_SLOT_BYTES		8256
extern void bf_keys_write(const BfKeySet *set, char *slot);
extern void bf_keys_read(BfKeySet *set, const char *slot);

/* A slot of an empty set. */
extern void bf_keys_clear_slot(char *slot);

#endif							/* BF_JOIN_KEYSET_H */
