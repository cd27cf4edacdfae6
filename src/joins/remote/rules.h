/*-------------------------------------------------------------------------
 *
 * rules.h
 *		Which statements, tables and keys may have filters on another server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_RULES_H
#define BF_REMOTE_RULES_H

#include "nodes/parsenodes.h"

#include "joins/rules/reasons.h"

/* The functions in this database that a filter on another server needs. */
typedef struct BfRemoteFunctions
{
	Oid			filter_type;
	Oid			aggregate;		/* bloom_agg("any", double precision) */
	Oid			test;			/* bloomfilter_may_match */
} BfRemoteFunctions;

/*
 * Find the functions.  BF_JOIN_ALLOWED: both exist, and everybody may call
 * them.
 */
extern BfJoinReason bf_remote_find_functions(BfRemoteFunctions *functions);

/*
 * Does anything in the statement, as it is before planning, forbid all
 * filters?
 */
extern BfJoinReason bf_remote_statement_refusal(Query *query);

/*
 * Do only the rows of its joins decide whether the sub-select returns a
 * certain row?
 */
extern bool bf_remote_is_simple(const Query *query);

/*
 * Is the table foreign, or does it have foreign tables below it?  If so, find out
 * the number of tables whose servers may test rows by a filter, or the reason why
 * none may.
 */
extern bool bf_remote_is_foreign(const RangeTblEntry *rte, BfJoinReason *refusal, int *ntables);

/*
 * What postgres_fdw adds to the cost of a plan for each row that it fetches of
 * the foreign table.
 */
extern Cost bf_remote_tuple_cost(Oid table);

/*
 * Does planning a query of the foreign table ask a PostgreSQL server for
 * estimates?
 */
extern bool bf_remote_asks_for_estimates(Oid table);

/* May the keys be read from this table, before it is read for the join? */
extern BfJoinReason bf_remote_local_refusal(const RangeTblEntry *rte);

/*
 * May the foreign column be tested on another server, by the keys with which
 * this operator compares it?
 */
extern BfJoinReason bf_remote_key_refusal(const OpExpr *comparison, const Var *key,
										  const Var *foreign);

#endif							/* BF_REMOTE_RULES_H */
