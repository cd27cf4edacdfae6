/*-------------------------------------------------------------------------
 *
 * remote.c
 *		Filters by which other servers test the rows of foreign tables.
 *
 * A join with a foreign table fetches all of its rows.  A query with such a
 * join is planned again with a condition that postgres_fdw sends to the other
 * server: a filter of the keys of the joined local table, which is read one more
 * time for that.  The cheaper plan is kept.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"

#include "core/format.h"
#include "core/sizing.h"
#include "joins/choice/outcome.h"
#include "joins/remote/conditions.h"
#include "joins/remote/find.h"
#include "joins/remote/remote.h"
#include "joins/remote/rules.h"
#include "joins/rules/statement.h"
#include "joins/spec.h"
#include "settings.h"
#include "type/sql/params.h"

/*
 * The query is planned once more for each filter.  Four filters are enough for
 * a star in which all dimensions matter; the first comparisons in the query
 * are tried.
 */
#define MOST_TRIED		4

/*
 * A filter has room for ROOM_FACTOR times the expected keys, since estimates
 * are often too low, and for at least LEAST_ROOM keys.  A filter for
 * LEAST_ROOM keys takes 12 kB; up to 196 keys in it are stored as a list of 8
 * bytes each.  A filter for four times the expected keys takes 5 bytes per
 * expected key.
 */
#define ROOM_FACTOR		4
#define LEAST_ROOM		10000.0

/* Bytes of text per byte of a filter: base64. */
#define TEXT_FACTOR		(4.0 / 3.0)

/*
 * The cost of a byte of the text of a filter, which is written here, sent, and
 * read there.  Measured between two databases of one server: 1.5 to
 * 3.6 ns for texts of 33 kB to 5 MB; 1 Gbit/s adds 8 ns.  A comparison took
 * 14.6 ns there.
 */
#define BYTE_COST		cpu_operator_cost

typedef struct Choice
{
	BfJoinPlanning *planning;
	BfJoinOutcome *outcome;		/* the best so far */
	Cost		sending;		/* the cost of sending its filters */
	List	   *candidates;		/* BfRemoteCandidate, of the query as it was given to the planner */
	BfRemoteFunctions functions;
	double	   *rooms;			/* by candidate; 0: no filter */
} Choice;

/* ---------- estimates ---------- */

static void
visit_foreign_rows(Plan *plan, void *context)
{
	if (IsA(plan, ForeignScan))
		*(double *) context += plan->plan_rows;
}

/* The number of rows that are expected to come from other servers. */
static double
foreign_rows(PlannedStmt *stmt)
{
	double		result = 0;

	bf_join_walk_statement(stmt, visit_foreign_rows, &result);
	return result;
}

static double
filter_bytes(double room)
{
	uint32		blocks;
	int			hashes;

	return bf_choose_size(room, BF_DEFAULT_RATE, &blocks, &hashes) ?
		(double) blocks * BF_BLOCK_BYTES : get_float8_infinity();
}

/* The bytes of a filter's text.  If there are few keys, it is a list of hashes. */
static double
filter_text_bytes(const BfRemoteVerdict *verdict)
{
	double		bytes = verdict->bytes;

	if (verdict->keys <= bytes / BF_BLOCK_BYTES)
		bytes = verdict->keys * sizeof(uint64_t);
	return TEXT_FACTOR * bytes;
}

/* ---------- verdicts ---------- */

static char *
column_name(const Query *query, const Var *var)
{
	const RangeTblEntry *rte = rt_fetch(var->varno, query->rtable);

	return psprintf("%s.%s", quote_identifier(rte->eref->aliasname),
					quote_identifier(get_attname(rte->relid, var->varattno, false)));
}

static BfRemoteVerdict *
new_verdict(const BfRemoteCandidate *candidate)
{
	BfRemoteVerdict *result = palloc0(sizeof(BfRemoteVerdict));
	const RangeTblEntry *rte = rt_fetch(candidate->foreign->varno,
										candidate->foreign_query->rtable);

	result->refusal = candidate->refusal;
	result->relation = rte->relid;
	result->table = pstrdup(quote_identifier(rte->eref->aliasname));
	if (candidate->key != NULL)
		result->key = psprintf("%s = %s", column_name(candidate->foreign_query, candidate->foreign),
							   column_name(candidate->local_query, candidate->key));
	return result;
}

/* May the joined tables of any of these BfRemoteCandidate be tested there? */
static bool
any_is_allowed(List *candidates)
{
	ListCell   *lc;

	foreach(lc, candidates)
		if (((BfRemoteCandidate *) lfirst(lc))->refusal == BF_JOIN_ALLOWED)
			return true;
	return false;
}

/* ---------- plans ---------- */

/*
 * A copy of the query with the chosen conditions, and one more.  The
 * candidates are searched again: partitions may have been added or dropped.
 */
static Query *
with_conditions(const Choice *choice, int added, double room)
{
	Query	   *result = copyObject(choice->planning->query);
	List	   *candidates = bf_remote_find(result);
	ListCell   *lc;

	foreach(lc, candidates)
	{
		BfRemoteCandidate *candidate = lfirst(lc);
		int			i = foreach_current_index(lc);

		if (i < list_length(choice->candidates) && candidate->refusal == BF_JOIN_ALLOWED &&
			(i == added || choice->rooms[i] > 0))
			bf_remote_add_condition(&choice->functions, candidate,
									i == added ? room : choice->rooms[i]);
	}
	return result;
}

/* Room in a filter for the keys that are expected, or the reason why there is none. */
static BfJoinReason
set_room(BfJoinPlanning *planning, const BfRemoteCandidate *candidate, BfRemoteVerdict *verdict)
{
	double		most = bf_join_filter_max_bytes(1);
	PlannedStmt *keys = planning->plan_aside(planning, bf_remote_keys_query(candidate));

	verdict->keys = keys->planTree->plan_rows;
	verdict->room = Max(ROOM_FACTOR * verdict->keys, LEAST_ROOM);
	if (filter_bytes(verdict->room) > most)
		verdict->room = verdict->keys;
	verdict->bytes = filter_bytes(verdict->room);
	verdict->text_bytes = filter_text_bytes(verdict);
	return verdict->bytes <= most ? BF_JOIN_ALLOWED : BF_JOIN_TOO_MANY_KEYS;
}

/* Plan the query with one more filter, and keep the plan if it is cheaper. */
static BfJoinReason
try_candidate(Choice *choice, const BfRemoteCandidate *candidate, int number,
			  BfRemoteVerdict *verdict)
{
	BfJoinPlanning *planning = choice->planning;
	PlannedStmt *stmt;
	BfJoinOutcome outcome;
	Cost		sending;
	BfJoinReason refusal = set_room(planning, candidate, verdict);

	if (refusal != BF_JOIN_ALLOWED)
		return refusal;
	stmt = planning->plan_again(planning, with_conditions(choice, number, verdict->room));
	if (stmt == NULL)
		return BF_JOIN_LONG_PLANNING;
	if (!bf_join_hashes_as_compared(stmt))
		return BF_JOIN_LOOSE_COLLATION;
	outcome = bf_join_assess(stmt, planning->cursor_options, planning->tell);
	sending = choice->sending + candidate->ntables * BYTE_COST * verdict->text_bytes;
	verdict->without = choice->outcome->cost + choice->sending;
	verdict->with = outcome.cost + sending;
	if (bf_join_filters != BF_JOIN_FILTERS_FORCE &&
		(verdict->with >= verdict->without || bf_join_has_more_disabled(stmt, choice->outcome->stmt)))
		return BF_JOIN_DEARER_PLAN;
	choice->rooms[number] = verdict->room;
	choice->sending = sending;
	*choice->outcome = outcome;
	return BF_JOIN_ALLOWED;
}

static void
try_candidates(Choice *choice, double rows, List **verdicts)
{
	int			tried = 0;
	ListCell   *lc;

	foreach(lc, choice->candidates)
	{
		BfRemoteCandidate *candidate = lfirst(lc);
		BfRemoteVerdict *verdict = new_verdict(candidate);

		verdict->rows = rows;
		if (verdict->refusal == BF_JOIN_ALLOWED && rows < bf_join_filter_min_rows &&
			bf_join_filters != BF_JOIN_FILTERS_FORCE)
			verdict->refusal = BF_JOIN_FEW_TESTED;
		if (verdict->refusal == BF_JOIN_ALLOWED)
			verdict->refusal = tried++ >= MOST_TRIED ? BF_JOIN_OTHERS_GAIN_MORE :
				try_candidate(choice, candidate, foreach_current_index(lc), verdict);
		if (verdicts != NULL)
			*verdicts = lappend(*verdicts, verdict);
	}
}

void
bf_remote_choose(BfJoinPlanning *planning, BfJoinOutcome *outcome, List **verdicts)
{
	Choice		choice = {
		.planning = planning,
		.outcome = outcome
	};
	double		rows = foreign_rows(outcome->stmt);

	if (verdicts == NULL && rows == 0)
		return;
	choice.candidates = bf_remote_find(copyObject(planning->query));
	if (verdicts == NULL && !any_is_allowed(choice.candidates))
		return;
	choice.rooms = palloc0(list_length(choice.candidates) * sizeof(double));
	(void) bf_remote_find_functions(&choice.functions);
	try_candidates(&choice, rows, verdicts);
}
