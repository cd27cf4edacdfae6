/*-------------------------------------------------------------------------
 *
 * remote.h
 *		Filters that other servers test the rows of foreign tables by.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_H
#define BF_REMOTE_H

#include "postgres.h"

#include "nodes/plannodes.h"
#include "optimizer/planner.h"

#include "compat.h"
#include "joins/planning/reasons.h"

/* What was found of a foreign table and a column of it. */
typedef struct BfRemoteVerdict
{
	char	   *table;
	char	   *key;			/* the comparison; NULL: there is none */
	BfJoinReason refusal;		/* the first rule that forbids a filter, or its cost */
	double		rows;			/* that are expected to come over without it */
	double		keys;			/* that are expected in the filter, */
	double		room;			/* and for how many it has room */
	Cost		without;		/* of the plan, with the filters found before */
	Cost		with;
} BfRemoteVerdict;

/*
 * Plan a query, with such filters where they make it cheaper, whether the setting
 * is on or not; with all that are possible if it is "force".  Who wants to know
 * why gets a list of BfRemoteVerdict; verdicts is NULL for all others.
 */
extern PlannedStmt *bf_remote_plan(BF_PLANNER_PARAMETERS, planner_hook_type planner,
								   List **verdicts);

#endif							/* BF_REMOTE_H */
