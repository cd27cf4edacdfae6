/*-------------------------------------------------------------------------
 *
 * table_rebuild.h
 *		Making the filter of a table anew, beside writers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_TABLE_REBUILD_H
#define BF_INDEX_TABLE_REBUILD_H

#include "index/upkeep/rebuild.h"

/*
 * Make the filter anew, for twice the values that the table has, if its false positive
 * rate has doubled since it was new, unless expected_items says for how many it is;
 * warns if that is not possible.  The caller is that of bf_rebuild_worn_groups().
 */
extern BfRebuilt bf_table_rebuild(Relation index, Relation heap, BufferAccessStrategy strategy);

#endif							/* BF_INDEX_TABLE_REBUILD_H */
