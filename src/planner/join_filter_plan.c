/*-------------------------------------------------------------------------
 *
 * join_filter_plan.c
 *		Adds join filters to finished plans.
 *
 * The planner plans as it always does.  In the plan that it returns, hash
 * joins are looked for that may have a filter and are expected to gain from
 * it; nodes are put in for these, and nothing else changes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "planner/expression.h"
#include "planner/join_filter.h"
#include "planner/join_filter_plan.h"
#include "planner/join_filters.h"
#include "settings.h"

/* As Spark's and Impala's; more take longer to test than they save. */
#define MAX_FILTERS		10

/* A filter that may be added. */
typedef struct Candidate
{
	HashJoin   *join;
	int			order;			/* in which it was found */
	List	   *keys;			/* BfJoinPlanKey */
	List	   *descents;		/* BfJoinDescent, of each key; places are the same */
	BfJoinEstimate estimate;
	BfJoinFilterSpec spec;
} Candidate;

typedef struct SearchContext
{
	BfJoinStatement statement;
	List	   *candidates;
	Bitmapset  *few;			/* sub-selects of which a few rows may do, by plan_id */
} SearchContext;

/* What a node's place in the plan means for it. */
typedef struct Surroundings
{
	/*
	 * Rows are wanted only until there are a few of them, as below Limit.  Not
	 * so below what reads all before it returns the first.
	 */
	bool		wants_few_rows;

	/* It may be run more than once in one execution of the plan. */
	bool		runs_again;

	/* Several processes run it, each for itself but for what they share. */
	bool		below_gather;
} Surroundings;

static planner_hook_type previous_planner_hook = NULL;

/* ---------- trees ---------- */

List *
bf_join_other_children(Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_Append:
			return ((Append *) plan)->appendplans;
		case T_MergeAppend:
			return ((MergeAppend *) plan)->mergeplans;
		case T_BitmapAnd:
			return ((BitmapAnd *) plan)->bitmapplans;
		case T_BitmapOr:
			return ((BitmapOr *) plan)->bitmapplans;
		case T_SubqueryScan:
			return list_make1(((SubqueryScan *) plan)->subplan);
		case T_CustomScan:
			return ((CustomScan *) plan)->custom_plans;
		default:
			return NIL;
	}
}

void
bf_join_walk(Plan *plan, void (*visit) (Plan *plan, void *context), void *context)
{
	ListCell   *lc;

	if (plan == NULL)
		return;
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	bf_join_walk(outerPlan(plan), visit, context);
	bf_join_walk(innerPlan(plan), visit, context);
	foreach(lc, bf_join_other_children(plan))
		bf_join_walk(lfirst(lc), visit, context);
	visit(plan, context);
}

static void
walk_statement(PlannedStmt *stmt, void (*visit) (Plan *plan, void *context), void *context)
{
	ListCell   *lc;

	bf_join_walk(stmt->planTree, visit, context);
	foreach(lc, stmt->subplans)
		bf_join_walk(lfirst(lc), visit, context);
}

static void
visit_has_hash_join(Plan *plan, void *found)
{
	if (IsA(plan, HashJoin))
		*(bool *) found = true;
}

static bool
has_hash_join(PlannedStmt *stmt)
{
	bool		found = false;

	walk_statement(stmt, visit_has_hash_join, &found);
	return found;
}

/* ---------- what is known of a statement ---------- */

static Bitmapset *
add_param(Bitmapset *params, int param)
{
	return param >= 0 ? bms_add_member(params, param) : params;
}

/*
 * Node numbers, and the parameters that nodes make up for themselves.  That
 * by which ModifyTable tells what is below it to start again is never used
 * for INSERT, which changes no rows that others may have changed meanwhile.
 */
static void
visit_node(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;

	statement->last_node_id = Max(statement->last_node_id, plan->plan_node_id);
	if (IsA(plan, Gather))
		statement->gather_params = add_param(statement->gather_params,
											 ((Gather *) plan)->rescan_param);
	else if (IsA(plan, GatherMerge))
		statement->gather_params = add_param(statement->gather_params,
											 ((GatherMerge *) plan)->rescan_param);
	else if (IsA(plan, ModifyTable) && ((ModifyTable *) plan)->operation == CMD_INSERT)
		statement->constant_params = add_param(statement->constant_params,
											   ((ModifyTable *) plan)->epqParam);
}

static Bitmapset *
add_outputs(Bitmapset *params, SubPlan *subplan)
{
	ListCell   *lc;

	foreach(lc, subplan->setParam)
		params = bms_add_member(params, lfirst_int(lc));
	return params;
}

/*
 * Sub-selects that run once, for all that need their results: they are not
 * correlated, nor are those that they need.  Some are found only when those
 * that they need have been.
 */
static void
visit_constant_params(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;
	ListCell   *lc;

	foreach(lc, plan->initPlan)
	{
		SubPlan    *subplan = lfirst_node(SubPlan, lc);

		if (subplan->parParam != NIL ||
			!bms_is_subset(bf_join_sub_select(statement, subplan->plan_id)->extParam,
						   statement->constant_params))
			continue;
		statement->constant_params = add_outputs(statement->constant_params, subplan);
		statement->run_once = bms_add_member(statement->run_once, subplan->plan_id);
	}
}

/* Add the outputs of a node's sub-selects that are no more stable than that. */
static Bitmapset *
add_unstable(Bitmapset *params, BfJoinStatement *statement, Plan *plan, BfJoinStability most)
{
	ListCell   *lc;

	foreach(lc, plan->initPlan)
	{
		SubPlan    *subplan = lfirst_node(SubPlan, lc);

		if (bf_join_sub_select_stability(statement, subplan) <= most)
			params = add_outputs(params, subplan);
	}
	return params;
}

static void
visit_volatile_params(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;

	statement->volatile_params = add_unstable(statement->volatile_params, statement, plan,
											  BF_JOIN_VOLATILE);
}

/*
 * A sub-select within what processes run is run by each of them (from 17 on):
 * their results differ where they may differ from one time to the next.
 */
static void
visit_unequal_params(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;

	statement->unequal_params = add_unstable(statement->unequal_params, statement, plan,
											 BF_JOIN_STABLE);
}

static void
visit_gather(Plan *plan, void *context)
{
	if (IsA(plan, Gather) || IsA(plan, GatherMerge))
		bf_join_walk(outerPlan(plan), visit_unequal_params, context);
}

/*
 * Are there views that may hide rows by a join?  Policies hide those of a table
 * in its scan.
 */
static bool
hides_rows(PlannedStmt *stmt)
{
	ListCell   *lc;

	foreach(lc, stmt->rtable)
		if (lfirst_node(RangeTblEntry, lc)->security_barrier)
			return true;
	return false;
}

static int
doubtful_params(const BfJoinStatement *statement)
{
	return bms_num_members(statement->volatile_params) +
		bms_num_members(statement->unequal_params);
}

/* A parameter is found to be constant after those that its sub-select needs. */
static void
learn_constant_params(BfJoinStatement *statement)
{
	int			known;

	do
	{
		known = bms_num_members(statement->constant_params);
		walk_statement(statement->stmt, visit_constant_params, statement);
	} while (bms_num_members(statement->constant_params) > known);
}

/*
 * Processes run what is below Gather, and sub-selects wherever these are used,
 * of which they have all that are safe.  (The Gather that debug_parallel_query
 * adds has no parameter; there is one process below it.)
 */
static void
visit_unequal_sub_selects(BfJoinStatement *statement)
{
	ListCell   *lc;

	if (statement->gather_params == NULL)
		return;
	foreach(lc, statement->stmt->subplans)
	{
		Plan	   *plan = lfirst(lc);

		if (plan != NULL && plan->parallel_safe)
			bf_join_walk(plan, visit_unequal_params, statement);
	}
}

/* A sub-select may need another one that is found to be doubtful later. */
static void
learn_doubtful_params(BfJoinStatement *statement)
{
	int			known;

	do
	{
		known = doubtful_params(statement);
		bf_join_forget_judgements(statement);
		walk_statement(statement->stmt, visit_volatile_params, statement);
		walk_statement(statement->stmt, visit_gather, statement);
		visit_unequal_sub_selects(statement);
	} while (doubtful_params(statement) > known);
}

static void
learn_statement(BfJoinStatement *statement)
{
	statement->hides_rows = hides_rows(statement->stmt);
	walk_statement(statement->stmt, visit_node, statement);
	learn_constant_params(statement);
	learn_doubtful_params(statement);
}

/* ---------- joins ---------- */

/*
 * Does the join drop the rows of its outer side that have no match?  LEFT,
 * FULL and ANTI joins return them.
 */
static bool
drops_unmatched_rows(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT ||
		BF_IS_RIGHT_ANTI(type) || BF_IS_RIGHT_SEMI(type);
}

/*
 * Is what is hashed the same each time that the plan runs?  A parameter could
 * change it while nodes on the outer side keep rows tested by the filter
 * before.  The Hash's own parameters matter: its keys may have one that its
 * child has not.  Those that only tell parallel scans to start again do no
 * harm, as all of them are below the same Gather.
 *
 * This also keeps filters out of nearly all that EvalPlanQual runs anew: below
 * LockRows and ModifyTable, but for INSERT, every scan has a parameter that
 * tells it to start again, but for those in a sub-select of FROM that stays one.
 * There, and where constants are hashed, are filters: a probe takes none of
 * another EState.
 */
static bool
hash_depends_on_nothing(BfJoinStatement *statement, Plan *hash)
{
	Bitmapset  *harmless = statement->constant_params;

	if (hash->parallel_aware)
		harmless = bms_union(harmless, statement->gather_params);
	return bms_is_subset(hash->extParam, harmless);
}

/*
 * May the join fetch a row of its outer side before it hashes the inner one,
 * to see whether there is any?  ExecHashJoinImpl()'s condition, which leaves
 * out what is decided by earlier scans; and that a Parallel Hash comes first,
 * which is true in parallel mode only: rows that are asked for one by one are
 * not made in that.
 */
static bool
fetches_outer_row_first(const HashJoin *join)
{
	Plan	   *outer = outerPlan(&join->join.plan);
	Plan	   *hash = innerPlan(&join->join.plan);

	return join->join.jointype != JOIN_RIGHT && !BF_IS_RIGHT_ANTI(join->join.jointype) &&
		outer->startup_cost < hash->total_cost;
}

/*
 * Would the hash functions raise an error for any value of a key, because the
 * collations of its sides differ?  The join may have no row to call them for.
 */
static bool
lacks_collation(const Node *outer, const Node *inner, Oid collation)
{
	return !OidIsValid(collation) &&
		(type_is_collatable(exprType(outer)) || type_is_collatable(exprType(inner)));
}

/* The columns of the outer side that make up the join's key, or a part of it. */
static List *
join_keys(BfJoinStatement *statement, HashJoin *join)
{
	Hash	   *hash = (Hash *) innerPlan(&join->join.plan);
	List	   *result = NIL;
	int			number = -1;
	ListCell   *outer;
	ListCell   *inner;
	ListCell   *operator;
	ListCell   *collation;

	forfour(outer, join->hashkeys, inner, hash->hashkeys,
			operator, join->hashoperators, collation, join->hashcollations)
	{
		Expr	   *expression = bf_strip_relabel(lfirst(outer));
		BfJoinPlanKey *key;

		number++;
		if (!IsA(expression, Var) || ((Var *) expression)->varno != OUTER_VAR ||
			((Var *) expression)->varattno <= 0 ||
			!op_strict(lfirst_oid(operator)) ||
			lacks_collation(lfirst(outer), lfirst(inner), lfirst_oid(collation)) ||
			!bf_join_expression_is_calm(statement, lfirst(inner)))
			continue;
		key = palloc(sizeof(BfJoinPlanKey));
		key->number = number;
		key->column = ((Var *) expression)->varattno;
		key->inner = lfirst(inner);
		key->operator = lfirst_oid(operator);
		key->collation = lfirst_oid(collation);
		result = lappend(result, key);
	}
	return result;
}

static bool
same_places(const BfJoinDescent *a, const BfJoinDescent *b)
{
	ListCell   *la;
	ListCell   *lb;

	if (list_length(a->targets) != list_length(b->targets))
		return false;
	forboth(la, a->targets, lb, b->targets)
		if (((BfJoinTarget *) lfirst(la))->place != ((BfJoinTarget *) lfirst(lb))->place)
			return false;
	return true;
}

static Candidate *
find_candidate(List *candidates, const BfJoinDescent *descent)
{
	ListCell   *lc;

	foreach(lc, candidates)
	{
		Candidate  *candidate = lfirst(lc);

		if (same_places(linitial(candidate->descents), descent))
			return candidate;
	}
	return NULL;
}

/*
 * Columns that reach the same places are tested together.
 *
 * The join evaluates and hashes the keys of a row one after the other, up to
 * the first that is NULL.  An expression, or a hash function that others wrote,
 * may fail for a row for which the join does not call it: so it is called after
 * all keys before it only.
 */
static void
add_key(List **candidates, HashJoin *join, BfJoinPlanKey *key, BfJoinDescent *descent)
{
	Candidate  *candidate = find_candidate(*candidates, descent);
	int			before = candidate == NULL ? 0 : list_length(candidate->keys);

	if (before < key->number &&
		(!IsA(bf_strip_relabel(key->inner), Var) || !bf_join_hash_is_harmless(key->operator)))
		return;
	if (candidate == NULL)
	{
		candidate = palloc0(sizeof(Candidate));
		candidate->join = join;
		*candidates = lappend(*candidates, candidate);
	}
	candidate->keys = lappend(candidate->keys, key);
	candidate->descents = lappend(candidate->descents, descent);
}

static List *
join_candidates(BfJoinStatement *statement, HashJoin *join, const BfJoinLimits *limits)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, join_keys(statement, join))
	{
		BfJoinDescent *descent = palloc(sizeof(BfJoinDescent));

		if (bf_join_descend(statement, &outerPlan(&join->join.plan), lfirst(lc), limits, descent))
			add_key(&result, join, lfirst(lc), descent);
	}
	return result;
}

static void
visit_rows(Plan *plan, void *rows)
{
	*(double *) rows = Max(*(double *) rows, plan->plan_rows);
}

/*
 * Can there be a place with enough rows?  Of most joins that is all that has
 * to be found out.
 */
static bool
has_enough_rows(const HashJoin *join)
{
	double		rows = 0;

	bf_join_walk(outerPlan(&join->join.plan), visit_rows, &rows);
	return rows >= bf_join_filter_min_rows;
}

/* Add the filters of a join that may be made and are expected to pay. */
static void
consider_join(SearchContext *context, HashJoin *join, const Surroundings *around)
{
	bool		force = bf_join_filters == BF_JOIN_FILTERS_FORCE;
	BfJoinStatement *statement = &context->statement;
	Plan	   *hash = innerPlan(&join->join.plan);
	BfJoinStability stability;
	BfJoinLimits limits;
	bool		changes;
	ListCell   *lc;

	if (!(force || has_enough_rows(join)) ||
		!drops_unmatched_rows(join->join.jointype) ||
		!hash_depends_on_nothing(statement, hash) ||
		!bf_join_expression_is_calm(statement, (Node *) join->hashkeys))
		return;
	stability = bf_join_stability(statement, hash);
	/* may there be other rows when it runs again? */
	changes = stability == BF_JOIN_STABLE && around->runs_again;
	if (stability == BF_JOIN_VOLATILE || (changes && hash->parallel_aware))
		return;

	limits.first_row_untested = fetches_outer_row_first(join);
	/* that row may fill a store untested; a Parallel Hash is hardly ever that late */
	limits.not_below_stores = changes ||
		(!force && limits.first_row_untested && !hash->parallel_aware);
	limits.not_below_lookahead = !force && around->wants_few_rows;
	limits.not_below_early_end = !force;
	limits.differs_by_process = around->below_gather && !hash->parallel_aware &&
		stability == BF_JOIN_STABLE;
	limits.runs_again = around->runs_again;
	foreach(lc, join_candidates(statement, join, &limits))
	{
		Candidate  *candidate = lfirst(lc);
		bool		pays = bf_join_pays(statement->stmt, join, candidate->descents,
										&candidate->estimate);

		if (pays || force)
		{
			candidate->order = list_length(context->candidates);
			context->candidates = lappend(context->candidates, candidate);
		}
	}
}

/* What is known of a node's surroundings after those of its parent. */
static Surroundings
surroundings_below(const Plan *plan, const Surroundings *around)
{
	Surroundings result = *around;

	if (IsA(plan, Limit))
		result.wants_few_rows = true;
	else if (IsA(plan, Sort) || IsA(plan, Hash) ||
			 (IsA(plan, Agg) && ((const Agg *) plan)->aggstrategy != AGG_SORTED))
		result.wants_few_rows = false;
	result.below_gather |= IsA(plan, Gather) || IsA(plan, GatherMerge);
	return result;
}

/*
 * A sub-select that has to be one row is asked for a second one, and most others
 * for all that they have.  Not so EXISTS and those in expressions, which may be
 * of any kind.  Of a CTE its readers decide, which are found after it.
 */
static void
note_few_rows(SearchContext *context, Plan *plan, const Surroundings *around)
{
	ListCell   *lc;

	foreach(lc, plan->initPlan)
	{
		SubPlan    *subplan = lfirst_node(SubPlan, lc);

		if (subplan->subLinkType != EXISTS_SUBLINK)
			context->few = bms_del_member(context->few, subplan->plan_id);
	}
	if (IsA(plan, CteScan) && around->wants_few_rows)
		context->few = bms_add_member(context->few, ((CteScan *) plan)->ctePlanId);
}

/* Look for joins, from the top down. */
static void
search(SearchContext *context, Plan *plan, const Surroundings *around)
{
	Surroundings below;
	Surroundings inner;
	ListCell   *lc;

	if (plan == NULL)
		return;
	check_stack_depth();
	note_few_rows(context, plan, around);
	if (IsA(plan, HashJoin))
		consider_join(context, (HashJoin *) plan, around);
	/* what is below a foreign scan is for EvalPlanQual only */
	if (IsA(plan, ForeignScan))
		return;
	below = surroundings_below(plan, around);
	/* custom scans run what is below them as they like */
	below.runs_again |= IsA(plan, CustomScan);
	inner = below;
	inner.runs_again |= IsA(plan, NestLoop) || IsA(plan, RecursiveUnion);
	search(context, outerPlan(plan), &below);
	search(context, innerPlan(plan), &inner);
	foreach(lc, bf_join_other_children(plan))
		search(context, lfirst(lc), &below);
}

/* ---------- changes ---------- */

/*
 * A node above a child, with the child's output and costs.  Its parameters
 * have to be the child's, or else it would not hear of their changes.  It need
 * not scan backward, or mark and restore: what is below a hash join does not.
 */
static CustomScan *
wrap(BfJoinStatement *statement, Plan **place, const CustomScanMethods *methods)
{
	Plan	   *child = *place;
	CustomScan *result = makeNode(CustomScan);
	Plan	   *plan = &result->scan.plan;
	ListCell   *lc;

	*plan = *child;
	plan->type = T_CustomScan;
	plan->plan_node_id = ++statement->last_node_id;
	plan->parallel_aware = false;
	plan->async_capable = false;
	plan->targetlist = NIL;
	plan->qual = NIL;
	plan->initPlan = NIL;
	plan->lefttree = child;
	plan->righttree = NULL;
	plan->extParam = bms_copy(child->extParam);
	plan->allParam = bms_copy(child->allParam);
	foreach(lc, child->targetlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		Node	   *expression = (Node *) entry->expr;
		Var		   *var = makeVar(OUTER_VAR, entry->resno, exprType(expression),
								  exprTypmod(expression), exprCollation(expression), 0);
		Var		   *output = copyObject(var);

		output->varno = INDEX_VAR;
		result->custom_scan_tlist = lappend(result->custom_scan_tlist,
											makeTargetEntry((Expr *) var, entry->resno,
															entry->resname, entry->resjunk));
		plan->targetlist = lappend(plan->targetlist,
								   makeTargetEntry((Expr *) output, entry->resno,
												   entry->resname, entry->resjunk));
	}
	result->methods = methods;
	*place = plan;
	return result;
}

/* A column of the child, as the parent sees it. */
static Var *
child_column(Plan *child, AttrNumber column)
{
	ListCell   *lc;

	foreach(lc, child->targetlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		Node	   *expression = (Node *) entry->expr;

		if (entry->resno == column)
			return makeVar(OUTER_VAR, column, exprType(expression), exprTypmod(expression),
						   exprCollation(expression), 0);
	}
	elog(ERROR, "column %d not found in target list", column);
}

/* Test the rows of the i-th target by a filter, after those before. */
static void
add_probe(BfJoinStatement *statement, Candidate *candidate, int i)
{
	BfJoinTarget *target = list_nth(((BfJoinDescent *) linitial(candidate->descents))->targets, i);
	BfJoinFilterSpec spec = candidate->spec;
	CustomScan *probe;
	ListCell   *lc;

	probe = bf_is_join_probe(*target->place) ? (CustomScan *) *target->place :
		wrap(statement, target->place, &bf_join_probe_methods);
	foreach(lc, candidate->descents)
	{
		BfJoinDescent *descent = lfirst(lc);

		target = list_nth(descent->targets, i);
		probe->custom_exprs = lappend(probe->custom_exprs,
									  child_column(outerPlan(&probe->scan.plan), target->column));
	}
	spec.groups = target->groups;
	probe->custom_private = lappend(probe->custom_private, bf_join_filter_spec_to_list(&spec));
}

static void
add_probes(BfJoinStatement *statement, Candidate *candidate)
{
	int			n = list_length(((BfJoinDescent *) linitial(candidate->descents))->targets);
	int			i;

	for (i = 0; i < n; i++)
		add_probe(statement, candidate, i);
}

static void
add_build(BfJoinStatement *statement, Candidate *candidate)
{
	Plan	   *hash = innerPlan(&candidate->join->join.plan);
	CustomScan *build = wrap(statement, &outerPlan(hash), &bf_join_build_methods);
	ListCell   *lc;

	/* only then do workers share its filter, as they share the hash table */
	build->scan.plan.parallel_aware = hash->parallel_aware;
	foreach(lc, candidate->keys)
		build->custom_exprs = lappend(build->custom_exprs,
									  copyObject(((BfJoinPlanKey *) lfirst(lc))->inner));
	build->custom_private = bf_join_filter_spec_to_list(&candidate->spec);
}

/* The mailbox: one more executor parameter, which no expression refers to. */
static int
new_param(PlannedStmt *stmt)
{
	stmt->paramExecTypes = lappend_oid(stmt->paramExecTypes, INTERNALOID);
	return list_length(stmt->paramExecTypes) - 1;
}

static void
specify(BfJoinStatement *statement, Candidate *candidate, int number)
{
	BfJoinFilterSpec *spec = &candidate->spec;
	ListCell   *lc;

	spec->number = number;
	spec->param = new_param(statement->stmt);
	spec->rows = candidate->estimate.hashed_rows;
	spec->max_pass = candidate->estimate.max_pass;
	foreach(lc, candidate->keys)
	{
		BfJoinPlanKey *key = lfirst(lc);

		spec->operators = lappend_oid(spec->operators, key->operator);
		spec->collations = lappend_oid(spec->collations, key->collation);
	}
}

static int
by_gain(const ListCell *a, const ListCell *b)
{
	double		gain_a = ((Candidate *) lfirst(a))->estimate.gain;
	double		gain_b = ((Candidate *) lfirst(b))->estimate.gain;

	return (gain_a < gain_b) - (gain_a > gain_b);
}

static int
by_order(const ListCell *a, const ListCell *b)
{
	return ((Candidate *) lfirst(a))->order - ((Candidate *) lfirst(b))->order;
}

static int
by_pass(const ListCell *a, const ListCell *b)
{
	double		pass_a = ((Candidate *) lfirst(a))->estimate.pass;
	double		pass_b = ((Candidate *) lfirst(b))->estimate.pass;

	if (pass_a != pass_b)
		return pass_a < pass_b ? -1 : 1;
	return by_order(a, b);
}

/*
 * Put in the nodes of the best candidates.  Their numbers follow the plan,
 * from the top down; of those that are tested at one place the one that lets
 * fewest rows pass comes first.  Builds last, so that rows that another
 * filter drops below a Hash are not in its own.
 */
static void
add_filters(BfJoinStatement *statement, List *candidates)
{
	int			number = 0;
	ListCell   *lc;

	list_sort(candidates, by_gain);
	candidates = list_truncate(candidates, MAX_FILTERS);
	list_sort(candidates, by_order);
	foreach(lc, candidates)
		specify(statement, lfirst(lc), ++number);
	list_sort(candidates, by_pass);
	foreach(lc, candidates)
		add_probes(statement, lfirst(lc));
	foreach(lc, candidates)
		add_build(statement, lfirst(lc));
}

/* A sub-select comes in the list before those that read it, or are around it. */
static void
search_subplans(SearchContext *context)
{
	int			id;

	for (id = list_length(context->statement.stmt->subplans); id > 0; id--)
	{
		Surroundings around = {
			.wants_few_rows = bms_is_member(id, context->few),
			.runs_again = !bms_is_member(id, context->statement.run_once)
		};

		search(context, bf_join_sub_select(&context->statement, id), &around);
	}
}

static void
add_join_filters(PlannedStmt *stmt, int cursor_options)
{
	SearchContext context = {.statement.stmt = stmt};
	Surroundings of_plan = {.wants_few_rows = (cursor_options & CURSOR_OPT_FAST_PLAN) != 0};

	if (!has_hash_join(stmt))
		return;
	learn_statement(&context.statement);
	if (stmt->subplans != NIL)
		context.few = bms_add_range(NULL, 1, list_length(stmt->subplans));
	search(&context, stmt->planTree, &of_plan);
	search_subplans(&context);
	add_filters(&context.statement, context.candidates);
}

static PlannedStmt *
plan_with_join_filters(BF_PLANNER_PARAMETERS)
{
	PlannedStmt *stmt = previous_planner_hook ?
		previous_planner_hook(BF_PLANNER_ARGUMENTS) : standard_planner(BF_PLANNER_ARGUMENTS);

	if (bf_join_filters != BF_JOIN_FILTERS_OFF)
		add_join_filters(stmt, cursor_options);
	return stmt;
}

void
bf_join_filters_init(void)
{
	RegisterCustomScanMethods(&bf_join_build_methods);
	RegisterCustomScanMethods(&bf_join_probe_methods);
	previous_planner_hook = planner_hook;
	planner_hook = plan_with_join_filters;
}
