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
narrow(Section *section, const BfJoinBound *bound)
{
	FmgrInfo	function;
	Datum		value;

	if (bound->constants == NIL)
		return;
	fmgr_info(bound->function, &function);
	value = linitial_node(Const, bound->constants)->constvalue;
	switch (bound->strategy)
	{
		case BTLessStrategyNumber:
			section->end = find_interval(section, &function, value, true, false);
			break;
		case BTLessEqualStrategyNumber:
			section->end = find_interval(section, &function, value, true, true);
			break;
		case BTGreaterEqualStrategyNumber:
			section->first = find_interval(section, &function, value, false, false);
			break;
		case BTGreaterStrategyNumber:
			section->first = find_interval(section, &function, value, false, true);
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
meets_any(const Section *section, const BfJoinBound *bound)
{
	FmgrInfo	function;
	ListCell   *lc;

	fmgr_info(bound->function, &function);
	foreach(lc, bound->constants)
	{
		Datum		value = lfirst_node(Const, lc)->constvalue;

		if (meets(section, &function, value, value))
			return true;
	}
	return false;
}

/* Tests a hash partition; only single keys can be hashed, intervals cannot. */
static bool
has_hash(const Section *section, const BfJoinBound *bound)
{
	FmgrInfo	function;
	int			i;

	if (!section->set->exact)
		return true;
	fmgr_info(bound->function, &function);
	for (i = section->first; i < section->end; i++)
	{
		Datum		hash = FunctionCall2Coll(&function, section->set->collation,
											 section->set->intervals[i].low,
											 UInt64GetDatum(HASH_PARTITION_SEED));
		uint64		row_hash = hash_combine64(0, DatumGetUInt64(hash));

		if (row_hash % (uint64) bound->modulus == (uint64) bound->remainder)
			return true;
	}
	return false;
}

bool
bf_bounds_admit(List *bounds, const BfKeySet *set)
{
	Section		section = {.set = set, .first = 0, .end = set->n};
	ListCell   *lc;

	foreach(lc, bounds)
		narrow(&section, lfirst(lc));
	if (section.first >= section.end)
		return false;

	/*
	 * each bound alone: if only different keys meet them, the table is read,
	 * too
	 */
	foreach(lc, bounds)
	{
		const BfJoinBound *bound = lfirst(lc);

		if (bound->strategy == 0 && !has_hash(&section, bound))
			return false;
		if (bound->strategy == BTEqualStrategyNumber && !meets_any(&section, bound))
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
