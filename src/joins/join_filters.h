/*-------------------------------------------------------------------------
 *
 * join_filters.h
 *		Join filters, as the rest of the library sees them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_FILTERS_H
#define BF_JOIN_FILTERS_H

/* Hook into the planner; called once when the library is loaded. */
extern void bf_join_filters_init(void);

#endif							/* BF_JOIN_FILTERS_H */
