/*-------------------------------------------------------------------------
 *
 * handler.h
 *		The access method "bloomfilter": an index of Bloom filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_HANDLER_H
#define BF_INDEX_HANDLER_H

#include "utils/rel.h"

/*
 * Called once when the library is loaded.  watch_definitions is called each time
 * that the server asks for the access method.
 */
extern void bf_index_init(void (*watch_definitions) (void));

/* Is the relation an index of this access method, with pages, or partitioned? */
extern bool bf_is_filter_index(Relation relation);
extern bool bf_is_partitioned_filter_index(Relation relation);

/* One with pages that has a filter of each range of its table, not one of the table? */
extern bool bf_is_range_filter_index(Relation relation);

/* Does the filter index hold the values of a column, 0 <= column, not their keys? */
extern bool bf_index_has_values(Relation index, int column);

/* The function by which a family hashes values of a type; or InvalidOid. */
extern Oid	bf_index_hash_function(Oid family, Oid type);

#endif							/* BF_INDEX_HANDLER_H */
