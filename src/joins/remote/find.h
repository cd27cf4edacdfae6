/*-------------------------------------------------------------------------
 *
 * find.h
 *		Finds joins of local with foreign tables in a query before it is
 *		planned.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_FIND_H
#define BF_REMOTE_FIND_H

#include "nodes/parsenodes.h"

#include "joins/rules/reasons.h"

/*
 * A comparison of a foreign column with a local column; each row of the
 * foreign table needs a match by it.
 */
typedef struct BfRemoteCandidate
{
	BfJoinReason refusal;		/* the first rule that forbids a filter */

	Query	   *foreign_query;	/* its range table has the foreign table */
	Var		   *foreign;
	int			ntables;		/* tables or partitions whose servers test */

	Query	   *local_query;
	Var		   *key;
	List	   *conditions;		/* on the local table alone */
} BfRemoteCandidate;

/*
 * Find the candidates: a list of BfRemoteCandidate, always in the same order
 * for copies of one query.  They point into the query.  Nothing is changed.
 * For a foreign table without a comparison there is a candidate without a key.
 */
extern List *bf_remote_find(Query *query);

/*
 * May the query read a foreign table?  Candidates are not searched for that, which
 * looks at every partition.
 */
extern bool bf_remote_may_find(Query *query);

#endif							/* BF_REMOTE_FIND_H */
