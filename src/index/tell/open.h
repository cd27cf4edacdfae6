/*-------------------------------------------------------------------------
 *
 * open.h
 *		Opening an index that a function was asked about.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_OPEN_H
#define BF_INDEX_OPEN_H

#include "nodes/pg_list.h"
#include "utils/rel.h"

/*
 * Open and lock a filter index, which may be partitioned, and its table.  Raises
 * an error if the relation is none, if it cannot be read here, or if the caller may
 * not read the table.
 */
extern Relation bf_index_open(Oid oid, Relation *heap);

/* The same without asking who the caller is, and whether it can be read. */
extern Relation bf_index_open_any(Oid oid, Relation *heap);

/*
 * The OIDs of the indexes that have pages: the index, or those of its partitions.
 * All partitions stay locked.  If complete is set, raises an error for a partition
 * that has no index.
 */
extern List *bf_index_parts(Relation heap, Relation index, bool complete);

/* Open one of these, and its table; raises an error if it cannot be read here. */
extern Relation bf_index_open_part(Oid part, Relation *heap);

/*
 * Are its pages in the server's buffers or files, and not in another session's?  An
 * unlogged index has none during recovery.
 */
extern bool bf_index_is_here(Relation index);

/* Raise an error if the index is not valid, or has pages that cannot be read here. */
extern void bf_index_check_readable(Relation index);

extern void bf_index_close(Relation index, Relation heap);

#endif							/* BF_INDEX_OPEN_H */
