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

/*
 * May any key of a finished set lie within all bounds, a list of BfJoinBound?
 * Comparison functions may leave garbage.
 */
extern bool bf_bounds_admit(List *bounds, const BfKeySet *set);

/*
 * May any key lie from low to high, both included?  compare compares a key
 * with such a value.
 */
extern bool bf_keys_meet(const BfKeySet *set, FmgrInfo *compare, Datum low, Datum high);

#endif							/* BF_JOIN_BOUNDS_H */
