/*-------------------------------------------------------------------------
 *
 * outcome.h
 *		A finished plan, and the filters that it is to have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_OUTCOME_H
#define BF_JOIN_OUTCOME_H

#include "nodes/plannodes.h"

#include "joins/rules/statement.h"

typedef struct BfJoinOutcome
{
	PlannedStmt *stmt;
	BfJoinStatement *statement;
	List	   *filters;		/* the chosen BfJoinCandidate; nothing is added yet */
	List	   *verdicts;		/* BfJoinVerdict, if they are wanted */
	Cost		cost;			/* expected, of the rows that are fetched, with the filters */
} BfJoinOutcome;

/*
 * Find the filters that are expected to pay in a plan, or all that are possible
 * if the setting is "force".  tell: also find verdicts, see candidates.h.
 */
extern BfJoinOutcome bf_join_assess(PlannedStmt *stmt, int cursor_options, bool tell);

/*
 * Does a plan have more nodes than another of kinds that settings such as
 * enable_seqscan disable?  Up to 17, its cost tells.
 */
extern bool bf_join_has_more_disabled(const PlannedStmt *stmt, const PlannedStmt *other);

/*
 * Do hash joins of the plan find all rows that a nested loop finds?  Where equal
 * values may have different hashes, the server's do not.
 */
extern bool bf_join_hashes_as_compared(PlannedStmt *stmt);

#endif							/* BF_JOIN_OUTCOME_H */
