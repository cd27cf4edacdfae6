/*-------------------------------------------------------------------------
 *
 * remote.h
 *		Filters by which other servers test the rows of foreign tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_H
#define BF_REMOTE_H

#include "postgres.h"

#include "nodes/plannodes.h"
#include "optimizer/planner.h"

#include "compat.h"
#include "joins/remote/rules.h"
#include "joins/rules/reasons.h"

/* What was found about a foreign table and one of its columns. */
typedef struct BfRemoteVerdict
{
	char	   *table;
	char	   *key;			/* the comparison; NULL: there is none */
	BfJoinReason refusal;		/* the first rule that forbids a filter, or its cost */
	double		rows;			/* rows expected without the filter */
	BfRemoteMeans means;
	double		keys;			/* keys expected in the filter or list */
	double		room;			/* keys for which it has room */
	double		bytes;			/* its size */
	double		text_bytes;		/* the size of its text, which is sent */
	Cost		without;		/* of the plan with the filters found before */
	Cost		with;
} BfRemoteVerdict;

/*
 * Plan a query, with filters on other servers where they make it cheaper, even
 * if the setting is off; with all possible filters if it is "force".  If
 * verdicts is not NULL, it receives a list of BfRemoteVerdict.
 */
extern PlannedStmt *bf_remote_plan(BF_PLANNER_PARAMETERS, planner_hook_type planner,
								   List **verdicts);

#endif							/* BF_REMOTE_H */
