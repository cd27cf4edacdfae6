/*-------------------------------------------------------------------------
 *
 * effort.h
 *		What planning a query takes, beside running it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_EFFORT_H
#define BF_JOIN_EFFORT_H

#include "nodes/plannodes.h"

/*
 * Estimate what planning a query once more takes, given a plan of it, in the
 * planner's units of cost.
 */
extern Cost bf_join_planning_effort(PlannedStmt *stmt);

/*
 * What all further plannings of a query may take, given a plan and what the rows
 * that are fetched cost by it.
 */
extern Cost bf_join_planning_budget(PlannedStmt *stmt, Cost cost);

#endif							/* BF_JOIN_EFFORT_H */
