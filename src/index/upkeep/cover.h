/*-------------------------------------------------------------------------
 *
 * cover.h
 *		Making and merging covers of the third level of an index, beside writers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_COVER_H
#define BF_INDEX_COVER_H

#include "index/upkeep/plan.h"
#include "index/upkeep/rows.h"

/*
 * Make a row of covers as planned, from old covers and the rows of the table.  The caller
 * is that of bf_rebuild_worn_groups(), and nothing has changed the covers since it was
 * planned.  Returns the number of pages that become free.
 */
extern BlockNumber bf_cover_make(BfRows *rows, BfCoverPlan *plan);

#endif							/* BF_INDEX_COVER_H */
