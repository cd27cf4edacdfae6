/*-------------------------------------------------------------------------
 *
 * remote_rules.h
 *		Which statements and tables may have filters at another server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_RULES_H
#define BF_REMOTE_RULES_H

#include "postgres.h"

#include "nodes/parsenodes.h"

#include "joins/planning/reasons.h"

/* The functions that a filter at another server needs, in this database. */
typedef struct BfRemoteFunctions
{
	Oid			filter_type;
	Oid			aggregate;		/* bloom_agg("any", double precision) */
	Oid			test;			/* bloomfilter_may_match */
} BfRemoteFunctions;

/* Find them.  BF_JOIN_ALLOWED: all are there, and everybody may call them. */
extern BfJoinReason bf_remote_find_functions(BfRemoteFunctions *functions);

/* Does anything of the statement, as it is before planning, forbid all filters? */
extern BfJoinReason bf_remote_statement_refusal(Query *query);

/*
 * Is a volatile function called anywhere, so that a stable one may return
 * something else while the statement runs?
 */
extern bool bf_remote_calls_volatile(Query *query);

/*
 * Is it a foreign table, or one that has foreign tables below it?  How many of
 * these can be sent a filter is added to ntables.
 */
extern bool bf_remote_is_foreign(const RangeTblEntry *rte, BfJoinReason *refusal, int *ntables);

/* May the keys be read from this table, before it is read for the join? */
extern BfJoinReason bf_remote_local_refusal(const RangeTblEntry *rte);

/*
 * May the two columns, which this operator compares, be tested by a filter on
 * another server?
 */
extern BfJoinReason bf_remote_key_refusal(const OpExpr *comparison, const Var *key,
										  const Var *foreign);

#endif							/* BF_REMOTE_RULES_H */
