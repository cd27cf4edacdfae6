/*-------------------------------------------------------------------------
 *
 * phase.h
 *		Whether rows are tested by a filter of a probe, and by which first.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PHASE_H
#define BF_JOIN_PHASE_H

#include "core/blocks.h"
#include "joins/run/state.h"

/*
 * Rows in a window: enough to know the fraction that passes to a percent, and
 * few enough not to matter in a large table.
 */
#define BF_WINDOW_ROWS		8192

/*
 * If all filters are off, let the node return rows untested until the first of the
 * filters is to be tried again; and test every row again.
 */
extern void bf_phase_rest(BfJoinProbeState *probe);
extern void bf_phase_wake_up(BfJoinProbeState *probe);

/* Count rows that passed while a filter was off. */
extern void bf_phase_count_rest(BfJoinProbeFilter *pf, uint32 rows);

/*
 * Count rows that were tested, at most to the end of the filter's window: it may
 * be switched off there.
 */
extern void bf_phase_count(BfJoinProbeState *probe, BfJoinProbeFilter *pf, uint32 tested,
						   uint32 passed);

/*
 * Is the next batch one of those that are timed?  Of such a batch, a filter has
 * tested and dropped so many rows, and taken so many seconds.  After it, the filter
 * that drops more rows in less time comes first.
 */
extern bool bf_phase_is_timed(BfJoinProbeState *probe);
extern void bf_phase_sample(BfJoinProbeFilter *pf, uint32 tested, uint32 dropped, double seconds);
extern void bf_phase_reorder(BfJoinProbeState *probe);

/* Use the filter in the mailbox, if there is one, before a row that would pass untested. */
extern void bf_phase_prepare(BfJoinProbeState *probe, BfJoinProbeFilter *pf);

static inline bool
bf_join_filter_contains(const BfJoinFilter *filter, uint32 hash)
{
	uint64		spread = bf_join_hash_spread(hash);

	return bf_block_contains_fast(filter->blocks + bf_block_offset(spread, filter->nblocks),
								  spread, filter->k);
}

#endif							/* BF_JOIN_PHASE_H */
