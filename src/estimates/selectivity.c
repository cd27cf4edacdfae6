/*-------------------------------------------------------------------------
 *
 * selectivity.c
 *		The fraction of rows that a test lets through.
 *
 * A test lets rows through whose value is in the filter, and false positives
 * among the others.  What is known of the filter gives the number of its
 * values and its false positive rate.  If the filter itself is known, the
 * column's most common values are tested against it.
 *
 * Nothing here raises an error, except for a cancelled query: the executor
 * refuses types that cannot be tested.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "estimates/expression.h"
#include "estimates/filter.h"
#include "estimates/selectivity.h"
#include "type/hashing/compatible.h"
#include "type/hashing/element.h"

BF_SQL_FUNCTION(bloomfilter_contains_sel);
BF_SQL_FUNCTION(bloomfilter_contains_joinsel);

/* For arrays of unknown length, as if "any" had ten elements and "all" two. */
#define DEFAULT_ANY_SELECTIVITY	(1 - pow(1 - BF_DEFAULT_SELECTIVITY, 10))
#define DEFAULT_ALL_SELECTIVITY	(BF_DEFAULT_SELECTIVITY * BF_DEFAULT_SELECTIVITY)

/* A call that tests a filter, and what is known of the filter. */
typedef struct Test
{
	PlannerInfo *root;
	int			varRelid;
	Oid			function;
	Oid			collation;
	Node	   *filter;
	BfFilterEstimate estimate;
} Test;

/* Some of a column's values: how many, and the fraction of its rows with one of them. */
typedef struct Values
{
	int			number;
	double		fraction;
} Values;

static void
count_value(Values *values, double fraction)
{
	values->number++;
	values->fraction += fraction;
}

/*
 * The most common values of a column, and those of them that the filter
 * contains.  None if they cannot be tested without the risk of an error.
 */
static void
test_common_values(VariableStatData *vardata, const Test *test, Values *all, Values *contained)
{
	const BfFilterEstimate *filter = &test->estimate;
	AttStatsSlot slot;
	BfElement	element;
	int			i;

	memset(all, 0, sizeof(*all));
	memset(contained, 0, sizeof(*contained));
	if (!filter->is_open || !HeapTupleIsValid(vardata->statsTuple) ||
		!statistic_proc_security_check(vardata, test->function) ||
		!bf_element_init_plain(&element, vardata->atttype, test->collation) ||
		!bf_family_accepts(&filter->view.header, &element) ||
		!get_attstatsslot(&slot, vardata->statsTuple, STATISTIC_KIND_MCV, InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return;

	/* statistics set by hand may contain fewer numbers than values */
	for (i = 0; i < Min(slot.nvalues, slot.nnumbers); i++)
	{
		uint64_t	hash = bf_hash_value(&element, bf_strips_blanks(&filter->view.header),
										 slot.values[i], (uint64_t) filter->view.header.seed);

		/* up to 10,000 values for each filter, table and partition */
		CHECK_FOR_INTERRUPTS();
		count_value(all, slot.numbers[i]);
		if (bf_view_contains(&filter->view, hash))
			count_value(contained, slot.numbers[i]);
	}
	free_attstatsslot(&slot);
}

/*
 * The fraction of a column's rows that a filter lets through.  The values of
 * the filter are assumed to be values of the column, as in a join on a key.
 */
static Selectivity
column_selectivity(const Test *test, Node *value)
{
	const BfFilterEstimate *filter = &test->estimate;
	VariableStatData vardata;
	bool		isdefault;
	double		ndistinct;
	double		nullfrac = 0;
	Values		common;
	Values		contained;
	double		members;
	Selectivity result = BF_DEFAULT_SELECTIVITY;

	examine_variable(test->root, value, test->varRelid, &vardata);
	ndistinct = get_variable_numdistinct(&vardata, &isdefault);
	if (!isdefault && ndistinct >= 1)
	{
		if (HeapTupleIsValid(vardata.statsTuple))
			nullfrac = ((Form_pg_statistic) GETSTRUCT(vardata.statsTuple))->stanullfrac;
		test_common_values(&vardata, test, &common, &contained);
		/* of the other values, which the other rows have */
		members = Min(Max(filter->items - contained.number, 0) /
					  Max(ndistinct - common.number, 1), 1);
		result = contained.fraction + Max(1 - nullfrac - common.fraction, 0) *
			(members + (1 - members) * filter->rate);
	}
	ReleaseVariableStats(vardata);
	return result;
}

/*
 * The fraction of a column's filters that contain a value of which nothing is
 * known: it is in one of them at least, and in all of them at most.  The
 * geometric mean of the two is the best guess.
 */
static Selectivity
filters_selectivity(PlannerInfo *root, Node *filter, const BfFilterEstimate *estimate)
{
	Var		   *var = (Var *) bf_strip_expression(filter);
	RelOptInfo *table;
	double		members;

	/* from a sub-select, or asked for before there are estimates of tables */
	if (!IsA(var, Var) || root->simple_rel_array == NULL ||
		(table = root->simple_rel_array[var->varno]) == NULL)
		return BF_DEFAULT_SELECTIVITY;
	members = 1 / sqrt(Max(table->tuples, 1));
	return members + (1 - members) * estimate->rate;
}

/* The selectivity of a test of one value, or of one element of an array. */
static Selectivity
value_selectivity(const Test *test, Node *value)
{
	if (!test->estimate.known)
		return BF_DEFAULT_SELECTIVITY;
	if (!test->estimate.is_open && !contain_vars_of_level(value, 0))
		return filters_selectivity(test->root, test->filter, &test->estimate);
	return column_selectivity(test, value);
}

/* The number of elements of a constant array; -1 if it is none. */
static int
constant_length(const Node *array)
{
	const Const *constant = (const Const *) array;
	ArrayType  *elements;

	if (!IsA(array, Const) || constant->constisnull)
		return -1;
	elements = DatumGetArrayTypeP(constant->constvalue);
	return ArrayGetNItems(ARR_NDIM(elements), ARR_DIMS(elements));
}

/* The elements are assumed to be independent of each other. */
static Selectivity
array_selectivity(const Test *test, Node *array, bool wants_all)
{
	int			n = constant_length(array);
	double		all = 1;
	double		none = 1;
	ListCell   *lc;

	if (n >= 0)
	{
		Selectivity one = value_selectivity(test, array);

		return wants_all ? pow(one, n) : 1 - pow(1 - one, n);
	}
	if (!IsA(array, ArrayExpr) || ((ArrayExpr *) array)->multidims)
		return wants_all ? DEFAULT_ALL_SELECTIVITY : DEFAULT_ANY_SELECTIVITY;
	foreach(lc, ((ArrayExpr *) array)->elements)
	{
		Selectivity one = value_selectivity(test, lfirst(lc));

		all *= one;
		none *= 1 - one;
	}
	return wants_all ? all : 1 - none;
}

/* The selectivity of a call.  The filter may be either argument. */
static Selectivity
test_selectivity(PlannerInfo *root, List *args, int varRelid, Oid function, Oid collation)
{
	Test		test = {.root = root, .varRelid = varRelid, .function = function, .collation = collation};
	BfTest		kind = bf_test_of(function);
	int			filter_argno;
	Node	   *value;
	Selectivity result;

	/* bloomfilter_may_match has a third argument */
	if (list_length(args) < 2)
		return BF_DEFAULT_SELECTIVITY;
	filter_argno = bf_filter_argument(args);
	test.filter = list_nth(args, filter_argno);
	value = list_nth(args, 1 - filter_argno);
	bf_estimate_filter(root, test.filter, &test.estimate);
	if (kind == BF_TEST_ANY || kind == BF_TEST_ALL)
		result = array_selectivity(&test, bf_strip_expression(value), kind == BF_TEST_ALL);
	else
		result = value_selectivity(&test, value);
	bf_estimate_filter_end(&test.estimate);
	/* statistics set by hand may give a NaN */
	if (isnan(result))
		result = BF_DEFAULT_SELECTIVITY;
	CLAMP_PROBABILITY(result);
	return result;
}

void
bf_estimate_selectivity(SupportRequestSelectivity *req)
{
	req->selectivity = test_selectivity(req->root, req->args, req->varRelid, req->funcid,
										req->inputcollid);
}

Datum
bloomfilter_contains_sel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(test_selectivity((PlannerInfo *) PG_GETARG_POINTER(0),
										  (List *) PG_GETARG_POINTER(2), PG_GETARG_INT32(3),
										  get_opcode(PG_GETARG_OID(1)), PG_GET_COLLATION()));
}

Datum
bloomfilter_contains_joinsel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(test_selectivity((PlannerInfo *) PG_GETARG_POINTER(0),
										  (List *) PG_GETARG_POINTER(2), 0,
										  get_opcode(PG_GETARG_OID(1)), PG_GET_COLLATION()));
}
