/*-------------------------------------------------------------------------
 *
 * join_filter_plan.h
 *		What the parts of planning join filters share.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_FILTER_PLAN_H
#define BF_JOIN_FILTER_PLAN_H

#include "postgres.h"

#include "nodes/bitmapset.h"
#include "nodes/plannodes.h"

#include "planner/join_filter.h"

/* ---------- a statement (join_filter_plan.c) ---------- */

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

	/* are there views that keep the user from seeing all rows? */
	bool		hides_rows;

	/* what was found out of nodes, see join_filter_stable.c */
	struct judgement_hash *judgements;
} BfJoinStatement;

/* The plan of a sub-select or CTE. */
static inline Plan *
bf_join_sub_select(const BfJoinStatement *statement, int plan_id)
{
	return list_nth(statement->stmt->subplans, plan_id - 1);
}

/* Call visit for every node of a tree, a node after those below it. */
extern void bf_join_walk(Plan *plan, void (*visit) (Plan *plan, void *context), void *context);

/* The children of a node that are neither its outer nor its inner one. */
extern List *bf_join_other_children(Plan *plan);

/* ---------- what plans do (join_filter_stable.c) ---------- */

/* How the result of a plan may change when it runs again, the least stable first. */
typedef enum BfJoinStability
{
	BF_JOIN_VOLATILE,			/* it has effects, or there is an unknown node */
	BF_JOIN_STABLE,				/* rows may differ, as with LIMIT */
	BF_JOIN_REPEATABLE			/* the same rows, in any order */
} BfJoinStability;

extern BfJoinStability bf_join_stability(BfJoinStatement *statement, Plan *plan);

/* The same of the result of a sub-select. */
extern BfJoinStability bf_join_sub_select_stability(BfJoinStatement *statement,
													const SubPlan *subplan);

/*
 * May it return rows for ever, to whoever asks for one after another?  So may a
 * recursive query, and a function that returns a set all but that.
 */
extern bool bf_join_may_be_endless(BfJoinStatement *statement, Plan *plan);

/* Forget what was found out: more is known now of the statement's parameters. */
extern void bf_join_forget_judgements(BfJoinStatement *statement);

/*
 * Does a node do the same, but for fewer rows, if it gets fewer rows?  Not if
 * there is a volatile function or a sub-select in any of its expressions.
 */
extern bool bf_join_is_calm(BfJoinStatement *statement, Plan *plan);

/* The same of an expression. */
extern bool bf_join_expression_is_calm(BfJoinStatement *statement, Node *expression);

/* ---------- where to test (join_filter_target.c) ---------- */

/* A key of a join whose outer side is a plain column. */
typedef struct BfJoinPlanKey
{
	int			number;			/* among the keys of the join, from 0 */
	AttrNumber	column;			/* of the outer side */
	Expr	   *inner;			/* in terms of the Hash node's child */
	Oid			operator;
	Oid			collation;
} BfJoinPlanKey;

/* A node above which rows are tested. */
typedef struct BfJoinTarget
{
	Plan	  **place;			/* its parent's pointer to it */
	AttrNumber	column;			/* of its output */
	BfJoinGroups groups;		/* on the way from there to the join */
} BfJoinTarget;

/* Where a key is to be tested. */
typedef struct BfJoinDescent
{
	List	   *targets;
	double		rows;			/* estimate of the rows that are tested */
	Cost		cost_above;		/* of the nodes between there and the join */
	bool		saves_more;		/* is one of them dear? */
} BfJoinDescent;

/* What must not be gone through, whatever the node allows. */
typedef struct BfJoinLimits
{
	/*
	 * Nodes that keep rows: they may be filled before the filter is complete,
	 * or keep rows from one scan to the next although the hash table changed.
	 */
	bool		not_below_stores;

	/*
	 * Nodes that read on before they return a row: if only a few rows are
	 * wanted, looking for the next one that passes may take a whole table.
	 */
	bool		not_below_lookahead;

	/* The same of merge joins that stop before their outer side ends. */
	bool		not_below_early_end;

	/*
	 * Is a first row asked for before there is a filter?  Then its group can be
	 * kept whole only while others of the group are known to follow it.
	 */
	bool		first_row_untested;

	/*
	 * May one process drop rows that another one would not?  Then not below what
	 * they share, a Parallel Hash or the batches of its join, nor below other
	 * hash tables, whose filters are tested there.
	 */
	bool		differs_by_process;

	/*
	 * May the join run again?  What keeps rows from one scan to the next does so
	 * if there are not too many of them: with fewer, what is below is not run
	 * again.
	 */
	bool		runs_again;
} BfJoinLimits;

/* Do the hash functions of an operator tell nothing of their arguments? */
extern bool bf_join_hash_is_harmless(Oid operator);

/*
 * The column of a child (or relation) varno that a column of a node is,
 * unchanged; 0 if it is anything else.  Types may differ if their values look
 * the same.
 */
extern AttrNumber bf_join_passed_column(Plan *plan, AttrNumber column, int varno);

/*
 * The deepest places at or below *place where rows may be tested by a key.
 * False: there are none.
 */
extern bool bf_join_descend(BfJoinStatement *statement, Plan **place, const BfJoinPlanKey *key,
							const BfJoinLimits *limits, BfJoinDescent *result);

/* ---------- whether it pays (join_filter_cost.c) ---------- */

typedef struct BfJoinEstimate
{
	double		gain;			/* in the planner's units of cost */
	double		pass;			/* fraction of the rows that pass */
	double		hashed_rows;	/* by all workers together */
	double		max_pass;		/* break-even at run time */
} BfJoinEstimate;

/*
 * Estimate what a filter gains for a join, given where each of its keys is to
 * be tested, at the same places all.  False: it is expected not to pay, or
 * not to fit into memory, or rows are tested there by hand.
 */
extern bool bf_join_pays(PlannedStmt *stmt, const HashJoin *join, List *descents,
						 BfJoinEstimate *result);

#endif							/* BF_JOIN_FILTER_PLAN_H */
