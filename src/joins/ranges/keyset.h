/*-------------------------------------------------------------------------
 *
 * keyset.h
 *		The keys that a join hashed, as intervals that cover them all.
 *
 * While there are few different keys, each is an interval of its own.  With
 * more keys, intervals also cover values between keys.  Every key is in an
 * interval.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_KEYSET_H
#define BF_JOIN_KEYSET_H

#include "nodes/pg_list.h"

#include "joins/ranges/intervals.h"
#include "joins/skips.h"

/*
 * Maximum number of intervals of a finished set, except of integers that are left
 * to their bitmap: of other types, each search takes calls.
 */
#define BF_MAX_EXACT_KEYS		BF_JOIN_MAX_EXACT_KEYS

/*
 * Empty sets for the columns of a key, in contexts below parent; NULL for
 * columns without a btree comparison.
 */
extern BfKeySet **bf_keys_create_all(List *compares, List *collations, List *types,
									 MemoryContext parent);

/* Remove all keys. */
extern void bf_keys_reset(BfKeySet *set);

/* Add a copy of a key, which must not be NULL. */
extern void bf_keys_add(BfKeySet *set, Datum key);

/* Sort the intervals, after all keys were added. */
extern void bf_keys_finish(BfKeySet *set);

/*
 * bf_keys_write() writes the intervals of a finished set, coarsened to fit, to
 * aligned memory of BF_KEYS_SLOT_BYTES.  The read function adds the intervals
 * in a slot to a set; the set must be finished after the last slot.
 */
#define BF_KEYS_SLOT_BYTES		8256
extern void bf_keys_write(const BfKeySet *set, char *slot);
extern void bf_keys_read(BfKeySet *set, const char *slot);

/* Make a slot that of an empty set. */
extern void bf_keys_clear_slot(char *slot);

#endif							/* BF_JOIN_KEYSET_H */
