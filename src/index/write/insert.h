/*-------------------------------------------------------------------------
 *
 * insert.h
 *		Inserting into a filter index: aminsert.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_INSERT_H
#define BF_INDEX_INSERT_H

#include "postgres.h"

#include "access/genam.h"
#include "nodes/execnodes.h"

/* aminsert */
extern bool bf_index_insert(Relation index, Datum *values, bool *isnull, ItemPointer tid,
							Relation heap, IndexUniqueCheck unique, bool unchanged,
							IndexInfo *info);

#endif							/* BF_INDEX_INSERT_H */
