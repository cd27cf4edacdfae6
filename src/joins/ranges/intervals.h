/*-------------------------------------------------------------------------
 *
 * intervals.h
 *		A set of keys as intervals: sorts them, and closes gaps between them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_INTERVALS_H
#define BF_JOIN_INTERVALS_H

#include "fmgr.h"

/* How keys are compared, and kept until all are known. */
typedef enum BfKeyKind
{
	BF_KEYS_BY_CALL,			/* of any type */
	BF_KEYS_INT2,
	BF_KEYS_INT4,
	BF_KEYS_INT8,
	BF_KEYS_OID
} BfKeyKind;

/* Bounds of the keys' type, both included. */
typedef struct BfInterval
{
	Datum		low;
	Datum		high;
} BfInterval;

struct BfBitmap;
struct keys_hash;

typedef struct BfKeySet
{
	MemoryContext mcxt;			/* of all fields below except the functions */
	BfKeyKind	kind;
	FmgrInfo	compare;		/* btree comparison of the keys' type */
	Oid			collation;
	Oid			type;
	int16		typlen;
	bool		typbyval;

	/*
	 * Set if there were too many keys, or keys that are too long.  Then every
	 * value may be a key.
	 */
	bool		unknown;

	/* sorted and disjoint once the set is finished */
	BfInterval *intervals;
	int			n;
	bool		exact;			/* is each interval a single key? */

	/* integers: the different keys while they are few, or else all keys */
	struct keys_hash *few;
	struct BfBitmap *bitmap;

	/* other types: allocated intervals, and the additions */
	int			room;
	uint64		added;
	Size		bytes;			/* of keys that are not passed by value */
} BfKeySet;

#define BF_SIGN_BIT	(UINT64CONST(1) << 63)

/*
 * Convert a key that is an integer, a date or a time to an unsigned integer; the
 * order is kept.
 */
static inline uint64
bf_to_integer(BfKeyKind kind, Datum key)
{
	switch (kind)
	{
		case BF_KEYS_INT2:
			return (uint64) (int64) DatumGetInt16(key) ^ BF_SIGN_BIT;
		case BF_KEYS_INT4:
			return (uint64) (int64) DatumGetInt32(key) ^ BF_SIGN_BIT;
		case BF_KEYS_INT8:
			return (uint64) DatumGetInt64(key) ^ BF_SIGN_BIT;
		default:
			return (uint64) DatumGetObjectId(key);
	}
}

/* Sort the intervals, and join those that overlap. */
extern void bf_intervals_sort(BfKeySet *set);

/*
 * Leave at most that many intervals of a sorted set.  If there were more, the
 * intervals are no longer exact.
 */
extern void bf_intervals_coarsen(BfKeySet *set, int most);

/* Compares two uint64, for qsort(). */
extern int	bf_compare_integers(const void *a, const void *b);

#endif							/* BF_JOIN_INTERVALS_H */
