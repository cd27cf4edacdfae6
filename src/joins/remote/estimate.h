/*-------------------------------------------------------------------------
 *
 * estimate.h
 *		Estimates the rows of a join whose foreign table is filtered on its
 *		server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_ESTIMATE_H
#define BF_REMOTE_ESTIMATE_H

#include "postgres.h"

#include "optimizer/planner.h"

#include "compat.h"

/* Plan a query with such filters or lists. */
extern PlannedStmt *bf_remote_plan_tested(BF_PLANNER_PARAMETERS, planner_hook_type planner);

/* Hook into the planner; called once when the library is loaded. */
extern void bf_remote_estimate_init(void);

#endif							/* BF_REMOTE_ESTIMATE_H */
