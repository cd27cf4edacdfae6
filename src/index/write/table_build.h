/*-------------------------------------------------------------------------
 *
 * table_build.h
 *		Building the filter of a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_TABLE_BUILD_H
#define BF_INDEX_TABLE_BUILD_H

#include "access/genam.h"
#include "nodes/execnodes.h"
#include "utils/rel.h"

/*
 * What ambuild and ambuildempty do for such an index.  Takes memory for the
 * whole filter.  Raises 0A000 for several columns or a type without values that
 * a filter can hold, 54000 if the filter would be too large.
 */
extern IndexBuildResult *bf_table_build(Relation heap, Relation index, IndexInfo *info);
extern void bf_table_build_empty(Relation index);

/*
 * How many items a filter is made for, without expected_items, if the table has so
 * many distinct values.
 */
extern double bf_table_items(double values, double rate);

/* Raise these errors if such an index cannot be built, were it even of no rows. */
extern void bf_table_check_definition(Relation index);

#endif							/* BF_INDEX_TABLE_BUILD_H */
