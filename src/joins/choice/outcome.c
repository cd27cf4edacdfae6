/*-------------------------------------------------------------------------
 *
 * outcome.c
 *		A finished plan, and the filters that it is to have.
 *
 * The filters of one place are tested one after the other, and each tests only
 * the rows that the filters before it let pass.  So filters are chosen one by
 * one: the next filter is always the one that adds most to those already
 * chosen.
 *
 * A filter rarely adds more after another filter was chosen: only if that one, of
 * a lower join, leaves it fewer rows to test, and a test costs more than it saves
 * before the join.  So what it would have added earlier is compared first: it is
 * evaluated again only if that is more than the best so far adds.
 *
 * The plan's expected cost is the planner's, less what its filters save.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/hsearch.h"

#include "compat.h"
#include "joins/choice/candidates.h"
#include "joins/choice/outcome.h"
#include "joins/rules/keys.h"
#include "joins/rules/statement.h"
#include "settings.h"

/*
 * Per place, as in Spark and Impala; more take longer to test than they save.
 */
#define MAX_FILTERS		10

/*
 * The gains of filters at different places overlap: each is estimated as if
 * there were no others.  Of random queries, the best took this fraction of its
 * time with filters.
 */
#define LEAST_LEFT		0.036

/* ---------- the choice ---------- */

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

/*
 * Take the filter that adds most from the candidates, which are in the order of
 * finding: of equal gains, the filter found first.  Those that add nothing are
 * dropped.  NULL: none is left.
 */
static BfJoinCandidate *
take_best(List **candidates, HTAB *places)
{
	bool		force = bf_join_filters == BF_JOIN_FILTERS_FORCE;
	BfJoinCandidate *best = NULL;
	ListCell   *lc;

	foreach(lc, *candidates)
	{
		BfJoinCandidate *candidate = lfirst(lc);

		if (best != NULL && candidate->added_gain <= best->added_gain)
			continue;
		if (!added_gain(places, candidate, &candidate->added_gain) ||
			(candidate->added_gain <= 0 && !force))
			*candidates = foreach_delete_current(*candidates, lc);
		else if (best == NULL || candidate->added_gain > best->added_gain)
			best = candidate;
	}
	*candidates = list_delete_ptr(*candidates, best);
	return best;
}

/*
 * Choose among a list of BfJoinCandidate.  At most ten filters are tested at
 * each place, and each is expected to gain more than it costs on the rows that
 * the others let pass.  The result is in no particular order.
 */
static List *
choose(List *candidates)
{
	HTAB	   *places;
	BfJoinCandidate *best;
	List	   *result = NIL;
	ListCell   *lc;

	if (candidates == NIL)
		return NIL;
	foreach(lc, candidates)
		((BfJoinCandidate *) lfirst(lc))->added_gain = ((BfJoinCandidate *) lfirst(lc))->estimate.gain;
	places = create_places(list_length(candidates));
	while ((best = take_best(&candidates, places)) != NULL)
	{
		note_chosen(places, best);
		result = lappend(result, best);
	}
	hash_destroy(places);
	return result;
}

/* ---------- the outcome ---------- */

BfJoinOutcome
bf_join_assess(PlannedStmt *stmt, int cursor_options, bool tell)
{
	Cost		planned = bf_join_plan_cost(stmt, cursor_options);
	BfJoinOutcome result = {
		.stmt = stmt,
		.statement = palloc0(sizeof(BfJoinStatement)),
		.cost = planned
	};
	ListCell   *lc;

	result.statement->stmt = stmt;
	result.filters = choose(bf_join_find_candidates(result.statement, cursor_options,
													tell ? &result.verdicts : NULL));
	foreach(lc, result.filters)
	{
		const BfJoinCandidate *candidate = lfirst(lc);

		if (!candidate->wants_few_rows)
			result.cost -= Max(candidate->added_gain, 0);
	}
	result.cost = Max(result.cost, LEAST_LEFT * planned);
	return result;
}

/* ---------- disabled nodes ---------- */

static int
disabled_nodes(const PlannedStmt *stmt)
{
	int			result = BF_DISABLED_NODES(stmt->planTree);
	ListCell   *lc;

	/* sub-selects that are not used have no plan */
	foreach(lc, stmt->subplans)
		if (lfirst(lc) != NULL)
			result += BF_DISABLED_NODES((Plan *) lfirst(lc));
	return result;
}

bool
bf_join_has_more_disabled(const PlannedStmt *stmt, const PlannedStmt *other)
{
	return disabled_nodes(stmt) > disabled_nodes(other);
}

/* ---------- hashes ---------- */

static void
visit_hash_join(Plan *plan, void *context)
{
	bool	   *follow = context;
	ListCell   *operator;
	ListCell   *collation;

	if (!IsA(plan, HashJoin))
		return;
	forboth(operator, ((HashJoin *) plan)->hashoperators, collation, ((HashJoin *) plan)->hashcollations)
		*follow = *follow &&
			bf_join_hashes_follow_equality(lfirst_oid(operator), lfirst_oid(collation));
}

bool
bf_join_hashes_as_compared(PlannedStmt *stmt)
{
	bool		result = true;

	bf_join_walk_statement(stmt, visit_hash_join, &result);
	return result;
}
