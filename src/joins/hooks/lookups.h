/*-------------------------------------------------------------------------
 *
 * lookups.h
 *		Chooses between index lookups and scans that skip.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_LOOKUPS_H
#define BF_JOIN_LOOKUPS_H

#include "nodes/pathnodes.h"

#include "joins/choice/outcome.h"
#include "joins/planning.h"

/*
 * Called by the planner for each table before it plans joins: remove the paths
 * that look up rows of a table which join filters may let skip.
 */
extern void bf_lookups_remove(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte);

/*
 * If the plan looks up rows of such tables, plan the query again without these
 * lookups, and take that plan if it is cheaper with its filters.
 */
extern void bf_lookups_choose(BfJoinPlanning *planning, BfJoinOutcome *outcome);

#endif							/* BF_JOIN_LOOKUPS_H */
