/*-------------------------------------------------------------------------
 *
 * plan_times.h
 *		What was counted of each plan that this session has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_PLAN_TIMES_H
#define BF_EVIDENCE_PLAN_TIMES_H

#include "nodes/plannodes.h"

#include "evidence/periods.h"

/* It is zero at first, and lives as long as the plan. */
extern BfPlanTimes *bf_plan_times(const PlannedStmt *stmt);

#endif							/* BF_EVIDENCE_PLAN_TIMES_H */
