/*-------------------------------------------------------------------------
 *
 * filter.c
 *		What is known of a filter when a query is planned.
 *
 * - A constant, or a parameter of a custom plan, which the planner turns into
 *	 a constant: the filter itself is examined.  The server has already read
 *	 and copied the whole filter, once for each time that the query uses it,
 *	 however large it is: docs/benchmarks.md says what that costs, and
 *	 docs/cookbook/speed-up-queries.md what to do about it.  Nothing is copied
 *	 here, and of a large filter only a sample of the blocks is read.
 *
 * - The result of a sub-select that runs before the query, an InitPlan: the
 *	 rows of its bloom_agg are estimated.  If the sub-select reads or combines
 *	 stored filters, or returns a constant, the other two cases apply; if it
 *	 combines those of other sub-selects, what is known of the first.
 *
 * - A column: its filters are assumed to have their average size and to be
 *	 full.
 *
 * Unlike in the server's own estimators, stable functions are not called: they
 * may raise an error, or read a large filter for each estimate.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "compat.h"
#include "estimates/column.h"
#include "estimates/expression.h"
#include "estimates/filter.h"
#include "type/hashing/element.h"
#include "type/hashing/symbol.h"
#include "type/sql/info.h"
#include "type/sql/params.h"

/*
 * Bits per value in a full filter with the default rate: core/sizing.c gives
 * 9.93 from some thousand values on.
 */
#define BITS_PER_ITEM	10

static void
estimate_constant(const Const *constant, BfFilterType type, BfFilterEstimate *estimate)
{
	struct varlena *flat = (struct varlena *) DatumGetPointer(constant->constvalue);
	BfHeader	header;

	/* the server has detoasted constants; the executor reports a damaged one */
	if (constant->constisnull || VARATT_IS_EXTERNAL(flat) || VARATT_IS_COMPRESSED(flat) ||
		bf_validate(type, (const uint8_t *) VARDATA_ANY(flat), VARSIZE_ANY_EXHDR(flat),
					&header) != NULL)
		return;
	bf_view_open(type, &estimate->view, constant->constvalue);
	estimate->is_open = true;
	estimate->known = true;
	bf_estimate_fill(&estimate->view, &estimate->items, &estimate->rate);
}

static void
estimate_column(PlannerInfo *root, Node *filter, BfFilterType type, BfFilterEstimate *estimate)
{
	BfColumn	column;
	double		bits_per_item = (double) BITS_PER_ITEM * bf_block_bytes(type) / BF_BLOCK_BYTES;

	if (!bf_examine_column(root, filter, &column) || column.bytes == 0)
		return;
	estimate->known = true;
	estimate->items = Max(column.bytes - BF_HEADER_BYTES, 0) * 8 / bits_per_item;
	estimate->rate = BF_DEFAULT_RATE;
}

/* ---------- sub-selects ---------- */

static void estimate_init_plan(PlannerInfo *root, const Param *param, BfFilterType type,
							   BfFilterEstimate *estimate);

/* Is this bloom_agg or counting_bloom_agg? */
static bool
is_bloom_agg(const Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	const char *symbol;

	if (!HeapTupleIsValid(tuple))
		return false;
	symbol = bf_symbol(((Form_pg_aggregate) GETSTRUCT(tuple))->aggtransfn);
	ReleaseSysCache(tuple);
	return strcmp(symbol, "bloomfilter_agg_transfn") == 0 ||
		strcmp(symbol, "counting_bloomfilter_agg_transfn") == 0;
}

static bool
is_from_init_plan(const Node *node)
{
	return IsA(node, Param) && ((const Param *) node)->paramkind == PARAM_EXEC;
}

/*
 * Find the source of the filter that an expression returns: the first
 * bloom_agg, column of filters, or sub-select for a filter, in it.
 */
static bool
find_source(Node *node, void *result)
{
	Node	  **source = result;
	BfFilterType type;

	if (node == NULL)
		return false;
	if ((IsA(node, Aggref) && is_bloom_agg((Aggref *) node)) ||
		((IsA(node, Var) || is_from_init_plan(node)) &&
		 bf_is_filter(getBaseType(exprType(node)), &type)))
	{
		*source = node;
		return true;
	}
	return expression_tree_walker(node, BF_WALKER(find_source), result);
}

/*
 * The false positive rate argument of a bloom_agg if it is a constant,
 * otherwise the default.  Columns of ORDER BY may follow the arguments.
 */
static double
aggregate_rate(const Aggref *aggref)
{
	const int	argno = 2;
	TargetEntry *entry;
	Const	   *constant;
	double		rate;

	if (list_length(aggref->args) <= argno)
		return BF_DEFAULT_RATE;
	entry = list_nth_node(TargetEntry, aggref->args, argno);
	constant = (Const *) entry->expr;
	if (entry->resjunk || !IsA(constant, Const) || constant->constisnull ||
		constant->consttype != FLOAT8OID)
		return BF_DEFAULT_RATE;
	rate = DatumGetFloat8(constant->constvalue);
	return rate > 0 && rate < 1 ? rate : BF_DEFAULT_RATE;
}

/*
 * The input rows of the lowest aggregation of a plan whose nodes down to there
 * have one child each.  The rows of a partial aggregation are those of one
 * worker.
 */
static double
aggregated_rows(Plan *plan)
{
	double		rows = 0;
	double		processes = 1;

	for (; plan != NULL && outerPlan(plan) != NULL && innerPlan(plan) == NULL;
		 plan = outerPlan(plan))
	{
		if (IsA(plan, Gather))
			processes = ((Gather *) plan)->num_workers + 1;
		else if (IsA(plan, GatherMerge))
			processes = ((GatherMerge *) plan)->num_workers + 1;
		else if (IsA(plan, Agg))
			rows = outerPlan(plan)->plan_rows * processes;
	}
	return rows;
}

/* Estimate the number of distinct values that a plan's bloom_agg aggregates. */
static void
estimate_aggregate(PlannerInfo *root, Plan *plan, const Aggref *aggref,
				   BfFilterEstimate *estimate)
{
	double		rows = aggregated_rows(plan);
	List	   *values;

	if (rows <= 0 || aggref->args == NIL)
		return;
	values = list_make1(linitial_node(TargetEntry, aggref->args)->expr);
	estimate->known = true;
	estimate->items = estimate_num_groups(root, values, rows, NULL, NULL);
	estimate->rate = aggregate_rate(aggref);
}

/* Estimate the filter that a planned sub-select will return. */
static void
estimate_result(PlannerInfo *root, Plan *plan, Node *filter, BfFilterType type,
				BfFilterEstimate *estimate)
{
	Node	   *source = NULL;

	filter = bf_strip_expression(filter);
	if (IsA(filter, Const))
		estimate_constant((Const *) filter, type, estimate);
	else if (find_source(filter, &source))
	{
		if (IsA(source, Aggref))
			estimate_aggregate(root, plan, (Aggref *) source, estimate);
		else
		{
			/* the expression may cast the source to the other type */
			(void) bf_is_filter(getBaseType(exprType(source)), &type);
			if (IsA(source, Param))
				estimate_init_plan(root, (Param *) source, type, estimate);
			else
				estimate_column(root, source, type, estimate);
		}
	}
}

/* Find the InitPlan that sets the parameter, and estimate its result. */
static void
estimate_init_plan(PlannerInfo *root, const Param *param, BfFilterType type,
				   BfFilterEstimate *estimate)
{
	ListCell   *lc;

	for (; root != NULL; root = root->parent_root)
		foreach(lc, root->init_plans)
		{
			SubPlan    *subplan = lfirst_node(SubPlan, lc);
			Plan	   *plan = list_nth(root->glob->subplans, subplan->plan_id - 1);
			ListCell   *column;
			ListCell   *output;

			forboth(output, subplan->setParam, column, plan->targetlist)
				if (lfirst_int(output) == param->paramid)
				{
					estimate_result(list_nth(root->glob->subroots, subplan->plan_id - 1), plan,
									(Node *) lfirst_node(TargetEntry, column)->expr, type, estimate);
					return;
				}
		}
}

/* ---------- any filter ---------- */

void
bf_estimate_filter(PlannerInfo *root, Node *filter, BfFilterEstimate *estimate)
{
	BfFilterType type;

	memset(estimate, 0, sizeof(*estimate));
	/*
	 * any user can create an operator with our estimators and other arguments
	 */
	if (!bf_is_filter(exprType(filter), &type))
		return;
	filter = bf_strip_expression(filter);
	if (IsA(filter, Const))
		estimate_constant((Const *) filter, type, estimate);
	else if (is_from_init_plan(filter))
		estimate_init_plan(root, (Param *) filter, type, estimate);
	else
		estimate_column(root, filter, type, estimate);
}

void
bf_estimate_filter_end(BfFilterEstimate *estimate)
{
	if (estimate->is_open)
		bf_view_close(&estimate->view);
}
