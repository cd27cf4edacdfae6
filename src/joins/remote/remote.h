/*-------------------------------------------------------------------------
 *
 * remote.h
 *		Filters by which other servers test the rows of foreign tables.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_H
#define BF_REMOTE_H

#include "nodes/pathnodes.h"

#include "joins/choice/outcome.h"
#include "joins/planning.h"
#include "joins/rules/reasons.h"

/* What was found about a foreign table and one of its columns. */
typedef struct BfRemoteVerdict
{
	Oid			relation;
	char	   *table;			/* the name by which the query calls it */
	char	   *key;			/* the comparison; NULL: there is none */
	BfJoinReason refusal;		/* the first rule that forbids a filter, or its cost */
	double		rows;			/* rows expected without the filter */
	double		keys;			/* keys expected in the filter */
	double		room;			/* keys for which it has room */
	double		bytes;			/* its size */
	double		text_bytes;		/* the size of its text, which is sent */
	Cost		without;		/* of the plan with the filters found before */
	Cost		with;
} BfRemoteVerdict;

/*
 * Plan the query with filters on other servers, and take the plans that are
 * cheaper, even if the setting is off; with all possible filters if it is
 * "force".  If verdicts is not NULL, it receives a list of BfRemoteVerdict.
 */
extern void bf_remote_choose(BfJoinPlanning *planning, BfJoinOutcome *outcome, List **verdicts);

/*
 * Called by the planner for each table before it plans joins, if the query has
 * such filters.
 */
extern void bf_remote_correct_estimates(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte);

#endif							/* BF_REMOTE_H */
