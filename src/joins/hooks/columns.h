/*-------------------------------------------------------------------------
 *
 * columns.h
 *		What a column of a plan is computed from.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_COLUMNS_H
#define BF_JOIN_COLUMNS_H

#include "nodes/plannodes.h"

/*
 * The expression, of columns of tables, that a plan or one below it computes
 * for a column.  NULL if nothing is computed, or if EXPLAIN would not show
 * this expression as it shows the column.
 */
extern Expr *bf_join_computed_column(Plan *plan, const TargetEntry *column);

#endif							/* BF_JOIN_COLUMNS_H */
