/*-------------------------------------------------------------------------
 *
 * list.h
 *		The condition by which a server without the extension tests a foreign
 *		table's rows.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_LIST_H
#define BF_REMOTE_LIST_H

#include "joins/remote/find.h"

/*
 * The longest list.  With more keys the other server returns all rows.  Of a
 * table of a million rows, measured between two databases of one server, a list
 * of 1,000 keys returned its rows as fast as a filter, and a list of 10,000 in
 * 1.2 times its time.
 */
#define BF_REMOTE_LIST_MOST	8192

/* The most rows that are expected to make a list; estimates are often too low. */
#define BF_REMOTE_LIST_EXPECTED	(BF_REMOTE_LIST_MOST / 2)

/*
 * Add the condition to the query to which the candidate points.  The list of
 * keys becomes a CTE of the outermost query.
 */
extern void bf_remote_add_list(Query *outermost, BfRemoteCandidate *candidate);

/*
 * Is this such a condition?  If so, return its column and the parameter that
 * is the list, as the planner sees them.
 */
extern bool bf_remote_is_list_test(const Node *condition, Var **foreign, Param **list);

#endif							/* BF_REMOTE_LIST_H */
