/*-------------------------------------------------------------------------
 *
 * gain.c
 *		Whether a join filter is expected to pay.
 *
 * All numbers except the fraction of rows that pass are the plan's own.  A
 * filter saves, for each row that it drops, the cost of all nodes from the
 * test to the join.  It costs a test for each row there, and a hash for each
 * row that the join hashes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/transam.h"
#include "executor/hashjoin.h"
#include "executor/nodeHash.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "estimates/expression.h"
#include "joins/choice/gain.h"
#include "joins/choice/selectivity.h"
#include "joins/rules/nodes.h"
#include "joins/rules/places.h"
#include "joins/spec.h"
#include "settings.h"
#include "type/hashing/element.h"

/*
 * Fractions of rows that pass at which a filter breaks even, measured: if rows
 * only meet a hash table in the processor's cache above, and if they are
 * sorted, grouped, joined to something else or written to a file.
 */
#define MAX_PASS_PLAIN	0.4
#define MAX_PASS_DEAR	0.9

/*
 * The planner charges a row one operator for a lookup in a hash table in
 * memory.  A filter that breaks even at MAX_PASS_PLAIN saves that for the rest
 * of the rows: this is what its tests cost.
 */
#define TEST_COST		((1 - MAX_PASS_PLAIN) * cpu_operator_cost)

/*
 * The cost of a lookup grows with the hash table, and less with the filter,
 * which is some thirty times smaller.  Measured in nanoseconds on integers in
 * random order, for rows without a match, in the hash table and in the filter:
 * 28 and 5 for 300 rows, 37 and 10 for 1,000, 62 and 10 for 10,000, 233 and 23
 * for 100,000, 514 and 175 for a million.  Rows that pass disturb both: a
 * filter was seen to break even near 0.45, 0.5 and 0.7 for 300, 10,000 and
 * 100,000 values.  A filter breaks even there if each doubling of a hash table
 * beyond CACHED_BYTES adds DOUBLING_COST.
 */
#define CACHED_BYTES	(256.0 * 1024)
#define DOUBLING_COST	(0.25 * cpu_operator_cost)

/*
 * Hashing a key, keeping the hash and setting its bits takes as long as an
 * operator.
 */
#define BUILD_COST		cpu_operator_cost

/* The workers that a Parallel Hash may have, besides the leader. */
static int
parallel_workers(Plan *hash)
{
	return hash->parallel_aware ? max_parallel_workers_per_gather : 0;
}

/* ---------- costs ---------- */

/*
 * The size of a hash table.  False: the join writes parts of both sides to
 * files.
 */
static bool
stays_in_memory(Plan *hash, double *bytes)
{
	double		rows = bf_join_hashed_rows(hash);
	size_t		space;
	int			buckets;
	int			batches;
	int			skew;

	ExecChooseHashTableSize(rows, outerPlan(hash)->plan_width,
							OidIsValid(((Hash *) hash)->skewTable), hash->parallel_aware,
							parallel_workers(hash), &space, &buckets, &batches, &skew);
	*bytes = rows * (HJTUPLE_OVERHEAD + MAXALIGN(SizeofMinimalTupleHeader) +
					 MAXALIGN(outerPlan(hash)->plan_width)) + (double) buckets * sizeof(HashJoinTuple);
	return batches == 1;
}

static bool
fits_memory(Plan *store)
{
	double		key_bytes = store->parallel_aware ? BF_JOIN_FILTER_BYTES : BF_JOIN_KEY_BYTES;

	return bf_join_hashed_rows(store) * key_bytes <= bf_join_filter_max_bytes(parallel_workers(store) + 1);
}

/* The cost of looking up a row without a match in a hash table of this size. */
static Cost
probe_cost(double bytes)
{
	return cpu_operator_cost + DOUBLING_COST * Max(log2(bytes / CACHED_BYTES), 0);
}

/*
 * The cost of the join for rows of the tested side without a match, and the
 * fraction of passing rows at which a filter breaks even if no node on the way
 * is expensive.  The cost of comparing and returning rows is paid in any case.
 * A merge join compares a row once for each key.
 */
static Cost
join_cost(const BfJoinSides *sides, double *max_pass)
{
	const Plan *plan = &sides->join->plan;
	Plan	   *outer = outerPlan(plan);
	Plan	   *hash = innerPlan(plan);
	int			nkeys = list_length(bf_join_conditions(sides));
	double		bytes;

	if (IsA(plan, MergeJoin))
	{
		*max_pass = MAX_PASS_PLAIN;
		return cpu_operator_cost * nkeys * (*sides->tested)->plan_rows;
	}
	if (stays_in_memory(hash, &bytes))
	{
		*max_pass = Min(1 - TEST_COST / probe_cost(bytes), MAX_PASS_DEAR);
		return probe_cost(bytes) * nkeys * outer->plan_rows;
	}
	*max_pass = MAX_PASS_DEAR;
	return plan->total_cost - outer->total_cost - hash->total_cost -
		cpu_tuple_cost * plan->plan_rows;
}

/* The cost of evaluating, for a row, the keys that are expressions. */
static Cost
evaluation_cost(List *descents)
{
	Cost		result = 0;
	ListCell   *lc;

	foreach(lc, descents)
	{
		const BfJoinPlanKey *key = ((BfJoinDescent *) lfirst(lc))->key;
		QualCost	cost;

		cost_qual_eval_node(&cost, (Node *) key->outer, NULL);
		result += cost.per_tuple;
	}
	return result;
}

/* ---------- filters by hand ---------- */

/* Is the expression a test of the column by one of our functions? */
static bool
is_test(Node *expression, int relation, AttrNumber column)
{
	List	   *args;
	Oid			function = bf_called_function(expression, &args);
	BfFilterType type;
	int			filter;

	if (function < FirstNormalObjectId || list_length(args) < 2)
		return false;
	filter = bf_filter_argument(args);
	/* for other functions, do not even load the library */
	return bf_is_column(list_nth(args, 1 - filter), relation, column) &&
		bf_is_filter(exprType(list_nth(args, filter)), &type) &&
		bf_test_of(function) == BF_TEST_VALUE;
}

/*
 * Does a scan test the column by a filter that the user wrote into the query?
 * The planner knows how many rows that filter lets pass, but not that they are
 * the rows with a match, so it expects the join to drop the same fraction
 * again.
 */
static bool
is_tested_by_hand(const BfJoinTarget *target)
{
	Plan	   *plan = *target->place;
	int			relation;
	AttrNumber	column;
	ListCell   *lc;

	if (plan->qual == NIL || !bf_join_is_table_scan(plan))
		return false;
	relation = (int) ((Scan *) plan)->scanrelid;
	column = bf_join_passed_column(plan, target->column, relation);
	foreach(lc, plan->qual)
		if (is_test(lfirst(lc), relation, column))
			return true;
	return false;
}

static bool
any_is_tested_by_hand(List *descents)
{
	ListCell   *lc;
	ListCell   *lt;

	foreach(lc, descents)
		foreach(lt, ((BfJoinDescent *) lfirst(lc))->targets)
			if (is_tested_by_hand(lfirst(lt)))
				return true;
	return false;
}

/* ---------- the decision ---------- */

Cost
bf_join_rows_cost(double rows)
{
	return rows * cpu_tuple_cost;
}

/*
 * Another join may hash a small table, of whose rows many reach this join.  A
 * scan that returns few rows may skip many.
 */
static bool
tests_or_skips_enough(const BfJoinDescent *descent, const Plan *tested, Cost skipped_cost)
{
	return Max(descent->rows, tested->plan_rows) >= bf_join_filter_min_rows ||
		(skipped_cost > 0 && skipped_cost >= bf_join_rows_cost(bf_join_filter_min_rows));
}

/* A frequent value makes a small table dear to hash: the planner hashes the other. */
static BfJoinReason
why_too_few(double hashed_rows)
{
	return hashed_rows >= bf_join_filter_min_rows ? BF_JOIN_HASHES_LARGER : BF_JOIN_FEW_TESTED;
}

double
bf_join_gain(const BfJoinEstimate *estimate, double left_at_place, double left_at_join)
{
	double		above = estimate->cost_above * left_at_place + estimate->join_cost * left_at_join;

	above += estimate->skipped_cost * left_at_place;
	return (1 - estimate->pass) * above - estimate->test_cost * left_at_place -
		estimate->build_cost;
}

bool
bf_join_pays(PlannedStmt *stmt, const BfJoinSides *sides, List *descents, Cost skipped_cost,
			 double hashed_left, BfJoinEstimate *result)
{
	const BfJoinDescent *descent = linitial(descents);
	int			nkeys = list_length(descents);
	Plan	   *store = sides->store;

	result->hashed_rows = bf_join_hashed_rows(store);
	result->pass = hashed_left * bf_join_pass_fraction(stmt, sides, descents);
	result->cost_above = descent->cost_above;
	result->join_cost = join_cost(sides, &result->max_pass);
	if (descent->saves_more)
		result->max_pass = MAX_PASS_DEAR;
	result->test_cost = (nkeys * TEST_COST + evaluation_cost(descents)) * descent->rows;
	result->build_cost = nkeys * BUILD_COST * outerPlan(store)->plan_rows * hashed_left;
	result->skipped_cost = skipped_cost;
	result->spent = result->test_cost + result->build_cost;
	result->gain = bf_join_gain(result, 1, 1);

	if (!tests_or_skips_enough(descent, *sides->tested, skipped_cost))
		result->refusal = why_too_few(result->hashed_rows);
	else if (result->gain <= 0)
		result->refusal = BF_JOIN_NO_GAIN;
	else if (!fits_memory(store))
		result->refusal = BF_JOIN_TOO_MANY_KEYS;
	else if (any_is_tested_by_hand(descents))
		result->refusal = BF_JOIN_TESTED_BY_HAND;
	else
		result->refusal = BF_JOIN_ALLOWED;
	return result->refusal == BF_JOIN_ALLOWED;
}
