/*-------------------------------------------------------------------------
 *
 * trial.h
 *		Trials: queries that get join filters are sometimes planned without
 *		them, and the times of both are compared.
 *
 * The guard plans a query without filters, for some time, that these made
 * slower.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_TRIAL_H
#define BF_EVIDENCE_TRIAL_H

#include "evidence/arm.h"

/*
 * Choose the arm of the plan, for the current role, of a query, by its
 * identifier, that is to have filters, or another plan because of filters.  None
 * without an identifier.
 */
extern BfArm bf_trial_choose(uint64 query);

/*
 * Note that a plan which is marked with an arm was executed completely, in so many
 * milliseconds.  The text, not terminated, is an example of the query's.
 */
extern void bf_trial_note(const PlannedStmt *stmt, double milliseconds, const char *text,
						  int length);

#endif							/* BF_EVIDENCE_TRIAL_H */
