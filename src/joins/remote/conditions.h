/*-------------------------------------------------------------------------
 *
 * conditions.h
 *		The conditions by which other servers test a foreign table's rows: by a
 *		filter, or without the extension by a list.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_CONDITIONS_H
#define BF_REMOTE_CONDITIONS_H

#include "joins/remote/find.h"
#include "joins/remote/rules.h"

/*
 * The longest list.  With more keys the other server returns all rows.  Of a
 * table of a million rows, measured between two databases of one server, a list
 * of 1,000 keys returned its rows as fast as a filter, and a list of 10,000 in
 * 1.2 times its time.
 */
#define BF_REMOTE_LIST_MOST	8192

/* The most rows that are expected to make a list; estimates are often too low. */
#define BF_REMOTE_LIST_EXPECTED	(BF_REMOTE_LIST_MOST / 2)

/* A query that returns each different key of the local table once. */
extern Query *bf_remote_keys_query(const BfRemoteCandidate *candidate);

/*
 * Add the condition to the query to which the candidate points.  A filter has
 * this much room for keys; a list of keys becomes a CTE of the outermost query.
 */
extern void bf_remote_add_condition(const BfRemoteFunctions *functions, Query *outermost,
									const BfRemoteCandidate *candidate, double room);

#endif							/* BF_REMOTE_CONDITIONS_H */
