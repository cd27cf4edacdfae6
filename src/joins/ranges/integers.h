/*-------------------------------------------------------------------------
 *
 * integers.h
 *		Keys that are integers, including dates and times.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_INTEGERS_H
#define BF_JOIN_INTEGERS_H

#include "utils/fmgroids.h"

/* How keys are compared, and kept until all are known. */
typedef enum BfKeyKind
{
	BF_KEYS_BY_CALL,			/* of any type */
	BF_KEYS_INT2,
	BF_KEYS_INT4,
	BF_KEYS_INT8,
	BF_KEYS_OID
} BfKeyKind;

/* The kind of keys that a comparison function compares. */
static inline BfKeyKind
bf_integer_kind(Oid compare)
{
	switch (compare)
	{
		case F_BTINT2CMP:
			return BF_KEYS_INT2;
		case F_BTINT4CMP:
		case F_DATE_CMP:
			return BF_KEYS_INT4;
		case F_BTINT8CMP:
		case F_TIMESTAMP_CMP:
		case F_TIMESTAMPTZ_CMP:
		case F_TIME_CMP:
			return BF_KEYS_INT8;
		case F_BTOIDCMP:
			return BF_KEYS_OID;
		default:
			return BF_KEYS_BY_CALL;
	}
}

#define BF_SIGN_BIT	(UINT64CONST(1) << 63)

/* Convert a key to an unsigned integer; the order is kept. */
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

static inline Datum
bf_from_integer(BfKeyKind kind, uint64 integer)
{
	switch (kind)
	{
		case BF_KEYS_INT2:
			return Int16GetDatum((int16) (integer ^ BF_SIGN_BIT));
		case BF_KEYS_INT4:
			return Int32GetDatum((int32) (integer ^ BF_SIGN_BIT));
		case BF_KEYS_INT8:
			return Int64GetDatum((int64) (integer ^ BF_SIGN_BIT));
		default:
			return ObjectIdGetDatum((Oid) integer);
	}
}

#endif							/* BF_JOIN_INTEGERS_H */
