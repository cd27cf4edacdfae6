/*-------------------------------------------------------------------------
 *
 * hash.h
 *		The hash of a join's key, on either side.
 *
 * Values that a hash join may consider equal have the same hash by the hash
 * functions of its operator, whatever the types of the two sides are.  An
 * integer may be used in place of its hash, but only on both sides.  These
 * hashes have 32 bits; they are spread to 64 bits for the blocks, which adds n
 * / 2^32 to the false positive rate of n keys.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_HASH_H
#define BF_JOIN_HASH_H

#include "common/hashfn.h"
#include "fmgr.h"
#include "nodes/pg_list.h"

#include "core/block.h"

/* How the hash of a column is computed. */
typedef enum BfJoinHashKind
{
	BF_JOIN_HASH_INT4,
	BF_JOIN_HASH_INT8,
	BF_JOIN_HASH_CALL
} BfJoinHashKind;

typedef struct BfJoinHash
{
	BfJoinHashKind kind;
	Oid			collation;
	FmgrInfo	function;
} BfJoinHash;

/*
 * The hashes of a key's columns: of the outer or the inner side of the join with
 * these operators and collations.
 */
extern BfJoinHash *bf_join_hash_init(List *operators, List *collations, bool outer);

/*
 * Calls a hash function as the join does from 18 on: it accepts that a
 * function returns NULL.  Up to 17 the join raises an error.
 */
static inline uint32
bf_join_hash_call(BfJoinHash *hash, Datum value)
{
	LOCAL_FCINFO(fcinfo, 1);

	InitFunctionCallInfoData(*fcinfo, &hash->function, 1, hash->collation, NULL, NULL);
	fcinfo->args[0].value = value;
	fcinfo->args[0].isnull = false;
	return DatumGetUInt32(FunctionCallInvoke(fcinfo));
}

/*
 * The hash of one column's value.  Of an integer it is the value that hashint4() or
 * hashint8() would hash, the same for the same number: bf_join_hash_spread() mixes
 * it well enough.  Hash functions may leave garbage: call this in a short-lived
 * context if the kind is BF_JOIN_HASH_CALL.
 */
static pg_attribute_always_inline uint32
bf_join_hash_value(BfJoinHash *hash, Datum value)
{
	if (hash->kind == BF_JOIN_HASH_INT4)
		return (uint32) DatumGetInt32(value);
	if (hash->kind == BF_JOIN_HASH_INT8)
	{
		int64		integer = DatumGetInt64(value);
		uint32		high = (uint32) ((uint64) integer >> 32);

		return (uint32) integer ^ (integer >= 0 ? high : ~high);
	}
	return bf_join_hash_call(hash, value);
}

/*
 * Add a column's hash to the combined hash of the columns before it, so that
 * their order matters.  The combined hash is mixed first, as pairs of small
 * integers would often agree otherwise; the first column's hash is not
 * changed.
 */
static inline uint32
bf_join_hash_combine(uint32 key, uint32 column)
{
	return murmurhash32(key) ^ column;
}

/*
 * Spread a hash over 64 bits; the blocks use all of them.  This does two
 * rounds of multiplication and shift, like splitmix64: Steele, Lea, Flood,
 * "Fast Splittable Pseudorandom Number Generators", 2014.
 */
static inline uint64
bf_join_hash_spread(uint32 key)
{
	uint64		hash = (uint64) key * BF_ROUND1_MULTIPLIER;

	hash ^= hash >> 32;
	hash *= BF_ROUND2_MULTIPLIER;
	return hash ^ (hash >> 32);
}

#endif							/* BF_JOIN_HASH_H */
