/*-------------------------------------------------------------------------
 *
 * statement.h
 *		What is known of a whole statement before its joins are examined.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STATEMENT_H
#define BF_JOIN_STATEMENT_H

#include "nodes/bitmapset.h"
#include "nodes/plannodes.h"

/* What is known of a whole statement. */
typedef struct BfJoinStatement
{
	PlannedStmt *stmt;
	int			last_node_id;	/* the highest in use */

	/*
	 * executor parameters that have one value while a plan runs (from 17 on:
	 * one value in each process), and, by plan_id, the sub-selects that set
	 * some of them
	 */
	Bitmapset  *constant_params;
	Bitmapset  *run_once;
	/*
	 * parameters by which Gather nodes tell the nodes below them to start
	 * again
	 */
	Bitmapset  *gather_params;
	/*
	 * parameters by which nodes that lock rows tell the nodes below them to
	 * start again, for a row that another session has changed
	 */
	Bitmapset  *lock_params;
	/* outputs of sub-selects with volatile functions */
	Bitmapset  *volatile_params;
	/*
	 * parameters that each process may compute itself, with different results
	 */
	Bitmapset  *unequal_params;
	/* outputs of sub-selects that may never return */
	Bitmapset  *endless_params;

	/* are there views that keep the user from seeing all rows? */
	bool		hides_rows;
	/* has a table policies?  Those of a partition are its parent's */
	bool		has_policies;

	/* what was found about nodes, see stability.c */
	struct judgement_hash *judgements;
	/* what lies above partitions, see lineage.c */
	struct lineage_hash *lineages;
} BfJoinStatement;

/* The plan of a sub-select or CTE. */
static inline Plan *
bf_join_sub_select(const BfJoinStatement *statement, int plan_id)
{
	return list_nth(statement->stmt->subplans, plan_id - 1);
}

/*
 * Call visit for every node of the statement, for children before their
 * parents.
 */
extern void bf_join_walk_statement(PlannedStmt *stmt, void (*visit) (Plan *plan, void *context),
								   void *context);

/* The cost of the rows that are expected to be fetched. */
extern Cost bf_join_plan_cost(const PlannedStmt *stmt, int cursor_options);

/* Find all that does not depend on what the plan's expressions do. */
extern void bf_join_learn_statement(BfJoinStatement *statement);

/*
 * If the plan is cached, have it made anew when this function is altered: join
 * filters depend on the function's catalog entry.  The server watches the
 * functions that expressions call, but not those that aggregates and hash
 * joins call.
 */
extern void bf_join_watch_function(BfJoinStatement *statement, Oid function);

/* Add the parameters that a sub-select sets. */
extern void bf_join_add_outputs(Bitmapset **params, SubPlan *subplan);

#endif							/* BF_JOIN_STATEMENT_H */
