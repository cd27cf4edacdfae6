/*-------------------------------------------------------------------------
 *
 * conditions.h
 *		The conditions by which other servers test a foreign table's rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_CONDITIONS_H
#define BF_REMOTE_CONDITIONS_H

#include "joins/remote/find.h"
#include "joins/remote/rules.h"

/* A query that returns each different key of the local table once. */
extern Query *bf_remote_keys_query(const BfRemoteCandidate *candidate);

/*
 * Add the condition to the query to which the candidate points: by a filter that
 * has room for so many keys.
 */
extern void bf_remote_add_condition(const BfRemoteFunctions *functions,
									const BfRemoteCandidate *candidate, double room);

#endif							/* BF_REMOTE_CONDITIONS_H */
