/*-------------------------------------------------------------------------
 *
 * hash.h
 *		The hashes of an index's values, and of the values in conditions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_HASH_H
#define BF_INDEX_HASH_H

#include "access/skey.h"
#include "utils/rel.h"

/* Support function 1 of operator classes: the extended hash function of the type, or of its keys. */
#define BF_HASH_PROC	1

/* The only strategy of classes of values: =. */
#define BF_EQUAL_STRATEGY	1

/* The hash of a value of a column, 0 <= column. */
extern uint64 bf_index_hash(Relation index, int column, Datum value);

/*
 * The values that a condition compares the column with, and which of them are NULL,
 * palloc'd.  Returns their number.
 */
extern int	bf_condition_values(const ScanKeyData *key, Datum **values, bool **nulls);

/*
 * The hashes of the values that a condition compares the column with, palloc'd,
 * ascending and distinct.  None if nothing can be equal to NULL.
 */
extern uint64 *bf_key_hashes(Relation index, const ScanKeyData *key, int *count);

/* The hash of a value by a hash function with a seed; what is stored on disk. */
extern uint64 bf_hash_by(FmgrInfo *function, Oid collation, Datum value);

/* Sort hashes, ascending, and remove duplicates.  Returns how many are left. */
extern int	bf_sort_hashes(uint64 *hashes, int count);

#endif							/* BF_INDEX_HASH_H */
