/*-------------------------------------------------------------------------
 *
 * parts.h
 *		Parts of the conditions by which other servers test rows: the local rows
 *		that make keys, aggregates, sub-selects.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_PARTS_H
#define BF_REMOTE_PARTS_H

#include "joins/remote/find.h"

/* A query of a single table, or the like, that returns nothing yet. */
extern Query *bf_remote_select(RangeTblEntry *from, Node *conditions);

/* Such a query of the local rows that make keys. */
extern Query *bf_remote_local_rows(const BfRemoteCandidate *candidate);

/* The key in that query. */
extern Var *bf_remote_local_key(const BfRemoteCandidate *candidate);

/* GROUP BY or DISTINCT of the query's only column. */
extern SortGroupClause *bf_remote_group(TargetEntry *entry);

/* A plain aggregate of these arguments; the first gives the collation. */
extern Aggref *bf_remote_aggregate(Oid function, Oid type, List *arguments);

/* The query as an expression. */
extern Node *bf_remote_sub_select(Query *query);

/* A query that returns each different key of the local table once. */
extern Query *bf_remote_keys_query(const BfRemoteCandidate *candidate);

#endif							/* BF_REMOTE_PARTS_H */
