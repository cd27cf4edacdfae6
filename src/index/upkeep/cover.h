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
 * Is a row of covers, 0 <= cover < bf_covers_wanted(), missing or worn?  Only the
 * caller of bf_rebuild_worn_groups() may ask.
 */
extern bool bf_cover_is_due(Relation index, uint32 cover);

/*
 * Make the covers of a row that are due from the rows of the table.  The caller is as bf_rebuild_worn_groups().  Returns the number of
 * pages that become free.
 */
extern BlockNumber bf_cover_make(BfRows *rows, uint32 cover);

#endif							/* BF_INDEX_COVER_H */
