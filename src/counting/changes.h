/*-------------------------------------------------------------------------
 *
 * changes.h
 *		A counting filter in memory: how values come in and go out.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CHANGES_H
#define BF_CHANGES_H

#include "type/expanded.h"

/* To be called when the library is loaded. */
extern void bf_counting_init(void);

/*
 * How often is the hash in the filter, at most, with all that is pending?  If
 * that is not zero, it may be removed once.
 */
extern int	bf_counting_count(BfExpanded *filter, uint64_t hash);

/* Make counters of the list in a body that is not shared, nothing pending. */
extern void bf_counting_densify(BfExpanded *filter);

#endif							/* BF_CHANGES_H */
