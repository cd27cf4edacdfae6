/*-------------------------------------------------------------------------
 *
 * remote_rules.h
 *		Which statements and tables may have filters on another server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_RULES_H
#define BF_REMOTE_RULES_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "joins/planning/reasons.h"

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
 * Does the query call a volatile function?  If so, a stable function may
 * change its result while the statement runs.
 */
extern bool bf_remote_calls_volatile(Query *query);

/*
 * Is the table foreign, or does it have foreign tables below it?  The number
 * of these that can be sent a filter is added to ntables.
 */
extern bool bf_remote_is_foreign(const RangeTblEntry *rte, BfJoinReason *refusal, int *ntables);

/* May the keys be read from this table, before it is read for the join? */
extern BfJoinReason bf_remote_local_refusal(const RangeTblEntry *rte);

/*
 * May the two columns that this operator compares be tested by a filter on
 * another server?
 */
extern BfJoinReason bf_remote_key_refusal(const OpExpr *comparison, const Var *key,
										  const Var *foreign);

#endif							/* BF_REMOTE_RULES_H */
