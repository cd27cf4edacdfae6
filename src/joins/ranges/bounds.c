/*-------------------------------------------------------------------------
 *
 * bounds.c
 *		Whether a table may have rows for the keys that a join hashed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/partition.h"
#include "common/hashfn.h"
#include "nodes/primnodes.h"

#include "joins/ranges/bounds.h"

BfBound *
bf_bounds_init(List *bounds)
{
	BfBound    *result = palloc0(list_length(bounds) * sizeof(BfBound));
	ListCell   *lc;

	foreach(lc, bounds)
	{
		BfBound    *bound = &result[foreach_current_index(lc)];

		bound->plan = lfirst(lc);
		fmgr_info(bound->plan->function, &bound->function);
	}
	return result;
}

static inline int
compare(FmgrInfo *function, Oid collation, Datum key, Datum value)
{
	return DatumGetInt32(FunctionCall2Coll(function, collation, key, value));
}

/* The intervals of a set from first to end - 1. */
typedef struct Section
{
	const BfKeySet *set;
	int			first;
	int			end;
} Section;

/*
 * The first interval whose highest key (or lowest key, if low is true) is at
 * least a value, or greater than the value if beyond is true.
 */
static int
find_interval(const Section *section, FmgrInfo *function, Datum value, bool low, bool beyond)
{
	int			from = section->first;
	int			to = section->end;

	while (from < to)
	{
		int			middle = from + (to - from) / 2;
		const BfInterval *interval = &section->set->intervals[middle];
		int			order = compare(function, section->set->collation,
									low ? interval->low : interval->high, value);

		if (order > 0 || (order == 0 && !beyond))
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/*
 * Exclude the intervals that are beyond the bound, if it bounds a range.
 */
static void
narrow(Section *section, BfBound *bound)
{
	Datum		value;

	if (bound->plan->constants == NIL)
		return;
	value = linitial_node(Const, bound->plan->constants)->constvalue;
	switch (bound->plan->strategy)
	{
		case BTLessStrategyNumber:
			section->end = find_interval(section, &bound->function, value, true, false);
			break;
		case BTLessEqualStrategyNumber:
			section->end = find_interval(section, &bound->function, value, true, true);
			break;
		case BTGreaterEqualStrategyNumber:
			section->first = find_interval(section, &bound->function, value, false, false);
			break;
		case BTGreaterStrategyNumber:
			section->first = find_interval(section, &bound->function, value, false, true);
			break;
	}
}

static bool
meets(const Section *section, FmgrInfo *function, Datum low, Datum high)
{
	int			i = find_interval(section, function, low, false, false);

	return i < section->end &&
		compare(function, section->set->collation, section->set->intervals[i].low, high) <= 0;
}

/* Tests a list of values. */
static bool
meets_any(const Section *section, BfBound *bound)
{
	ListCell   *lc;

	foreach(lc, bound->plan->constants)
	{
		Datum		value = lfirst_node(Const, lc)->constvalue;

		if (meets(section, &bound->function, value, value))
			return true;
	}
	return false;
}

/* Tests a hash partition; only single keys can be hashed, intervals cannot. */
static bool
has_hash(const Section *section, BfBound *bound)
{
	int			i;

	if (!section->set->exact)
		return true;
	for (i = section->first; i < section->end; i++)
	{
		Datum		hash = FunctionCall2Coll(&bound->function, section->set->collation,
											 section->set->intervals[i].low,
											 UInt64GetDatum(HASH_PARTITION_SEED));
		uint64		row_hash = hash_combine64(0, DatumGetUInt64(hash));

		if (row_hash % (uint64) bound->plan->modulus == (uint64) bound->plan->remainder)
			return true;
	}
	return false;
}

bool
bf_bounds_admit(BfBound *bounds, int n, const BfKeySet *set)
{
	Section		section = {.set = set, .first = 0, .end = set->n};
	int			i;

	for (i = 0; i < n; i++)
		narrow(&section, &bounds[i]);
	if (section.first >= section.end)
		return false;

	/*
	 * each bound alone: if only different keys meet them, the table is read,
	 * too
	 */
	for (i = 0; i < n; i++)
	{
		if (bounds[i].plan->strategy == 0 && !has_hash(&section, &bounds[i]))
			return false;
		if (bounds[i].plan->strategy == BTEqualStrategyNumber && !meets_any(&section, &bounds[i]))
			return false;
	}
	return true;
}

bool
bf_keys_meet(const BfKeySet *set, FmgrInfo *compare, Datum low, Datum high)
{
	Section		section = {.set = set, .first = 0, .end = set->n};

	return meets(&section, compare, low, high);
}
