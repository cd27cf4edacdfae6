/*-------------------------------------------------------------------------
 *
 * planning.h
 *		A query that may be planned more than once, to choose among its plans.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PLANNING_H
#define BF_JOIN_PLANNING_H

#include "nodes/plannodes.h"

typedef struct BfJoinPlanning
{
	Query	   *query;			/* as it was given to the planner, not to be changed */
	int			cursor_options;
	bool		tell;			/* are verdicts wanted? */

	/*
	 * Plan the query as the server's planner does, with conditions for other
	 * servers, see remote/.  It is changed: pass a copy.  NULL: that would take
	 * long beside running it.
	 */
	PlannedStmt *(*plan_again) (struct BfJoinPlanning *planning, Query *query);

	/* Plan a query that tells something about the query, and will not run. */
	PlannedStmt *(*plan_aside) (struct BfJoinPlanning *planning, Query *query);
} BfJoinPlanning;

#endif							/* BF_JOIN_PLANNING_H */
