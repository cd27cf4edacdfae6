/*-------------------------------------------------------------------------
 *
 * keys.h
 *		What an index holds of a row: a hash of each column's value, or of each
 *		of the keys in it.
 *
 * Keys are what GIN calls so: the elements of an array, the words of a document.
 * The operator classes of keys have GIN's support functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_KEYS_H
#define BF_INDEX_KEYS_H

#include "utils/rel.h"

/*
 * Support functions of classes of keys, besides BF_HASH_PROC: GIN's extractValue,
 * extractQuery, and triConsistent or consistent.
 */
#define BF_EXTRACT_VALUE_PROC	2
#define BF_EXTRACT_QUERY_PROC	3
#define BF_CONSISTENT_PROC		4

#define BF_SUPPORT_FUNCTIONS	4

/* Does the index hold the keys of the column's values, 0 <= column? */
extern bool bf_index_has_keys(Relation index, int column);

/* The same for any of its columns. */
extern bool bf_index_has_any_keys(Relation index);

/* The collation that the support functions of a column of keys are called with. */
extern Oid	bf_key_collation(Relation index, int column);

/*
 * The type of a column's keys, no domain: what the operator class stores, or else its
 * own type, also where the column is of another that is cast to it as it is.
 */
extern Oid	bf_key_type(Relation index, int column);

/*
 * The function by which the keys of a column are hashed: that of the operator
 * class, or else the default of the keys' type; InvalidOid if there is none.
 */
extern Oid	bf_key_hash_function(Relation index, int column);

/* The hash of a key of the column; what stands for NULL has one, too. */
extern uint64 bf_key_hash(Relation index, int column, Datum key, bool isnull);

/* The hash that stands for values without keys. */
extern uint64 bf_no_keys_hash(void);

/* The hashes of a row, by columns. */
typedef struct BfRowHashes
{
	int			counts[INDEX_MAX_KEYS]; /* 0: the column is NULL */
	uint64	   *hashes[INDEX_MAX_KEYS]; /* ascending and distinct */
	uint64		single[INDEX_MAX_KEYS]; /* where that of a value is */
} BfRowHashes;

/*
 * Hash the columns of a row; for those of keys, allocates memory.  The functions may
 * do anything: look up catalogs, run SQL, raise errors.  So nothing may be locked,
 * and no copy of the directory survives it.  Returns false if the row has only NULLs.
 */
extern bool bf_row_hashes(BfRowHashes *row, Relation index, const Datum *values,
						  const bool *isnull);

#endif							/* BF_INDEX_KEYS_H */
