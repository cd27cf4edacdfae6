/*-------------------------------------------------------------------------
 *
 * choice.c
 *		Chooses among the filters that a statement may have.
 *
 * The filters of one place are tested one after the other, and each tests only
 * the rows that the filters before it let pass.  So filters are chosen one by
 * one: the next filter is always the one that adds most to those already
 * chosen.
 *
 * A filter never adds more after another filter was chosen.  So a heap
 * suffices, ordered by the gain that each filter would have added earlier: the
 * filter on top is the best if it still adds as much; otherwise it goes back
 * into the heap.  This keeps the choice nearly linear in the number of
 * candidates: a filter is evaluated again only if another filter was chosen at
 * one of its places.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "lib/binaryheap.h"
#include "utils/hsearch.h"

#include "joins/choice/candidates.h"
#include "joins/choice/choice.h"
#include "settings.h"

/*
 * Per place, as in Spark and Impala; more take longer to test than they save.
 */
#define MAX_FILTERS		10

/* The filters chosen for a place where rows are tested. */
typedef struct PlaceFilters
{
	Plan	  **place;			/* the key: must be first */
	int			count;
	const BfJoinCandidate *filters[MAX_FILTERS];
} PlaceFilters;

static BfJoinDescent *
descent_of(const BfJoinCandidate *candidate)
{
	return linitial(candidate->descents);
}

/*
 * The fraction of a place's rows that the filters there let pass, and the
 * fraction of the rows that reach a candidate's join.  The planner accounts
 * for the joins below that join, which drop the same rows.  It does not
 * account for the filters of the joins above, which were found before it.
 */
static void
rows_left(const PlaceFilters *filters, const BfJoinCandidate *candidate,
		  double *at_place, double *at_join)
{
	int			i;

	*at_place = *at_join = 1;
	for (i = 0; filters != NULL && i < filters->count; i++)
	{
		*at_place *= filters->filters[i]->estimate.pass;
		if (filters->filters[i]->order < candidate->order)
			*at_join *= filters->filters[i]->estimate.pass;
	}
}

/*
 * What a candidate adds to the chosen filters.  False: one of its places has
 * no room for it.  A filter is tested at all of its places or at none, because
 * otherwise groups would not stay whole.
 */
static bool
added_gain(HTAB *places, const BfJoinCandidate *candidate, double *gain)
{
	double		rows = 0;
	double		rows_at_place = 0;
	double		rows_at_join = 0;
	ListCell   *lc;

	foreach(lc, descent_of(candidate)->targets)
	{
		BfJoinTarget *target = lfirst(lc);
		PlaceFilters *filters = hash_search(places, &target->place, HASH_FIND, NULL);
		double		target_rows = Max((*target->place)->plan_rows, 1);
		double		at_place;
		double		at_join;

		if (filters != NULL && filters->count == MAX_FILTERS)
			return false;
		rows_left(filters, candidate, &at_place, &at_join);
		rows += target_rows;
		rows_at_place += target_rows * at_place;
		rows_at_join += target_rows * at_join;
	}
	*gain = bf_join_gain(&candidate->estimate, rows_at_place / rows, rows_at_join / rows);
	return true;
}

static void
note_chosen(HTAB *places, const BfJoinCandidate *candidate)
{
	ListCell   *lc;

	foreach(lc, descent_of(candidate)->targets)
	{
		BfJoinTarget *target = lfirst(lc);
		bool		found;
		PlaceFilters *filters = hash_search(places, &target->place, HASH_ENTER, &found);

		if (!found)
			filters->count = 0;
		filters->filters[filters->count++] = candidate;
	}
}

/* The largest gain on top; of equal gains, the filter found first. */
static int
compare_gains(Datum a, Datum b, void *context pg_attribute_unused())
{
	const BfJoinCandidate *candidate_a = (BfJoinCandidate *) DatumGetPointer(a);
	const BfJoinCandidate *candidate_b = (BfJoinCandidate *) DatumGetPointer(b);
	double		gain_a = candidate_a->added_gain;
	double		gain_b = candidate_b->added_gain;

	if (gain_a != gain_b)
		return gain_a > gain_b ? 1 : -1;
	return candidate_b->order - candidate_a->order;
}

static HTAB *
create_places(int size)
{
	HASHCTL		control = {
		.keysize = sizeof(Plan **),
		.entrysize = sizeof(PlaceFilters),
		.hcxt = CurrentMemoryContext
	};

	return hash_create("places of join filters", size, &control,
					   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static List *
choose_from(binaryheap *heap, HTAB *places)
{
	bool		force = bf_join_filters == BF_JOIN_FILTERS_FORCE;
	List	   *result = NIL;

	while (!binaryheap_empty(heap))
	{
		BfJoinCandidate *best = (BfJoinCandidate *) DatumGetPointer(binaryheap_first(heap));
		double		gain;

		if (!added_gain(places, best, &gain) || (gain <= 0 && !force))
			(void) binaryheap_remove_first(heap);
		else if (gain < best->added_gain)
		{
			best->added_gain = gain;
			binaryheap_replace_first(heap, PointerGetDatum(best));
		}
		else
		{
			(void) binaryheap_remove_first(heap);
			note_chosen(places, best);
			result = lappend(result, best);
		}
	}
	return result;
}

List *
bf_join_choose(List *candidates)
{
	binaryheap *heap;
	HTAB	   *places;
	List	   *result;
	ListCell   *lc;

	if (candidates == NIL)
		return NIL;
	heap = binaryheap_allocate(list_length(candidates), compare_gains, NULL);
	foreach(lc, candidates)
	{
		BfJoinCandidate *candidate = lfirst(lc);

		candidate->added_gain = candidate->estimate.gain;
		binaryheap_add_unordered(heap, PointerGetDatum(candidate));
	}
	binaryheap_build(heap);
	places = create_places(list_length(candidates));
	result = choose_from(heap, places);
	hash_destroy(places);
	binaryheap_free(heap);
	return result;
}
