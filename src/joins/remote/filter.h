/*-------------------------------------------------------------------------
 *
 * filter.h
 *		The condition by which another server tests a foreign table's rows by
 *		a filter.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_FILTER_H
#define BF_REMOTE_FILTER_H

#include "joins/remote/find.h"
#include "joins/remote/rules.h"

/*
 * Add the condition to the query to which the candidate points, with a filter
 * that has this much room for keys.
 */
extern void bf_remote_add_filter(const BfRemoteFunctions *functions,
								 BfRemoteCandidate *candidate, double room);

#endif							/* BF_REMOTE_FILTER_H */
