/*-------------------------------------------------------------------------
 *
 * insert.h
 *		Inserting into the filters of ranges.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_INSERT_H
#define BF_INDEX_INSERT_H

#include "access/genam.h"
#include "nodes/execnodes.h"

/* What aminsert does for an index of ranges. */
extern void bf_index_insert(Relation index, const Datum *values, const bool *isnull,
							ItemPointer tid, Relation heap, IndexInfo *info);

#endif							/* BF_INDEX_INSERT_H */
