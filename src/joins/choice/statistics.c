/*-------------------------------------------------------------------------
 *
 * statistics.c
 *		What the statistics of a table's column say about its values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "joins/choice/statistics.h"

/* To be released by ReleaseSysCache(); not valid: there are none. */
static HeapTuple
find_statistics(const BfStatisticsColumn *column)
{
	return SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(column->table),
						   Int16GetDatum(column->number), BoolGetDatum(column->of_partitions));
}

double
bf_join_correlation(const BfStatisticsColumn *column)
{
	HeapTuple	tuple = find_statistics(column);
	AttStatsSlot slot;
	double		result = 0;

	if (!HeapTupleIsValid(tuple))
		return 0;
	if (get_attstatsslot(&slot, tuple, STATISTIC_KIND_CORRELATION, InvalidOid,
						 ATTSTATSSLOT_NUMBERS))
	{
		result = fabs(slot.numbers[0]);
		free_attstatsslot(&slot);
	}
	ReleaseSysCache(tuple);
	return result;
}

double
bf_join_distinct(const BfStatisticsColumn *column, double rows, double *nulls)
{
	HeapTuple	tuple = find_statistics(column);
	double		result;

	*nulls = 0;
	if (!HeapTupleIsValid(tuple))
		return 0;
	result = ((Form_pg_statistic) GETSTRUCT(tuple))->stadistinct;
	*nulls = ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	ReleaseSysCache(tuple);
	/* negative: a multiple of the number of rows */
	return result < 0 ? -result * rows : result;
}

/* ---------- ranges ---------- */

static void
extend_range(TypeCacheEntry *type, Oid collation, const AttStatsSlot *slot, int i,
			 bool *any, Datum *lowest, Datum *highest)
{
	FmgrInfo   *compare = &type->cmp_proc_finfo;
	Datum		value = slot->values[i];

	if (!*any || DatumGetInt32(FunctionCall2Coll(compare, collation, value, *lowest)) < 0)
		*lowest = value;
	if (!*any || DatumGetInt32(FunctionCall2Coll(compare, collation, value, *highest)) > 0)
		*highest = value;
	*any = true;
}

/* The lowest and the highest value in the statistics of a column. */
static bool
find_range(const BfStatisticsColumn *column, TypeCacheEntry *type, Oid collation,
		   Datum *lowest, Datum *highest)
{
	const int	kinds[] = {STATISTIC_KIND_MCV, STATISTIC_KIND_HISTOGRAM};
	HeapTuple	tuple = find_statistics(column);
	bool		any = false;
	size_t		k;

	if (!HeapTupleIsValid(tuple))
		return false;
	for (k = 0; k < lengthof(kinds); k++)
	{
		AttStatsSlot slot;
		int			i;

		if (!get_attstatsslot(&slot, tuple, kinds[k], InvalidOid, ATTSTATSSLOT_VALUES))
			continue;
		for (i = 0; i < slot.nvalues; i++)
			extend_range(type, collation, &slot, i, &any, lowest, highest);
		free_attstatsslot(&slot);
	}
	ReleaseSysCache(tuple);
	return any;
}

/*
 * The fraction of a column's values that are at most this value; negative: not
 * known.
 */
static double
fraction_up_to(const BfStatisticsColumn *column, TypeCacheEntry *type, Oid collation, Datum value)
{
	VariableStatData statistics = {.statsTuple = find_statistics(column)};
	FmgrInfo	less;
	double		result;

	if (!HeapTupleIsValid(statistics.statsTuple))
		return -1;
	fmgr_info(get_opcode(type->lt_opr), &less);
	result = ineq_histogram_selectivity(NULL, &statistics, type->lt_opr, &less, false, true,
										collation, value, type->type_id);
	ReleaseSysCache(statistics.statsTuple);
	return result;
}

double
bf_join_fraction_in_range(const BfStatisticsColumn *inner, const BfStatisticsColumn *outer)
{
	Oid			types[2];
	Oid			collation;
	int32		typmod;
	TypeCacheEntry *type;
	Datum		lowest;
	Datum		highest;
	double		below;
	double		up_to;

	get_atttypetypmodcoll(inner->table, inner->number, &types[0], &typmod, &collation);
	get_atttypetypmodcoll(outer->table, outer->number, &types[1], &typmod, &collation);
	type = lookup_type_cache(types[0], TYPECACHE_LT_OPR | TYPECACHE_CMP_PROC_FINFO);
	if (types[0] != types[1] || !type->typbyval || !OidIsValid(type->lt_opr) ||
		!OidIsValid(type->cmp_proc) || !get_func_leakproof(type->cmp_proc) ||
		!find_range(outer, type, collation, &lowest, &highest))
		return 0;
	below = fraction_up_to(inner, type, collation, lowest);
	up_to = fraction_up_to(inner, type, collation, highest);
	return below < 0 ? 0 : up_to - below;
}
