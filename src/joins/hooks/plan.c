/*-------------------------------------------------------------------------
 *
 * plan.c
 *		Adds the nodes of join filters to a finished plan.  Nothing else
 *		changes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"

#include "joins/choice/candidates.h"
#include "joins/choice/skipping.h"
#include "joins/hooks/columns.h"
#include "joins/hooks/plan.h"

/* ---------- changes ---------- */

/* A column of a plan, as a list that varno stands for refers to it. */
static Var *
output_column(int varno, const TargetEntry *entry)
{
	Node	   *expression = (Node *) entry->expr;

	return makeVar(varno, entry->resno, exprType(expression), exprTypmod(expression),
				   exprCollation(expression), 0);
}

static bool
has_type_of(const Expr *expression, const Var *var)
{
	return exprType((const Node *) expression) == var->vartype &&
		exprTypmod((const Node *) expression) == var->vartypmod &&
		exprCollation((const Node *) expression) == var->varcollid;
}

/*
 * A node above a child, with the child's output and costs.  Its parameters
 * must be the child's, because otherwise the child would not be told of their
 * changes.  It need not scan backward: nodes below a join do not.
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
		Var		   *output = output_column(INDEX_VAR, entry);
		Expr	   *source = bf_join_computed_column(child, entry);

		/* the executor compares the types alone */
		if (source == NULL || !has_type_of(source, output))
			source = (Expr *) output_column(OUTER_VAR, entry);
		result->custom_scan_tlist = lappend(result->custom_scan_tlist,
											makeTargetEntry(source, entry->resno,
															entry->resname, entry->resjunk));
		plan->targetlist = lappend(plan->targetlist,
								   makeTargetEntry((Expr *) output, entry->resno,
												   entry->resname, entry->resjunk));
	}
	result->methods = methods;
	*place = plan;
	return result;
}

/* A column of the child, as the child's parent refers to it. */
static Var *
child_column(Plan *child, AttrNumber column)
{
	const TargetEntry *entry = get_tle_by_resno(child->targetlist, column);

	if (entry == NULL)
		elog(ERROR, "column %d not found in target list", column);
	return output_column(OUTER_VAR, entry);
}

/* What a probe above the child tests. */
static Expr *
tested_key(Plan *child, const BfJoinPlanKey *key, AttrNumber column)
{
	return column > 0 ? (Expr *) child_column(child, column) : copyObject(key->outer);
}

/* ---------- mailboxes ---------- */

/* Adds a mailbox to the plan; run/mailbox.h says why that is sound. */
static int
new_param(PlannedStmt *stmt)
{
	stmt->paramExecTypes = lappend_oid(stmt->paramExecTypes, INTERNALOID);
	return list_length(stmt->paramExecTypes) - 1;
}

/* The filters that are handed over to the processes below a Gather. */
typedef struct Handover
{
	Plan	   *gather;
	List	   *specs;			/* BfJoinFilterSpec */
} Handover;

static Handover *
find_handover(List **handovers, Plan *gather)
{
	Handover   *result;
	ListCell   *lc;

	foreach(lc, *handovers)
	{
		result = lfirst(lc);
		if (result->gather == gather)
			return result;
	}
	result = palloc0(sizeof(Handover));
	result->gather = gather;
	*handovers = lappend(*handovers, result);
	return result;
}

/*
 * The mailbox of a filter in the processes below a Gather; makes it if there
 * is none yet.
 */
static int
param_below_gather(BfJoinStatement *statement, List **handovers, const BfJoinFilterSpec *spec,
				   Plan *gather)
{
	Handover   *handover = find_handover(handovers, gather);
	BfJoinFilterSpec *handed;
	ListCell   *lc;

	foreach(lc, handover->specs)
	{
		handed = lfirst(lc);
		if (handed->source == spec->param)
			return handed->param;
	}
	handed = palloc(sizeof(BfJoinFilterSpec));
	*handed = *spec;
	handed->source = spec->param;
	handed->param = new_param(statement->stmt);
	handover->specs = lappend(handover->specs, handed);
	return handed->param;
}

/* ---------- nodes ---------- */

/*
 * Test the rows of the i-th target by a filter, after the filters added
 * before.
 */
static void
add_probe(BfJoinStatement *statement, BfJoinCandidate *candidate, int i, List **handovers)
{
	BfJoinTarget *target = list_nth(((BfJoinDescent *) linitial(candidate->descents))->targets, i);
	BfJoinFilterSpec spec = candidate->spec;
	CustomScan *probe;
	Plan	   *child;
	ListCell   *lc;

	probe = bf_is_join_probe(*target->place) ? (CustomScan *) *target->place :
		wrap(statement, target->place, &bf_join_probe_methods);
	child = outerPlan(&probe->scan.plan);
	spec.before_conditions = true;
	foreach(lc, candidate->descents)
	{
		BfJoinDescent *descent = lfirst(lc);

		target = list_nth(descent->targets, i);
		probe->custom_exprs = lappend(probe->custom_exprs,
									  tested_key(child, descent->key, target->column));
		spec.before_conditions = spec.before_conditions && IsA(child, SeqScan) &&
			bf_join_may_test_first(statement, child, descent->key->operator);
		spec.skips = list_concat(spec.skips, target->skips);
	}
	spec.groups = target->groups;
	if (target->gather != NULL)
		spec.param = param_below_gather(statement, handovers, &candidate->spec, target->gather);
	probe->custom_private = lappend(probe->custom_private, bf_join_filter_spec_to_list(&spec));
}

static void
add_probes(BfJoinStatement *statement, BfJoinCandidate *candidate, List **handovers)
{
	int			n = list_length(((BfJoinDescent *) linitial(candidate->descents))->targets);
	int			i;

	for (i = 0; i < n; i++)
		add_probe(statement, candidate, i, handovers);
}

static void
add_handover(BfJoinStatement *statement, const Handover *handover)
{
	CustomScan *node = wrap(statement, &outerPlan(handover->gather), &bf_join_handover_methods);
	ListCell   *lc;

	/*
	 * only a parallel-aware node is asked for the memory that it shares with
	 * workers
	 */
	node->scan.plan.parallel_aware = true;
	foreach(lc, handover->specs)
		node->custom_private = lappend(node->custom_private,
									   bf_join_filter_spec_to_list(lfirst(lc)));
}

/*
 * Make the join hash before it asks its outer side for a row.
 *
 * If the outer side's startup cost is below the cost of hashing the inner
 * side, ExecHashJoinImpl() fetches the first outer row first, to avoid hashing
 * if there is none.  It compares these costs at run time, and the increased
 * startup cost is true: with the filter, no row is returned before all are
 * hashed.  The startup cost stays below the join's own.
 */
static void
hash_first(const Join *join)
{
	Plan	   *outer = outerPlan(&join->plan);
	Plan	   *hash = innerPlan(&join->plan);

	outer->startup_cost = Max(outer->startup_cost, hash->total_cost);
	outer->total_cost = Max(outer->total_cost, outer->startup_cost);
}

static bool
wants_to_hash_first(const BfJoinCandidate *candidate)
{
	ListCell   *lc;

	foreach(lc, candidate->descents)
		if (((BfJoinDescent *) lfirst(lc))->hash_first)
			return true;
	return false;
}

/*
 * Make a merge join sort its inner side before it asks its outer side for a row:
 * a node above the Sort keeps the first row, and a node above the outer side
 * waits for it.  The two find each other by a parameter (see run/first.c).
 */
static void
sort_first(BfJoinStatement *statement, const BfJoinSides *sides)
{
	CustomScan *first;
	CustomScan *wait;

	/* the filter of another key may have asked for it */
	if (bf_is_join_wait(*sides->tested))
		return;
	first = wrap(statement, sides->store_place, &bf_join_first_methods);
	wait = wrap(statement, sides->tested, &bf_join_wait_methods);
	first->custom_private = wait->custom_private = list_make1_int(new_param(statement->stmt));
}

static void
add_build(BfJoinStatement *statement, BfJoinCandidate *candidate)
{
	Plan	   *store = candidate->sides.store;
	CustomScan *build = wrap(statement, &outerPlan(store), &bf_join_build_methods);
	ListCell   *lc;

	/* only then do workers share the filter, as they share the hash table */
	build->scan.plan.parallel_aware = store->parallel_aware;
	foreach(lc, candidate->descents)
		build->custom_exprs = lappend(build->custom_exprs,
									  copyObject(((BfJoinDescent *) lfirst(lc))->key->inner));
	build->custom_private = bf_join_filter_spec_to_list(&candidate->spec);
	if (!wants_to_hash_first(candidate))
		return;
	if (IsA(candidate->sides.join, HashJoin))
		hash_first(candidate->sides.join);
	else
		sort_first(statement, &candidate->sides);
}

/* ---------- filters ---------- */

/*
 * The comparisons by which the keys are kept in order for skipping; NIL: no
 * scan skips.
 */
static List *
key_orders(const BfJoinCandidate *candidate)
{
	List	   *result = NIL;
	bool		any = false;
	ListCell   *lc;

	foreach(lc, candidate->descents)
	{
		const BfJoinDescent *descent = lfirst(lc);
		bool		skips = bf_join_any_skips(descent);

		result = lappend_oid(result, skips ? bf_join_key_order(descent->key) : InvalidOid);
		any |= skips;
	}
	return any ? result : NIL;
}

static void
specify(BfJoinStatement *statement, BfJoinCandidate *candidate, int number)
{
	BfJoinFilterSpec *spec = &candidate->spec;
	ListCell   *lc;

	spec->number = number;
	spec->param = new_param(statement->stmt);
	spec->rows = candidate->estimate.hashed_rows;
	spec->max_pass = candidate->estimate.max_pass;
	foreach(lc, candidate->descents)
	{
		const BfJoinPlanKey *key = ((BfJoinDescent *) lfirst(lc))->key;

		spec->operators = lappend_oid(spec->operators, key->operator);
		spec->collations = lappend_oid(spec->collations, key->collation);
		spec->types = lappend_oid(spec->types, exprType((Node *) key->inner));
	}
	spec->orders = key_orders(candidate);
}

static int
by_order(const ListCell *a, const ListCell *b)
{
	return ((BfJoinCandidate *) lfirst(a))->order - ((BfJoinCandidate *) lfirst(b))->order;
}

static int
by_pass(const ListCell *a, const ListCell *b)
{
	double		pass_a = ((BfJoinCandidate *) lfirst(a))->estimate.pass;
	double		pass_b = ((BfJoinCandidate *) lfirst(b))->estimate.pass;

	if (pass_a != pass_b)
		return pass_a < pass_b ? -1 : 1;
	return by_order(a, b);
}

/*
 * Filters are numbered in the order of the plan, from the top down; of the
 * filters tested at one place, the filter that lets fewest rows pass comes
 * first.  Builds are added last, so that rows which another filter drops below a
 * Hash are not in that Hash's filter.  Handovers are added after all probes,
 * since these may end up below the same Gather.
 */
void
bf_join_add_filters(BfJoinOutcome *outcome)
{
	BfJoinStatement *statement = outcome->statement;
	List	   *handovers = NIL;
	int			number = 0;
	ListCell   *lc;

	list_sort(outcome->filters, by_order);
	foreach(lc, outcome->filters)
		specify(statement, lfirst(lc), ++number);
	list_sort(outcome->filters, by_pass);
	foreach(lc, outcome->filters)
		add_probes(statement, lfirst(lc), &handovers);
	foreach(lc, handovers)
		add_handover(statement, lfirst(lc));
	foreach(lc, outcome->filters)
		add_build(statement, lfirst(lc));
}
