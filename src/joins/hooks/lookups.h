/*-------------------------------------------------------------------------
 *
 * lookups.h
 *		Chooses between index lookups and hash joins with filters.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_LOOKUPS_H
#define BF_JOIN_LOOKUPS_H

#include "postgres.h"

#include "optimizer/planner.h"

#include "compat.h"

/*
 * Plan a query as the planner does.  If it has large tables, and nested loops
 * that look up rows by index, also plan it without lookups, and return the plan
 * that is cheaper with its filters, even if the setting join_filters is off.
 * The filters are not added.
 */
extern PlannedStmt *bf_lookups_plan(BF_PLANNER_PARAMETERS, planner_hook_type planner);

/*
 * Plan a query as the planner does, even if it is planned because another
 * query's plan without lookups is being made.
 */
extern PlannedStmt *bf_lookups_plan_as_is(BF_PLANNER_PARAMETERS, planner_hook_type planner);

extern void bf_lookups_init(void);

#endif							/* BF_JOIN_LOOKUPS_H */
