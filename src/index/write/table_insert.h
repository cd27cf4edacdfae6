/*-------------------------------------------------------------------------
 *
 * table_insert.h
 *		Inserting into the filter of a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_TABLE_INSERT_H
#define BF_INDEX_TABLE_INSERT_H

#include "nodes/execnodes.h"
#include "utils/rel.h"

/* What aminsert does for such an index. */
extern void bf_table_insert(Relation index, const Datum *values, const bool *isnull,
							IndexInfo *info);

#endif							/* BF_INDEX_TABLE_INSERT_H */
