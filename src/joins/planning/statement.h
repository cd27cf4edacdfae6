/*-------------------------------------------------------------------------
 *
 * statement.h
 *		What is known of a whole statement before its joins are looked at.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_STATEMENT_H
#define BF_JOIN_STATEMENT_H

#include "postgres.h"

#include "nodes/bitmapset.h"
#include "nodes/plannodes.h"

/* What is known of a whole statement. */
typedef struct BfJoinStatement
{
	PlannedStmt *stmt;
	int			last_node_id;	/* the highest in use */

	/*
	 * executor parameters that have one value for as long as a plan runs (from 17
	 * on: in each process), and the sub-selects that give some of them theirs, by
	 * plan_id
	 */
	Bitmapset  *constant_params;
	Bitmapset  *run_once;
	/* those by which Gather nodes tell what is below them to start again */
	Bitmapset  *gather_params;
	/* outputs of sub-selects in which there are volatile functions */
	Bitmapset  *volatile_params;
	/* those that each process may have for itself, and which may differ */
	Bitmapset  *unequal_params;
	/* outputs of sub-selects that may never return */
	Bitmapset  *endless_params;

	/* are there views that keep the user from seeing all rows? */
	bool		hides_rows;

	/* what was found out of nodes, see stability.c */
	struct judgement_hash *judgements;
} BfJoinStatement;

/* The plan of a sub-select or CTE. */
static inline Plan *
bf_join_sub_select(const BfJoinStatement *statement, int plan_id)
{
	return list_nth(statement->stmt->subplans, plan_id - 1);
}

/* Call visit for every node of the statement, a node after those below it. */
extern void bf_join_walk_statement(PlannedStmt *stmt, void (*visit) (Plan *plan, void *context),
								   void *context);

/* Find out what does not depend on what the plan's expressions do. */
extern void bf_join_learn_statement(BfJoinStatement *statement);

/*
 * Have the plan made anew, if it is kept, when this function is altered: join
 * filters depend on what is recorded of it.  Those that expressions call are
 * watched by the server, but not those that aggregates and hash joins call.
 */
extern void bf_join_watch_function(BfJoinStatement *statement, Oid function);

/* Add the parameters to which a sub-select gives their values. */
extern Bitmapset *bf_join_add_outputs(Bitmapset *params, SubPlan *subplan);

#endif							/* BF_JOIN_STATEMENT_H */
