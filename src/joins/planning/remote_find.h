/*-------------------------------------------------------------------------
 *
 * remote_find.h
 *		Joins of local with foreign tables, in a query before it is planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_FIND_H
#define BF_REMOTE_FIND_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "joins/planning/reasons.h"

/*
 * A comparison of a foreign column with a local one that each row needs to have
 * a match for.
 */
typedef struct BfRemoteCandidate
{
	BfJoinReason refusal;		/* the first rule that forbids a filter */

	Query	   *foreign_query;	/* of whose tables the foreign one is */
	Var		   *foreign;
	int			ntables;		/* that are sent the filter: it may have partitions */

	Query	   *local_query;
	Var		   *key;
	Oid			collation;		/* of the comparison */
	List	   *conditions;		/* that the local table's rows fulfil, all by itself */
} BfRemoteCandidate;

/*
 * Find them: a list of BfRemoteCandidate, always in the same order for copies of
 * one query, into which they point.  Nothing is changed.  A foreign table
 * without a comparison is told of by one without a key.
 */
extern List *bf_remote_find(Query *query);

#endif							/* BF_REMOTE_FIND_H */
