/*-------------------------------------------------------------------------
 *
 * plan.h
 *		Adds join filters to finished plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLAN_H
#define BF_JOIN_PLAN_H

#include "postgres.h"

#include "nodes/plannodes.h"

/*
 * Add the filters that are expected to pay, even if the setting is off; or all
 * that are possible if it is "force".  verdicts: see candidates.h.
 */
extern void bf_join_add_filters(PlannedStmt *stmt, int cursor_options, List **verdicts);

#endif							/* BF_JOIN_PLAN_H */
