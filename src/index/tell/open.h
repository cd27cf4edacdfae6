/*-------------------------------------------------------------------------
 *
 * open.h
 *		Opening an index that a function was asked about.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_OPEN_H
#define BF_INDEX_OPEN_H

#include "utils/rel.h"

/*
 * Open and lock a filter index and its table.  Raises an error if the relation
 * is none, if it cannot be read here, or if the caller may not read the table.
 */
extern Relation bf_index_open(Oid oid, Relation *heap);

/*
 * The same for an index that may be partitioned, and without asking who the
 * caller is.
 */
extern Relation bf_index_open_any(Oid oid, Relation *heap);

/* Raise an error if the index is not valid, or has pages that cannot be read here. */
extern void bf_index_check_readable(Relation index);

extern void bf_index_close(Relation index, Relation heap);

#endif							/* BF_INDEX_OPEN_H */
