/*-------------------------------------------------------------------------
 *
 * bounds.h
 *		Whether a table may have rows for the keys that a join hashed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_BOUNDS_H
#define BF_JOIN_BOUNDS_H

#include "fmgr.h"
#include "joins/ranges/keyset.h"
#include "joins/skips.h"

/* A BfJoinBound that is ready to be compared with keys. */
typedef struct BfBound
{
	const BfJoinBound *plan;
	FmgrInfo	function;
} BfBound;

/* Make the bounds of a table ready. */
extern BfBound *bf_bounds_init(List *bounds);

/* May any key of a finished set lie within all n bounds? */
extern bool bf_bounds_admit(BfBound *bounds, int n, const BfKeySet *set);

/*
 * May any key lie from low to high, both included?  compare compares a key
 * with such a value.
 */
extern bool bf_keys_meet(const BfKeySet *set, FmgrInfo *compare, Datum low, Datum high);

#endif							/* BF_JOIN_BOUNDS_H */
