/*-------------------------------------------------------------------------
 *
 * plan.c
 *		Adds join filters to finished plans.
 *
 * The planner plans as it always does, but for joins with foreign tables (see
 * remote.c).  In the plan that it returns, hash joins are looked for that may
 * have a filter and are expected to gain from it; nodes are put in for these, and
 * nothing else changes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"

#include "compat.h"
#include "joins/join_filters.h"
#include "joins/planning/candidates.h"
#include "joins/planning/choice.h"
#include "joins/planning/plan.h"
#include "joins/planning/remote.h"
#include "joins/planning/remote_estimate.h"
#include "joins/planning/skipping.h"
#include "joins/planning/stability.h"
#include "settings.h"

static planner_hook_type previous_planner_hook = NULL;

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

/* ---------- mailboxes ---------- */

/*
 * One more executor parameter, which no expression refers to.  That is sound for
 * three reasons.  Gather sends the parameters of its initParam to workers, and
 * this one is the output of no sub-select, so never among them: a pointer stays in
 * its process.  EvalPlanQual copies values from the EState it is called in without
 * a look at their types: the filter's owner tells a probe that it is another
 * EState's.  And nothing sets or reads its bit in chgParam, so that handing a
 * filter over makes nobody scan again.
 */
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

/* The mailbox of a filter in the processes below a Gather. */
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

/* Test the rows of the i-th target by a filter, after those before. */
static void
add_probe(BfJoinStatement *statement, BfJoinCandidate *candidate, int i, List **handovers)
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

	/* only then is it asked for what it shares with workers */
	node->scan.plan.parallel_aware = true;
	foreach(lc, handover->specs)
		node->custom_private = lappend(node->custom_private,
									   bf_join_filter_spec_to_list(lfirst(lc)));
}

/*
 * A join that expects its outer side to return a first row for less than it costs
 * to hash the inner side asks for that row first, to be spared hashing if there is
 * none (ExecHashJoinImpl()).  It compares these costs when it runs, and they are
 * true: with the filter, no row comes before all are hashed.  They stay below the
 * join's own.
 */
static void
hash_first(const HashJoin *join)
{
	Plan	   *outer = outerPlan(&join->join.plan);
	Plan	   *hash = innerPlan(&join->join.plan);

	outer->startup_cost = Max(outer->startup_cost, hash->total_cost);
	outer->total_cost = Max(outer->total_cost, outer->startup_cost);
}

/*
 * Is the filter to be complete before a row is read?  What a scan skips is decided
 * then, what keeps rows is filled, and workers are started.
 */
static bool
wants_to_hash_first(BfJoinStatement *statement, const BfJoinCandidate *candidate)
{
	ListCell   *lc;

	foreach(lc, candidate->descents)
		if (((BfJoinDescent *) lfirst(lc))->hash_first)
			return true;
	return candidate->spec.orders != NIL && bf_join_may_hash_first(statement, candidate->join);
}

static void
add_build(BfJoinStatement *statement, BfJoinCandidate *candidate)
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
	if (wants_to_hash_first(statement, candidate))
		hash_first(candidate->join);
}

/* ---------- filters ---------- */

/*
 * May rows of a group come from several processes to which the filter is handed
 * over?  None of them knows what the others have dropped.
 */
static bool
processes_share_groups(const BfJoinCandidate *candidate)
{
	ListCell   *lc;

	foreach(lc, ((BfJoinDescent *) linitial(candidate->descents))->targets)
	{
		const BfJoinTarget *target = lfirst(lc);

		if (target->gather != NULL && target->groups != BF_JOIN_GROUPS_NONE)
			return true;
	}
	return false;
}

/* Do the scans below any probe skip by a key? */
static bool
any_skips(const BfJoinDescent *descent)
{
	ListCell   *lc;

	foreach(lc, descent->targets)
		if (((BfJoinTarget *) lfirst(lc))->skips != NIL)
			return true;
	return false;
}

/* How the keys are kept in order by which scans skip; NIL: none do. */
static List *
key_orders(const BfJoinCandidate *candidate)
{
	List	   *result = NIL;
	bool		any = false;
	ListCell   *lk;
	ListCell   *ld;

	forboth(lk, candidate->keys, ld, candidate->descents)
	{
		bool		skips = any_skips(lfirst(ld));

		result = lappend_oid(result, skips ? bf_join_key_order(lfirst(lk)) : InvalidOid);
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
	/* at 1, a filter is never switched off: no process may do so alone */
	spec->max_pass = processes_share_groups(candidate) ? 1 : candidate->estimate.max_pass;
	foreach(lc, candidate->keys)
	{
		BfJoinPlanKey *key = lfirst(lc);

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
 * Put in the nodes of the best candidates.  Their numbers follow the plan,
 * from the top down; of those that are tested at one place the one that lets
 * fewest rows pass comes first.  Builds last, so that rows that another
 * filter drops below a Hash are not in its own; and what hands filters over
 * after all probes, since these may come to stand below the same Gather.
 */
static void
add_filters(BfJoinStatement *statement, List *candidates)
{
	List	   *handovers = NIL;
	int			number = 0;
	ListCell   *lc;

	candidates = bf_join_choose(candidates);
	list_sort(candidates, by_order);
	foreach(lc, candidates)
		specify(statement, lfirst(lc), ++number);
	list_sort(candidates, by_pass);
	foreach(lc, candidates)
		add_probes(statement, lfirst(lc), &handovers);
	foreach(lc, handovers)
		add_handover(statement, lfirst(lc));
	foreach(lc, candidates)
		add_build(statement, lfirst(lc));
}

void
bf_join_add_filters(PlannedStmt *stmt, int cursor_options, List **verdicts)
{
	BfJoinStatement statement = {.stmt = stmt};

	if (!bf_join_has_hash_join(stmt))
		return;
	bf_join_learn_statement(&statement);
	bf_join_learn_stability(&statement);
	add_filters(&statement, bf_join_find_candidates(&statement, cursor_options, verdicts));
}

static PlannedStmt *
plan_with_join_filters(BF_PLANNER_PARAMETERS)
{
	planner_hook_type planner = previous_planner_hook ? previous_planner_hook : standard_planner;
	PlannedStmt *stmt;

	if (bf_join_filters == BF_JOIN_FILTERS_OFF)
		return planner(BF_PLANNER_ARGUMENTS);
	stmt = bf_remote_plan(BF_PLANNER_ARGUMENTS, planner, NULL);
	bf_join_add_filters(stmt, cursor_options, NULL);
	return stmt;
}

void
bf_join_filters_init(void)
{
	RegisterCustomScanMethods(&bf_join_build_methods);
	RegisterCustomScanMethods(&bf_join_probe_methods);
	RegisterCustomScanMethods(&bf_join_handover_methods);
	previous_planner_hook = planner_hook;
	planner_hook = plan_with_join_filters;
	bf_remote_estimate_init();
}
