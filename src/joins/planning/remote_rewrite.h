/*-------------------------------------------------------------------------
 *
 * remote_rewrite.h
 *		The condition by which another server tests a foreign table's rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_REWRITE_H
#define BF_REMOTE_REWRITE_H

#include "postgres.h"

#include "joins/planning/remote_find.h"
#include "joins/planning/remote_rules.h"

/* A query that returns each different key of the local table once. */
extern Query *bf_remote_keys_query(const BfRemoteCandidate *candidate);

/*
 * Add the condition to the query to which the candidate points, with a filter
 * that has this much room for keys.
 */
extern void bf_remote_add_condition(const BfRemoteFunctions *functions,
									BfRemoteCandidate *candidate, double room);

#endif							/* BF_REMOTE_REWRITE_H */
