/*-------------------------------------------------------------------------
 *
 * remote_estimate.h
 *		Estimates the rows of a join whose foreign table is filtered on its
 *		server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_ESTIMATE_H
#define BF_REMOTE_ESTIMATE_H

/* Hook into the planner; called once when the library is loaded. */
extern void bf_remote_estimate_init(void);

#endif							/* BF_REMOTE_ESTIMATE_H */
