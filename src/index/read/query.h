/*-------------------------------------------------------------------------
 *
 * query.h
 *		Conditions on columns of keys: what they look for, and where it may be.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_QUERY_H
#define BF_INDEX_QUERY_H

#include "access/skey.h"
#include "utils/rel.h"

#include "index/read/match.h"

/* One value that a column is compared with; as in GIN, where not said otherwise. */
typedef struct BfQuery
{
	Datum		value;
	int32		nkeys;
	Datum	   *keys;
	bool	   *nulls;
	bool	   *partial;		/* keys that may be anywhere, or NULL */
	Pointer    *extra;
	int32		mode;
	int		   *places;			/* of each key's hash in the condition, or -1 */
	int			no_keys_place;	/* of the hash of values without keys, or -1 */
	char	   *check;			/* what is known of each key, for the function that decides */
	char	   *last_check;		/* of the last time that it was called */
	bool		was_called;
	bool		last_answer;
} BfQuery;

/* The queries of a condition, one or those of "= ANY"; one of them has to match. */
typedef struct BfQueries
{
	FmgrInfo   *consistent;
	bool		knows_maybe;	/* is it triConsistent? */
	Oid			collation;
	StrategyNumber strategy;
	BfQuery    *queries;
	int			count;
	bool		everywhere;		/* any row that is not NULL may match */
	uint64	   *hashes;			/* ascending and distinct, of what is looked for */
	int			nhashes;
	MemoryContext call_context; /* of what the function that decides allocates */
} BfQueries;

/*
 * The queries of a condition of a column of keys.  If there are none, no row can
 * match.  Calls functions that may do anything, as those below.
 */
extern BfQueries *bf_queries_make(Relation index, const ScanKeyData *key);

/*
 * Which of so many ranges, sets or groups may match, if each hash may be where its
 * mask says?
 */
extern BfMask bf_queries_decide(BfQueries *queries, const BfMask *found, uint32 members);

/* The place of a hash among those of the queries, or -1. */
extern int	bf_queries_find(const BfQueries *queries, uint64 hash);

/*
 * Without which keys does a query match no row, whatever else the row has?  Sets
 * required for each; of many keys, it is not asked.
 */
extern void bf_query_required(BfQueries *queries, BfQuery *query, bool *required);

#endif							/* BF_INDEX_QUERY_H */
