/*-------------------------------------------------------------------------
 *
 * groups.h
 *		Making groups and slabs while rows are inserted.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_GROUPS_H
#define BF_INDEX_GROUPS_H

#include "nodes/execnodes.h"
#include "utils/rel.h"

#include "index/file/directory.h"
#include "index/file/keys.h"

/*
 * The directory in which the page has a group with a slab for each column that
 * is not NULL in the row, and is in no cover if it is the last: the backend's copy if
 * that is so there, else one in which it has been made so.  *group gets the group.
 */
extern const BfDirectory *bf_group_for_insert(Relation index, Relation heap, IndexInfo *info,
											  BlockNumber heap_page, const BfRowHashes *row,
											  uint32 *group);

/*
 * Rows of a page of the table, as far as statistics or the columns' widths tell:
 * from 1 to what a page of a heap has room for.  Locks catalogs.
 */
extern double bf_rows_per_page(Relation heap);

#endif							/* BF_INDEX_GROUPS_H */
