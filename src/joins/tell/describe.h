/*-------------------------------------------------------------------------
 *
 * describe.h
 *		Names of a plan's nodes and expressions, as EXPLAIN shows them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_DESCRIBE_H
#define BF_JOIN_DESCRIBE_H

#include "nodes/plannodes.h"

typedef struct BfJoinNames
{
	PlannedStmt *stmt;
	List	   *relations;		/* names of the range table's entries */
	List	   *deparse;		/* context for ruleutils.c */
} BfJoinNames;

extern void bf_join_learn_names(BfJoinNames *names, PlannedStmt *stmt);

/* Such as "Seq Scan on orders o". */
extern char *bf_join_describe_node(const BfJoinNames *names, const Plan *plan);

/* Such as "Hash Semi Join". */
extern char *bf_join_describe_join(const Plan *plan);

/* An expression of a node in SQL.  ancestors: Plans and SubPlans, the nearest first. */
extern char *bf_join_describe_expression(const BfJoinNames *names, Plan *plan, List *ancestors,
										 Node *expression);

#endif							/* BF_JOIN_DESCRIBE_H */
