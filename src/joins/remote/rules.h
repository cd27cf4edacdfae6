/*-------------------------------------------------------------------------
 *
 * rules.h
 *		Which statements, tables and keys may have filters on another server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_REMOTE_RULES_H
#define BF_REMOTE_RULES_H

#include "nodes/plannodes.h"

#include "joins/rules/reasons.h"

/* By what another server tests the rows of a foreign table. */
typedef enum BfRemoteMeans
{
	BF_REMOTE_NOTHING,
	BF_REMOTE_FILTER,			/* the server lists the extension */
	BF_REMOTE_LIST				/* column = ANY (keys) */
} BfRemoteMeans;

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
 * BF_JOIN_ALLOWED: everybody may call the server's own functions that a list of
 * keys needs.
 */
extern BfJoinReason bf_remote_list_refusal(void);

/* Plan anew when what may call them changes. */
extern void bf_remote_watch_list_functions(PlannedStmt *stmt);

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
 * Does the planner make a join of the condition, in which either table may be
 * the outer one?  It does of others, too; of EXISTS only if all its conditions
 * about both tables are equalities.
 */
extern bool bf_remote_becomes_join(const SubLink *link);

/*
 * Is the table foreign, or does it have foreign tables below it?  If so, find
 * out by what their servers may test rows, the number of tables whose servers
 * do, or the reason why none may.
 */
extern bool bf_remote_is_foreign(const RangeTblEntry *rte, BfJoinReason *refusal,
								 BfRemoteMeans *means, int *ntables);

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
										  const Var *foreign, BfRemoteMeans means);

#endif							/* BF_REMOTE_RULES_H */
