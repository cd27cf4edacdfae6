/*-------------------------------------------------------------------------
 *
 * intervals.c
 *		A set of keys as intervals: sorts them, and closes gaps between them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "joins/ranges/intervals.h"

/* So many lowest and highest intervals are not joined to others, if possible. */
#define MOST_ENDS	16

int
bf_compare_integers(const void *a, const void *b)
{
	uint64		x = *(const uint64 *) a;
	uint64		y = *(const uint64 *) b;

	return (x > y) - (x < y);
}

static inline int
compare_keys(BfKeySet *set, Datum a, Datum b)
{
	if (set->kind != BF_KEYS_BY_CALL)
	{
		uint64		x = bf_to_integer(set->kind, a);
		uint64		y = bf_to_integer(set->kind, b);

		return (x > y) - (x < y);
	}
	return DatumGetInt32(FunctionCall2Coll(&set->compare, set->collation, a, b));
}

static int
by_low(const void *a, const void *b, void *set)
{
	return compare_keys(set, ((const BfInterval *) a)->low, ((const BfInterval *) b)->low);
}

void
bf_intervals_sort(BfKeySet *set)
{
	int			n = 0;
	int			i;

	qsort_arg(set->intervals, set->n, sizeof(BfInterval), by_low, set);
	for (i = 0; i < set->n; i++)
	{
		BfInterval *next = &set->intervals[i];

		if (n == 0 || compare_keys(set, next->low, set->intervals[n - 1].high) > 0)
			set->intervals[n++] = *next;
		else if (compare_keys(set, next->high, set->intervals[n - 1].high) > 0)
			set->intervals[n - 1].high = next->high;
	}
	set->n = n;
}

static inline uint64
gap_before(const BfKeySet *set, const BfInterval *previous, int i)
{
	return bf_to_integer(set->kind, set->intervals[i].low) - bf_to_integer(set->kind, previous->high);
}

/*
 * The width of the widest gaps that must be closed to leave that many
 * intervals, and how many gaps of this width to close.
 */
static uint64
widest_closed_gap(const BfKeySet *set, int most, int *count)
{
	uint64	   *gaps = MemoryContextAlloc(set->mcxt, (set->n - 1) * sizeof(uint64));
	int			last = set->n - most - 1;
	uint64		result;
	int			i;

	for (i = 1; i < set->n; i++)
		gaps[i - 1] = gap_before(set, &set->intervals[i - 1], i);
	qsort(gaps, set->n - 1, sizeof(uint64), bf_compare_integers);
	result = gaps[last];
	for (*count = 0; *count <= last && gaps[last - *count] == result;)
		(*count)++;
	pfree(gaps);
	return result;
}

/* Close the narrowest gaps, so that at most that many intervals are left. */
static int
close_narrow_gaps(BfKeySet *set, int most)
{
	int			left;			/* widest gaps still to be closed */
	uint64		widest = widest_closed_gap(set, most, &left);
	int			n = 1;
	int			i;

	for (i = 1; i < set->n; i++)
	{
		uint64		gap = gap_before(set, &set->intervals[n - 1], i);

		if (gap < widest || (gap == widest && left-- > 0))
			set->intervals[n - 1].high = set->intervals[i].high;
		else
			set->intervals[n++] = set->intervals[i];
	}
	return n;
}

/*
 * If no widths of gaps are known, join every so many consecutive intervals, but
 * none of the outermost: these may be far away, as 'infinity' and 'NaN' are.
 */
static int
close_gaps(BfKeySet *set, int most)
{
	int			ends = Min(MOST_ENDS, most / 4);
	int			between = most - 2 * ends;
	int			every = (set->n - 2 * ends + between - 1) / between;
	int			n = 1;
	int			i;

	for (i = 1; i < set->n; i++)
	{
		if (i > ends && i < set->n - ends && (i - ends) % every != 0)
			set->intervals[n - 1].high = set->intervals[i].high;
		else
			set->intervals[n++] = set->intervals[i];
	}
	return n;
}

void
bf_intervals_coarsen(BfKeySet *set, int most)
{
	if (set->n <= most)
		return;
	set->n = set->kind == BF_KEYS_BY_CALL ? close_gaps(set, most) : close_narrow_gaps(set, most);
	set->exact = false;
}
