/*-------------------------------------------------------------------------
 *
 * candidates.c
 *		The filters that the joins of a statement may have.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/parsenodes.h"
#include "optimizer/clauses.h"
#include "utils/lsyscache.h"

#include "estimates/expression.h"
#include "joins/choice/candidates.h"
#include "joins/choice/selectivity.h"
#include "joins/choice/skipping.h"
#include "joins/rules/nodes.h"
#include "joins/rules/stability.h"
#include "joins/rules/steady.h"
#include "settings.h"

typedef struct SearchContext
{
	BfJoinStatement *statement;
	List	   *candidates;
	Bitmapset  *few;			/* sub-selects perhaps not read to the end */
	List	  **verdicts;		/* to return verdicts in; NULL: not wanted */
} SearchContext;

/* What a node's place in the plan means for it. */
typedef struct Surroundings
{
	/*
	 * Are rows read only until there are a few, as below Limit?  False below a
	 * node that reads all rows before it returns the first.
	 */
	bool		wants_few_rows;

	/* May it be run more than once in one execution of the plan? */
	bool		runs_again;

	/* Do several processes run it, independently except for shared state? */
	bool		below_gather;
} Surroundings;

static void
visit_has_join(Plan *plan, void *found)
{
	if (bf_join_has_sides(plan))
		*(bool *) found = true;
}

static bool
has_join(PlannedStmt *stmt)
{
	bool		found = false;

	bf_join_walk_statement(stmt, visit_has_join, &found);
	return found;
}

/* ---------- joins ---------- */

/*
 * Would the hash functions raise an error for every value of a key, because
 * the collations of its sides differ?  The join itself raises no error if it
 * has no row to call them for.
 */
static bool
lacks_collation(const Node *outer, const Node *inner, Oid collation)
{
	return !OidIsValid(collation) &&
		(type_is_collatable(exprType(outer)) || type_is_collatable(exprType(inner)));
}

/*
 * Record a verdict on a key, or on all keys of a join, if verdicts are wanted.
 */
static BfJoinVerdict *
tell(SearchContext *context, const Join *join, int key, BfJoinReason refusal)
{
	BfJoinVerdict *verdict;

	if (context->verdicts == NULL)
		return NULL;
	verdict = palloc0(sizeof(BfJoinVerdict));
	verdict->join = join;
	verdict->key = key;
	verdict->refusal = refusal;
	*context->verdicts = lappend(*context->verdicts, verdict);
	return verdict;
}

static BfJoinReason
key_refusal(BfJoinStatement *statement, const BfJoinPlanKey *key)
{
	if (key->refusal != BF_JOIN_ALLOWED)
		return key->refusal;
	/* the join's outer child need not be told of changes */
	if (pull_paramids(key->outer) != NULL)
		return BF_JOIN_KEY_PARAMETER;
	if (!op_strict(key->operator))
		return BF_JOIN_NOT_STRICT;
	if (lacks_collation((Node *) key->outer, (Node *) key->inner, key->collation))
		return BF_JOIN_NO_COLLATION;
	return bf_join_expression_is_calm(statement, (Node *) key->inner) ?
		BF_JOIN_ALLOWED : BF_JOIN_VOLATILE_KEY;
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

static BfJoinCandidate *
find_candidate(List *candidates, const BfJoinDescent *descent)
{
	ListCell   *lc;

	foreach(lc, candidates)
	{
		BfJoinCandidate *candidate = lfirst(lc);

		if (same_places(linitial(candidate->descents), descent))
			return candidate;
	}
	return NULL;
}

/*
 * Add a key to the candidates.  Columns that reach the same places are tested
 * together.
 *
 * The join evaluates and hashes the keys of a row one after the other, up to
 * the first NULL.  An expression, or a user-defined hash function, may raise
 * an error for a row for which the join does not call it: so it is called only
 * after all keys before it.
 */
static void
add_key(SearchContext *context, List **candidates, const BfJoinSides *sides,
		BfJoinDescent *descent)
{
	const BfJoinPlanKey *key = descent->key;
	BfJoinCandidate *candidate = find_candidate(*candidates, descent);
	int			before = candidate == NULL ? 0 : list_length(candidate->descents);
	BfJoinVerdict *verdict;

	if (before < key->number &&
		(key->column == 0 || !IsA(bf_strip_relabel(key->inner), Var) ||
		 !bf_join_hash_is_harmless(key->operator)))
	{
		(void) tell(context, sides->join, key->number, BF_JOIN_BEHIND_OTHER_KEY);
		return;
	}
	if (candidate == NULL)
	{
		candidate = palloc0(sizeof(BfJoinCandidate));
		candidate->sides = *sides;
		*candidates = lappend(*candidates, candidate);
	}
	candidate->descents = lappend(candidate->descents, descent);
	verdict = tell(context, sides->join, key->number, BF_JOIN_ALLOWED);
	if (verdict != NULL)
	{
		verdict->candidate = candidate;
		verdict->descent = descent;
	}
}

static List *
join_candidates(SearchContext *context, const BfJoinSides *sides, const BfJoinLimits *limits)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, bf_join_keys(sides))
	{
		const BfJoinPlanKey *key = lfirst(lc);
		BfJoinReason refusal = key_refusal(context->statement, key);
		BfJoinDescent *descent;

		if (refusal == BF_JOIN_ALLOWED)
			refusal = bf_join_descend(context->statement, sides, key, limits, &descent);
		if (refusal == BF_JOIN_ALLOWED)
			add_key(context, &result, sides, descent);
		else
			(void) tell(context, sides->join, key->number, refusal);
	}
	return result;
}

static void
visit_rows(Plan *plan, void *rows)
{
	*(double *) rows = Max(*(double *) rows, plan->plan_rows);
}

/*
 * Can there be a place with enough rows, or scans of so many rows that could
 * be skipped?  Most joins are rejected by this test alone.
 */
static bool
may_test_or_skip_enough(const BfJoinSides *sides)
{
	Plan	   *tested = *sides->tested;
	double		rows = 0;

	if (bf_join_skip && tested->total_cost >= bf_join_rows_cost(bf_join_filter_min_rows))
		return true;
	bf_join_walk(tested, visit_rows, &rows);
	return rows >= bf_join_filter_min_rows;
}

/*
 * Find what the scans below a filter can skip, for which it must be complete
 * before the first row; returns the cost that this saves.
 */
static Cost
find_skips(BfJoinStatement *statement, BfJoinCandidate *candidate, const BfJoinLimits *limits)
{
	double		hashed_rows = bf_join_hashed_rows(candidate->sides.store);
	Cost		result = 0;
	ListCell   *lc;

	foreach(lc, candidate->descents)
	{
		BfJoinDescent *descent = lfirst(lc);

		bf_join_find_skips(statement, descent, foreach_current_index(lc), hashed_rows,
						   !limits->first_row_untested);
		descent->hash_first |= limits->may_hash_first && bf_join_any_skips(descent);
		result += bf_join_skipped_cost(descent);
	}
	return result;
}

/*
 * The fraction of the rows that a join hashes which the filters of the joins
 * above it let pass.  The planner does not know of filters: it expects the
 * join to hash all rows.  The number of different keys is expected to decrease
 * like that of the rows.
 */
static double
hashed_fraction(const SearchContext *context, const Join *join)
{
	double		result = 1;
	ListCell   *lc;

	foreach(lc, context->candidates)
	{
		const BfJoinCandidate *candidate = lfirst(lc);
		const BfJoinDescent *descent = linitial(candidate->descents);

		if (list_member_ptr(descent->fewer_hashed, join))
			result *= candidate->estimate.pass;
	}
	return result;
}

/*
 * The limits of the search for places in a join's tested side; changes: may
 * other rows be hashed when it runs again?
 */
static BfJoinLimits
join_limits(BfJoinStatement *statement, const BfJoinSides *sides, const Surroundings *around,
			bool changes)
{
	bool		force = bf_join_filters == BF_JOIN_FILTERS_FORCE;
	bool		shared = sides->store->parallel_aware;
	bool		row_first = bf_join_fetches_row_first(sides);
	BfJoinLimits result;

	result.may_hash_first = row_first && bf_join_may_hash_first(statement, sides);
	result.first_row_untested = row_first && !result.may_hash_first;
	/*
	 * the first row may fill a store untested; a Parallel Hash rarely comes
	 * that late
	 */
	result.not_below_stores = changes || (!force && result.first_row_untested && !shared);
	result.not_below_lookahead = !force && around->wants_few_rows;
	/* the outer side of a merge join may be a part of the rows in each process */
	result.differs_by_process = around->below_gather && !shared &&
		(sides->tested == &innerPlan(&sides->join->plan) ||
		 bf_join_stability(statement, sides->store) == BF_JOIN_STABLE);
	result.runs_again = around->runs_again;
	return result;
}

/* The first rule that forbids a join any filter; sets its limits. */
static BfJoinReason
examine_join(BfJoinStatement *statement, const BfJoinSides *sides, const Surroundings *around,
			 BfJoinLimits *limits)
{
	BfJoinReason refusal = bf_join_refusal(statement, sides, around->runs_again);
	bool		changes;

	if (refusal != BF_JOIN_ALLOWED)
		return refusal;
	changes = around->runs_again &&
		bf_join_stability(statement, sides->store) < BF_JOIN_REPEATABLE;
	if (changes && sides->store->parallel_aware)
		return BF_JOIN_CHANGES_SHARED;
	*limits = join_limits(statement, sides, around, changes);
	return BF_JOIN_ALLOWED;
}

/* Add the filters of a join that are allowed and expected to pay. */
static void
consider_join(SearchContext *context, Plan *plan, const Surroundings *around)
{
	bool		force = bf_join_filters == BF_JOIN_FILTERS_FORCE;
	BfJoinStatement *statement = context->statement;
	BfJoinSides sides;
	BfJoinLimits limits;
	BfJoinReason refusal = bf_join_find_sides(plan, &sides);
	ListCell   *lc;

	if (refusal == BF_JOIN_ALLOWED)
	{
		if (!force && context->verdicts == NULL && !may_test_or_skip_enough(&sides))
			return;
		refusal = examine_join(statement, &sides, around, &limits);
	}
	if (refusal != BF_JOIN_ALLOWED)
	{
		(void) tell(context, sides.join, -1, refusal);
		return;
	}
	foreach(lc, join_candidates(context, &sides, &limits))
	{
		BfJoinCandidate *candidate = lfirst(lc);
		Cost		skipped = find_skips(statement, candidate, &limits);
		bool		pays = bf_join_pays(statement->stmt, &sides, candidate->descents, skipped,
										hashed_fraction(context, sides.join), &candidate->estimate);

		if (pays || force)
		{
			candidate->order = list_length(context->candidates);
			candidate->wants_few_rows = around->wants_few_rows;
			context->candidates = lappend(context->candidates, candidate);
		}
	}
}

/* The surroundings of a node's children, given those of the node. */
static Surroundings
surroundings_below(const Plan *plan, const Surroundings *around)
{
	Surroundings result = *around;

	if (IsA(plan, Limit))
	{
		const Limit *limit = (const Limit *) plan;

		result.wants_few_rows = true;
		/* when a cursor rewinds, a Sort for another number of rows reads them again */
		result.runs_again |= !bf_join_is_steady(limit->limitOffset) ||
			!bf_join_is_steady(limit->limitCount);
	}
	else if (IsA(plan, Sort) || IsA(plan, Hash) ||
			 (IsA(plan, Agg) && ((const Agg *) plan)->aggstrategy != AGG_SORTED))
		result.wants_few_rows = false;
	result.below_gather |= IsA(plan, Gather) || IsA(plan, GatherMerge);
	return result;
}

/*
 * Note the sub-selects of which a few rows may be enough.  A sub-select that
 * must return one row is read up to the second row, and most others to their
 * end.  This does not hold for EXISTS, nor for sub-selects in expressions,
 * which may be of any kind.  Whether a CTE is read to its end depends on its
 * readers, which are found after it.
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
	if (bf_join_has_sides(plan))
		consider_join(context, plan, around);
	/* what is below a foreign scan is for EvalPlanQual only */
	if (IsA(plan, ForeignScan))
		return;
	below = surroundings_below(plan, around);
	/* a custom scan may run the nodes below it in any way */
	below.runs_again |= IsA(plan, CustomScan);
	inner = below;
	inner.runs_again |= IsA(plan, NestLoop) || IsA(plan, RecursiveUnion);
	search(context, outerPlan(plan), &below);
	search(context, innerPlan(plan), &inner);
	foreach(lc, bf_join_other_children(plan))
		search(context, lfirst(lc), &below);
}

/* A sub-select precedes in the list those that read it or contain it. */
static void
search_subplans(SearchContext *context)
{
	int			id;

	for (id = list_length(context->statement->stmt->subplans); id > 0; id--)
	{
		Surroundings around = {
			.wants_few_rows = bms_is_member(id, context->few),
			.runs_again = !bms_is_member(id, context->statement->run_once)
		};

		search(context, bf_join_sub_select(context->statement, id), &around);
	}
}

List *
bf_join_find_candidates(BfJoinStatement *statement, int cursor_options, List **verdicts)
{
	SearchContext context = {.statement = statement, .verdicts = verdicts};
	Surroundings of_plan = {.wants_few_rows = (cursor_options & CURSOR_OPT_FAST_PLAN) != 0};

	if (!has_join(statement->stmt))
		return NIL;
	bf_join_learn_statement(statement);
	bf_join_learn_stability(statement);
	if (statement->stmt->subplans != NIL)
		context.few = bms_add_range(NULL, 1, list_length(statement->stmt->subplans));
	search(&context, statement->stmt->planTree, &of_plan);
	search_subplans(&context);
	return context.candidates;
}
