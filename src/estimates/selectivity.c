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
test_common_values(VariableStatData *vardata, const BfFilterEstimate *filter, Oid function,
				   Oid collation, Values *all, Values *contained)
{
	AttStatsSlot slot;
	BfElement	element;
	int			i;

	memset(all, 0, sizeof(*all));
	memset(contained, 0, sizeof(*contained));
	if (!filter->is_open || !HeapTupleIsValid(vardata->statsTuple) ||
		!statistic_proc_security_check(vardata, function) ||
		!bf_element_init_plain(&element, vardata->atttype, collation) ||
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
column_selectivity(PlannerInfo *root, Node *value, int varRelid, const BfFilterEstimate *filter,
				   Oid function, Oid collation)
{
	VariableStatData vardata;
	bool		isdefault;
	double		ndistinct;
	double		nullfrac = 0;
	Values		common;
	Values		contained;
	double		members;
	Selectivity result = BF_DEFAULT_SELECTIVITY;

	examine_variable(root, value, varRelid, &vardata);
	ndistinct = get_variable_numdistinct(&vardata, &isdefault);
	if (!isdefault && ndistinct >= 1)
	{
		if (HeapTupleIsValid(vardata.statsTuple))
			nullfrac = ((Form_pg_statistic) GETSTRUCT(vardata.statsTuple))->stanullfrac;
		test_common_values(&vardata, filter, function, collation, &common, &contained);
		/* of the other values, which the other rows have */
		members = Min(Max(filter->items - contained.number, 0) /
					  Max(ndistinct - common.number, 1), 1);
		result = contained.fraction + Max(1 - nullfrac - common.fraction, 0) *
			(members + (1 - members) * filter->rate);
	}
	ReleaseVariableStats(vardata);
	return result;
}

/* The selectivity of a test.  The filter may be either argument. */
static Selectivity
contains_selectivity(PlannerInfo *root, List *args, int varRelid, Oid function, Oid collation)
{
	BfFilterEstimate filter;
	int			filter_argno;
	Selectivity result = BF_DEFAULT_SELECTIVITY;

	/* bloomfilter_may_match has a third argument */
	if (list_length(args) < 2)
		return result;
	filter_argno = bf_filter_argument(args);
	bf_estimate_filter(root, list_nth(args, filter_argno), &filter);
	if (filter.known)
		result = column_selectivity(root, list_nth(args, 1 - filter_argno), varRelid,
									&filter, function, collation);
	bf_estimate_filter_end(&filter);
	/* statistics set by hand may give a NaN */
	if (isnan(result))
		result = BF_DEFAULT_SELECTIVITY;
	CLAMP_PROBABILITY(result);
	return result;
}

void
bf_estimate_selectivity(SupportRequestSelectivity *req)
{
	BfTest		test = bf_test_of(req->funcid);

	if (test == BF_TEST_ANY)
		req->selectivity = DEFAULT_ANY_SELECTIVITY;
	else if (test == BF_TEST_ALL)
		req->selectivity = DEFAULT_ALL_SELECTIVITY;
	else
		req->selectivity = contains_selectivity(req->root, req->args, req->varRelid,
												req->funcid, req->inputcollid);
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
