/*-------------------------------------------------------------------------
 *
 * table_hash.h
 *		The hashes in the filter of a table: those of the type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_TABLE_HASH_H
#define BF_INDEX_TABLE_HASH_H

#include "access/skey.h"
#include "utils/rel.h"

#include "index/file/table.h"
#include "type/hashing/element.h"

/*
 * How the values of an index's column are hashed.  All zeros but for mcxt
 * before the first use; lives in mcxt.
 */
typedef struct BfTableHasher
{
	BfElement	element;
	MemoryContext mcxt;
} BfTableHasher;

/*
 * Determine how the column of the index is hashed, for a new filter: sets its
 * family and environment.  Raises an error if the type has no values that a
 * filter can hold, or if the index compares them by another operator than the
 * type's =.
 */
extern void bf_table_hasher_init(BfTableHasher *hasher, Relation index, BfTableFilter *filter);

/*
 * The element of the column's values, of an index that exists.  Raises an error
 * (55000) if they are hashed in another way than when the index was built.
 */
extern const BfElement *bf_table_element(BfTableHasher *hasher, Relation index);

/* The hash of a value of the column. */
static inline uint64
bf_table_hash(BfTableHasher *hasher, Relation index, Datum value)
{
	const BfElement *element = &hasher->element;

	if (unlikely(!bf_element_is_current(element)))
		element = bf_table_element(hasher, index);
	return bf_hash_value(element, element->family == BF_FAMILY_BPCHAR, value, 0);
}

/* The header of the filter as a value of the type. */
extern void bf_table_header(BfHeader *header, const BfTableFilter *filter,
							const BfElement *element);

#endif							/* BF_INDEX_TABLE_HASH_H */
