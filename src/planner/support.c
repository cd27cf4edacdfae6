/*-------------------------------------------------------------------------
 *
 * support.c
 *		What the planner is told: how many rows a test lets through, and what
 *		it costs.
 *
 * A test of a column against a filter lets through the rows whose value is in
 * the filter, and false positives among the others.  If the filter is known
 * when the query is planned, it is asked: how many values it holds, how often
 * it errs, and which of the column's most common values it contains.  If it
 * is going to be built by bloom_agg in a sub-select that runs first, the
 * estimate of the rows that will be aggregated stands in for it.
 *
 * Nothing here may raise an error or take long: large filters are sampled,
 * filters out of line are judged by their header, and types that cannot be
 * tested are left for the executor to refuse.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "type/aggregate.h"
#include "type/compatible.h"
#include "type/contains.h"
#include "type/element.h"
#include "type/info.h"
#include "type/params.h"
#include "type/toast.h"
#include "type/view.h"

BF_SQL_FUNCTION(bloomfilter_contains_support);
BF_SQL_FUNCTION(bloomfilter_contains_sel);
BF_SQL_FUNCTION(bloomfilter_contains_joinsel);

/*
 * Where nothing is known: a pre-filter is used to throw away most rows.
 */
#define DEFAULT_SELECTIVITY	0.1

/* For arrays of unknown length: as if of ten elements and of two. */
#define DEFAULT_ANY_SELECTIVITY	(1 - pow(1 - DEFAULT_SELECTIVITY, 10))
#define DEFAULT_ALL_SELECTIVITY	(DEFAULT_SELECTIVITY * DEFAULT_SELECTIVITY)

/*
 * A test costs about two integer comparisons (docs/benchmarks.md); reading
 * the parts of a filter out of line, some 11 microseconds, about as much as
 * scanning 250 rows, 3 units.
 */
#define TEST_COST		(2 * cpu_operator_cost)
#define STORED_COST		3.0

/* What the planner knows of a filter. */
typedef struct FilterEstimate
{
	bool		known;
	double		items;			/* distinct values in it */
	double		rate;			/* false positive rate */
	const BfView *view;			/* to test values with, or NULL */
} FilterEstimate;

/* ---------- the filter ---------- */

/* The C function behind an SQL function: that tells which one it is. */
static PGFunction
implementation(Oid function)
{
	FmgrInfo	finfo;

	fmgr_info(function, &finfo);
	return finfo.fn_addr;
}

/* A filter in a TOAST table: taken to be as full as it was made to be. */
static void
estimate_stored(struct varlena *pointer, FilterEstimate *result)
{
	struct varlena *start = bf_toast_slice(pointer, 0, BF_HEADER_SLICE);
	BfHeader	header;

	if (bf_header_read((const uint8_t *) VARDATA(start), bf_toast_payload_length(pointer),
					   &header) == NULL)
	{
		result->known = true;
		result->items = header.representation == BF_DENSE ?
			(double) header.capacity : (double) header.count;
		result->rate = header.rate;
	}
	pfree(start);
}

/* Is this an aggregate of ours over values, as opposed to filters? */
static bool
is_bloom_agg(const Aggref *aggref)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggref->aggfnoid));
	Oid			transfn;

	if (!HeapTupleIsValid(tuple))
		return false;
	transfn = ((Form_pg_aggregate) GETSTRUCT(tuple))->aggtransfn;
	ReleaseSysCache(tuple);
	return transfn >= FirstNormalObjectId &&
		implementation(transfn) == bloomfilter_agg_transfn;
}

/* The first bloom_agg in a target list, or NULL. */
static Aggref *
find_bloom_agg(List *targetlist)
{
	List	   *parts = pull_var_clause((Node *) targetlist,
										PVC_INCLUDE_AGGREGATES | PVC_RECURSE_WINDOWFUNCS |
										PVC_RECURSE_PLACEHOLDERS);
	ListCell   *lc;

	foreach(lc, parts)
	{
		Node	   *part = lfirst(lc);

		if (IsA(part, Aggref) && is_bloom_agg((Aggref *) part))
			return (Aggref *) part;
	}
	return NULL;
}

/*
 * The false positive rate that a bloom_agg is given, if it is a constant, or
 * the default.  Behind the arguments there may be columns to order by.
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
 * The rows that go into the lowest aggregation of a plan, which consists of
 * nodes with one child down to there.  The rows of a partial aggregation are
 * those of one worker.
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

/*
 * A filter that an InitPlan is going to make: find its plan, and how many
 * distinct values will go into its bloom_agg.
 */
static void
estimate_init_plan(PlannerInfo *root, const Param *param, FilterEstimate *result)
{
	ListCell   *lc;

	for (; root != NULL; root = root->parent_root)
		foreach(lc, root->init_plans)
		{
			SubPlan    *subplan = lfirst_node(SubPlan, lc);
			Plan	   *plan;
			Aggref	   *aggref;
			double		rows;
			List	   *values;

			if (!list_member_int(subplan->setParam, param->paramid))
				continue;
			plan = list_nth(root->glob->subplans, subplan->plan_id - 1);
			rows = aggregated_rows(plan);
			aggref = find_bloom_agg(plan->targetlist);
			if (rows <= 0 || aggref == NULL || aggref->args == NIL)
				return;

			values = list_make1(linitial_node(TargetEntry, aggref->args)->expr);
			result->known = true;
			result->items = estimate_num_groups(list_nth(root->glob->subroots,
														 subplan->plan_id - 1),
												values, rows, NULL, NULL);
			result->rate = aggregate_rate(aggref);
			return;
		}
}

/*
 * Find out what there is to know of a filter.  The view, if one is used, must
 * be closed by the caller if result->view is set.
 */
static void
estimate_filter(PlannerInfo *root, Node *filter, BfView *view, FilterEstimate *result)
{
	memset(result, 0, sizeof(*result));
	/* anyone can make an operator with our estimators and other arguments */
	if (!bf_is_bloomfilter(exprType(filter)))
		return;
	filter = estimate_expression_value(root, filter);

	if (IsA(filter, Const) && !((Const *) filter)->constisnull)
	{
		Datum		value = ((Const *) filter)->constvalue;

		if (VARATT_IS_EXTERNAL_ONDISK(DatumGetPointer(value)))
			estimate_stored((struct varlena *) DatumGetPointer(value), result);
		else
		{
			bf_view_open(view, value);
			result->known = true;
			result->view = view;
			bf_estimate_fill(view, &result->items, &result->rate);
		}
	}
	else if (IsA(filter, Param) && ((Param *) filter)->paramkind == PARAM_EXEC)
		estimate_init_plan(root, (Param *) filter, result);
}

/* ---------- the values ---------- */

/*
 * The parts of a column that its most common values make up: all of them
 * together, and those that the filter contains.  Zero if they cannot be
 * tested without the risk of an error.
 */
static void
test_common_values(VariableStatData *vardata, const FilterEstimate *filter, Oid function,
				   Oid collation, double *all, double *contained, int *ncontained)
{
	AttStatsSlot slot;
	BfElement	element;
	int			i;

	*all = *contained = 0;
	*ncontained = 0;
	if (filter->view == NULL || !HeapTupleIsValid(vardata->statsTuple) ||
		!statistic_proc_security_check(vardata, function) ||
		!bf_element_init_plain(&element, vardata->atttype, collation) ||
		!bf_family_accepts(&filter->view->header, &element) ||
		!get_attstatsslot(&slot, vardata->statsTuple, STATISTIC_KIND_MCV, InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return;

	for (i = 0; i < slot.nvalues; i++)
	{
		uint64_t	hash = bf_hash_value(&element, bf_strips_blanks(&filter->view->header),
										 slot.values[i], (uint64_t) filter->view->header.seed);

		*all += slot.numbers[i];
		if (bf_view_contains(filter->view, hash))
		{
			*contained += slot.numbers[i];
			(*ncontained)++;
		}
	}
	free_attstatsslot(&slot);
}

/* Which of a test's two arguments is the filter. */
static int
filter_argument(List *args)
{
	return bf_is_bloomfilter(exprType(linitial(args))) ? 0 : 1;
}

/*
 * The part of a column's rows that a filter lets through.  The values of the
 * filter are taken to be values of the column, as in a join on a key.
 */
static Selectivity
column_selectivity(PlannerInfo *root, Node *value, int varRelid, const FilterEstimate *filter,
				   Oid function, Oid collation)
{
	VariableStatData vardata;
	bool		isdefault;
	double		ndistinct;
	double		nullfrac = 0;
	double		common;
	double		contained;
	int			ncontained;
	double		members;
	Selectivity result = DEFAULT_SELECTIVITY;

	examine_variable(root, value, varRelid, &vardata);
	ndistinct = get_variable_numdistinct(&vardata, &isdefault);
	if (!isdefault && ndistinct >= 1)
	{
		if (HeapTupleIsValid(vardata.statsTuple))
			nullfrac = ((Form_pg_statistic) GETSTRUCT(vardata.statsTuple))->stanullfrac;
		test_common_values(&vardata, filter, function, collation,
						   &common, &contained, &ncontained);
		members = Min(Max(filter->items - ncontained, 0) / ndistinct, 1);
		result = contained +
			Max(1 - nullfrac - common, 0) * (members + (1 - members) * filter->rate);
	}
	ReleaseVariableStats(vardata);
	return result;
}

/*
 * The selectivity of a test in either direction: the argument that is a
 * filter tells.
 */
static Selectivity
contains_selectivity(PlannerInfo *root, List *args, int varRelid, Oid function, Oid collation)
{
	BfView		view;
	FilterEstimate filter;
	int			filter_argno;
	Selectivity result = DEFAULT_SELECTIVITY;

	if (list_length(args) != 2)
		return result;
	filter_argno = filter_argument(args);
	estimate_filter(root, list_nth(args, filter_argno), &view, &filter);
	if (filter.known)
		result = column_selectivity(root, list_nth(args, 1 - filter_argno), varRelid,
									&filter, function, collation);
	if (filter.view != NULL)
		bf_view_close(&view);
	CLAMP_PROBABILITY(result);
	return result;
}

/* ---------- requests ---------- */

static void
estimate_selectivity(SupportRequestSelectivity *req)
{
	PGFunction	function = implementation(req->funcid);

	if (function == bloomfilter_contains_any)
		req->selectivity = DEFAULT_ANY_SELECTIVITY;
	else if (function == bloomfilter_contains_all)
		req->selectivity = DEFAULT_ALL_SELECTIVITY;
	else
		req->selectivity = contains_selectivity(req->root, req->args, req->varRelid,
												req->funcid, req->inputcollid);
}

/* The arguments of a call by function or operator; NIL if it is neither. */
static List *
call_arguments(Node *node)
{
	if (node != NULL && IsA(node, FuncExpr))
		return ((FuncExpr *) node)->args;
	if (node != NULL && IsA(node, OpExpr))
		return ((OpExpr *) node)->args;
	return NIL;
}

/*
 * A test against a filter in memory is cheap.  A filter that is a column is
 * likely to be out of line.  If the value is a constant, each row brings
 * another filter, whose parts have to be read; if it comes from another
 * table, many values are tested against a filter, which is then kept.
 */
static void
estimate_cost(SupportRequestCost *req)
{
	PGFunction	function = implementation(req->funcid);
	List	   *args = call_arguments(req->node);
	bool		is_array = function == bloomfilter_contains_any ||
		function == bloomfilter_contains_all;

	req->startup = 0;
	req->per_tuple = is_array ? 10 * TEST_COST : TEST_COST;
	if (list_length(args) == 2 &&
		IsA(list_nth(args, filter_argument(args)), Var) &&
		!IsA(list_nth(args, 1 - filter_argument(args)), Var))
		req->per_tuple += STORED_COST;
}

Datum
bloomfilter_contains_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
		estimate_selectivity((SupportRequestSelectivity *) request);
	else if (IsA(request, SupportRequestCost))
		estimate_cost((SupportRequestCost *) request);
	else
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(request);
}

Datum
bloomfilter_contains_sel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(contains_selectivity((PlannerInfo *) PG_GETARG_POINTER(0),
										  (List *) PG_GETARG_POINTER(2), PG_GETARG_INT32(3),
										  get_opcode(PG_GETARG_OID(1)), PG_GET_COLLATION()));
}

Datum
bloomfilter_contains_joinsel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(contains_selectivity((PlannerInfo *) PG_GETARG_POINTER(0),
										  (List *) PG_GETARG_POINTER(2), 0,
										  get_opcode(PG_GETARG_OID(1)), PG_GET_COLLATION()));
}
