/*-------------------------------------------------------------------------
 *
 * cover.h
 *		Making the third level of an index, beside writers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_COVER_H
#define BF_INDEX_COVER_H

#include "utils/rel.h"

#include "index/upkeep/rows.h"

/* The number of rows of covers that the index should have. */
extern uint32 bf_covers_wanted(Relation index);

/*
 * Which covers of a row, 0 <= cover < bf_covers_wanted(), are missing or worn?  Sets
 * due for each column.  Returns whether the row has to be made: because of one of
 * them, or because rows are made in their order, also without values.  Only the caller
 * of bf_rebuild_worn_groups() may ask.
 */
extern bool bf_cover_find_due(Relation index, uint32 cover, bool *due);

/*
 * Make the covers of a row that are due from the rows of the table.  The caller is
 * that of bf_rebuild_worn_groups().  Returns the number of pages that become free.
 */
extern BlockNumber bf_cover_make(BfRows *rows, uint32 cover, const bool *due);

#endif							/* BF_INDEX_COVER_H */
