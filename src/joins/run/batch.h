/*-------------------------------------------------------------------------
 *
 * batch.h
 *		Tests the rows of a page by their keys in the page.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_BATCH_H
#define BF_JOIN_BATCH_H

#include "joins/run/state.h"

/*
 * Let rows be tested on their pages, if the child reads pages of a heap and the
 * plan allows that for any filter; otherwise probe->batch stays NULL.
 */
extern void bf_batch_init(BfJoinProbeState *probe, int eflags);

/*
 * Set *slot to the scan's next row that passes on its page, and *row to what is
 * known of it; NULL: there are no more rows.  False: no filter tests rows there
 * now.  EXPLAIN counts the rows that are dropped as rows that the scan has
 * returned.
 */
extern bool bf_batch_next(BfJoinProbeState *probe, TupleTableSlot **slot, const BfBatchRow **row);

/* The next row that has passed on its page, while all filters are off; or NULL. */
extern TupleTableSlot *bf_batch_rest(BfJoinProbeState *probe);

/* Called before a rescan. */
extern void bf_batch_forget(BfJoinProbeState *probe);

#endif							/* BF_JOIN_BATCH_H */
