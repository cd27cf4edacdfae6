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

/* How the query is planned; may be combined. */
#define BF_JOIN_AS_IS			0
#define BF_JOIN_WITHOUT_LOOKUPS	1	/* of tables that filters may let skip */
#define BF_JOIN_WITH_TESTS		2	/* with conditions for other servers, see remote/ */

typedef struct BfJoinPlanning
{
	Query	   *query;			/* of the best plan so far, not to be changed */
	int			mode;			/* in which that was planned */
	bool		has_list;		/* does that send a list of keys to another server? */
	int			cursor_options;
	bool		tell;			/* are verdicts wanted? */

	/*
	 * Plan a query as the server's planner does, in a mode.  The query is changed:
	 * pass a copy.  This plans it "again", for as long as that is expected to
	 * take little time beside running it; then the result is NULL.
	 */
	PlannedStmt *(*plan_again) (struct BfJoinPlanning *planning, Query *query, int mode);

	/* Plan a query that tells something about the query, and will not run. */
	PlannedStmt *(*plan_aside) (struct BfJoinPlanning *planning, Query *query);
} BfJoinPlanning;

#endif							/* BF_JOIN_PLANNING_H */
