/* changes.h: declarations of changes.c */
#ifndef BF_CHANGES_H
#define BF_CHANGES_H

#include "type/memory/expanded.h"

/* Called once when the library is loaded. */
extern void bf_counting_init(void);

/*
 * How often was the hash added to the filter, at most, counting pending
 * changes?  If the result is not zero, the hash may be removed once.
 */
extern int	bf_counting_count(BfExpanded *filter, uint64_t hash);

/*
 * Turn the list of a body that is not shared into counters.  No change may be
 * pending.
 */
extern void bf_counting_densify(BfExpanded *filter);

#endif							/* BF_CHANGES_H */
