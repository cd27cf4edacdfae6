/*-------------------------------------------------------------------------
 *
 * hooks.h
 *		Join filters in the server's planner.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_HOOKS_H
#define BF_JOIN_HOOKS_H

#include "nodes/parsenodes.h"
#include "nodes/plannodes.h"

/* What was found about the joins of a query. */
typedef struct BfJoinFindings
{
	const Query *query;			/* set by bf_join_plan_and_tell */
	List	   *verdicts;		/* BfJoinVerdict, about hash joins */
	List	   *remote;			/* BfRemoteVerdict, about foreign tables */
} BfJoinFindings;

/*
 * Register the nodes of join filters, which a parallel worker must know even if
 * the hooks are not installed in it.  Called once when the library is loaded.
 */
extern void bf_join_filters_init(void);

/* Hook into the planner, if that is not done yet. */
extern void bf_join_hooks_install(void);

/*
 * Plan a query as the server does, with the join filters that it has, or would
 * have if the setting were not off, and return what was found about its joins.
 */
extern PlannedStmt *bf_join_plan_and_tell(Query *query, const char *text, int cursor_options,
										  BfJoinFindings *findings);

#endif							/* BF_JOIN_HOOKS_H */
