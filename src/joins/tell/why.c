/*-------------------------------------------------------------------------
 *
 * why.c
 *		Tells why the joins of a query have a filter or have none:
 *
 * The query is planned and its plan is initialised, but not run, as EXPLAIN
 * does; so the same privileges are required.  Filters are added by the code
 * that adds them to every plan; it records what it finds about each key.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_node.h"
#include "storage/lockdefs.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "core/format.h"
#include "core/sizing.h"
#include "joins/choice/candidates.h"
#include "joins/hooks/hooks.h"
#include "joins/remote/remote.h"
#include "joins/tell/describe.h"
#include "joins/tell/loops.h"
#include "settings.h"

BF_SQL_FUNCTION(bloomfilter_join_filters);

/* The columns of bloom_join_filters. */
enum
{
	JOIN_TYPE, JOIN_KEY, TESTED_ABOVE, VERDICT, REASON, EXPECTED_ROWS, PASS_FRACTION,
	FILTER_BYTES, NCOLUMNS
};

/* Maximum of listed places; a table may have thousands of partitions. */
#define MOST_PLACES		3

typedef struct Report
{
	BfJoinNames names;
	List	   *verdicts;		/* BfJoinVerdict */
	Tuplestorestate *rows;
	AttInMetadata *columns;
	PlanState  *node;			/* the one above what is reported; NULL: none */
	List	   *ancestors;		/* of what is reported: Plans and SubPlans, the nearest first */
} Report;

/* In text; NULL for NULL. */
typedef struct Row
{
	const char *values[NCOLUMNS];
} Row;

/* ---------- rows ---------- */

static char *
integer(double number)
{
	return psprintf("%.0f", Min(number, 1e18));
}

static Row
new_row(const char *join, const char *key, bool chosen, const char *reason)
{
	Row			row = {
		.values = {
			[JOIN_TYPE] = join,
			[JOIN_KEY] = key,
			[VERDICT] = !chosen ? "no filter" :
			bf_join_filters == BF_JOIN_FILTERS_OFF ? "filter if on" : "filter",
			[REASON] = reason
		}
	};

	return row;
}

static void
put_row(Report *report, Row *row)
{
	tuplestore_puttuple(report->rows,
						BuildTupleFromCStrings(report->columns, (char **) row->values));
}

/* ---------- filters ---------- */

/* The node whose rows are tested, below the nodes of filters. */
static Plan *
tested_node(const BfJoinTarget *target)
{
	Plan	   *plan = *target->place;

	while (bf_is_join_filter_node(plan))
		plan = outerPlan(plan);
	return plan;
}

static char *
describe_places(const Report *report, const BfJoinDescent *descent)
{
	StringInfoData text;
	ListCell   *lc;

	initStringInfo(&text);
	foreach(lc, descent->targets)
	{
		int			i = foreach_current_index(lc);

		if (i == MOST_PLACES)
		{
			appendStringInfo(&text, " and %d more", list_length(descent->targets) - i);
			break;
		}
		appendStringInfo(&text, "%s%s", i > 0 ? ", " : "",
						 bf_join_describe_node(&report->names, tested_node(lfirst(lc))));
	}
	return text.data;
}

/*
 * Why rows are not tested below the first target that has a node below it.  A
 * scan that skips is the table itself, whatever another extension reads for it.
 */
static void
append_obstacle(const Report *report, StringInfo text, const BfJoinDescent *descent)
{
	ListCell   *lc;

	foreach(lc, descent->targets)
	{
		const BfJoinTarget *target = lfirst(lc);

		if (target->obstacle != BF_JOIN_LEAF && target->skips == NIL)
		{
			appendStringInfo(text, " Rows are not tested below %s: %s",
							 bf_join_describe_node(&report->names, tested_node(target)),
							 bf_join_reason_text(target->obstacle));
			return;
		}
	}
}

/* Why a filter that no rule forbids was added, or was not. */
static char *
describe_candidate(const Report *report, const BfJoinVerdict *verdict)
{
	const BfJoinEstimate *estimate = &verdict->candidate->estimate;
	bool		chosen = verdict->candidate->spec.number > 0;
	bool		force = bf_join_filters == BF_JOIN_FILTERS_FORCE;
	StringInfoData text;

	initStringInfo(&text);
	if (bf_join_filters == BF_JOIN_FILTERS_OFF && chosen)
		appendStringInfoString(&text, "bloomfilter.join_filters is off. ");
	if (!chosen && (force || estimate->refusal == BF_JOIN_ALLOWED))
		appendStringInfo(&text, "%s ", bf_join_reason_text(BF_JOIN_OTHERS_GAIN_MORE));
	else if (estimate->refusal != BF_JOIN_ALLOWED)
		appendStringInfo(&text, "%s%s ", force ? "bloomfilter.join_filters is force. " : "",
						 bf_join_reason_text(estimate->refusal));
	appendStringInfo(&text, "The filter costs %.0f and saves %.0f (planner cost units).",
					 estimate->spent, estimate->gain + estimate->spent);
	append_obstacle(report, &text, verdict->descent);
	return text.data;
}

static double
filter_bytes(double keys)
{
	uint32		blocks;
	int			hashes;

	return bf_choose_size(Max(keys, 1), BF_JOIN_FILTER_RATE, &blocks, &hashes) ?
		(double) blocks * BF_BLOCK_BYTES : keys * BF_JOIN_FILTER_BYTES;
}

static void
fill_candidate(const Report *report, const BfJoinVerdict *verdict, Row *row)
{
	const BfJoinEstimate *estimate = &verdict->candidate->estimate;

	row->values[TESTED_ABOVE] = describe_places(report, verdict->descent);
	row->values[EXPECTED_ROWS] = integer(verdict->descent->rows);
	row->values[PASS_FRACTION] = psprintf("%.4f", rint(estimate->pass * 1e4) / 1e4);
	row->values[FILTER_BYTES] = integer(filter_bytes(estimate->hashed_rows));
}

/* ---------- joins ---------- */

static const BfJoinVerdict *
find_verdict(const Report *report, const Plan *join, int key)
{
	ListCell   *lc;

	foreach(lc, report->verdicts)
	{
		const BfJoinVerdict *verdict = lfirst(lc);

		if (&verdict->join->plan == join && (verdict->key == key || verdict->key < 0))
			return verdict;
	}
	elog(ERROR, "no verdict on key %d of join %d", key, join->plan_node_id);
}

/* Reports a hash join or merge join. */
static void
report_sides(Report *report, Plan *plan, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		const BfJoinVerdict *verdict = find_verdict(report, plan, foreach_current_index(lc));
		const BfJoinCandidate *candidate = verdict->candidate;
		Row			row = new_row(bf_join_describe_join(plan),
								  bf_join_describe_expression(&report->names, plan,
															  report->ancestors, lfirst(lc)),
								  candidate != NULL && candidate->spec.number > 0,
								  candidate != NULL ? describe_candidate(report, verdict) :
								  bf_join_reason_text(verdict->refusal));

		if (candidate != NULL)
			fill_candidate(report, verdict, &row);
		put_row(report, &row);
	}
}

/* Reports a join that has no keys to hash. */
static void
report_loop(Report *report, Join *join)
{
	Row			row = new_row(bf_join_describe_join(&join->plan), NULL, false,
							  bf_join_reason_text(bf_join_loop_reason(join)));

	if (join->joinqual != NIL)
		row.values[JOIN_KEY] = bf_join_describe_expression(&report->names, &join->plan,
														   report->ancestors,
														   (Node *) make_ands_explicit(join->joinqual));
	put_row(report, &row);
}

static void
report_join(Report *report, Plan *plan)
{
	if (IsA(plan, HashJoin))
		report_sides(report, plan, ((HashJoin *) plan)->hashclauses);
	else if (IsA(plan, MergeJoin) && ((MergeJoin *) plan)->mergeclauses != NIL)
		report_sides(report, plan, ((MergeJoin *) plan)->mergeclauses);
	else if (IsA(plan, MergeJoin) || IsA(plan, NestLoop))
		report_loop(report, (Join *) plan);
}

/* ---------- foreign tables ---------- */

/* The name of a foreign table, or partition, that was never analyzed. */
static char *
table_without_statistics(Oid relation)
{
	char	   *result = NULL;
	ListCell   *lc;

	foreach(lc, find_all_inheritors(relation, NoLock, NULL))
	{
		HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(lfirst_oid(lc)));
		Form_pg_class form;

		/* it may have been dropped */
		if (!HeapTupleIsValid(tuple))
			continue;
		form = (Form_pg_class) GETSTRUCT(tuple);
		if (form->relkind == RELKIND_FOREIGN_TABLE && form->reltuples < 0 && result == NULL)
			result = pstrdup(NameStr(form->relname));
		ReleaseSysCache(tuple);
	}
	return result;
}

/* Is the refusal a matter of costs, which depend on statistics? */
static bool
is_about_costs(BfJoinReason refusal)
{
	return refusal == BF_JOIN_FEW_TESTED || refusal == BF_JOIN_DEARER_PLAN ||
		refusal == BF_JOIN_LONG_PLANNING;
}

static char *
describe_remote(const BfRemoteVerdict *verdict)
{
	const char *not_analyzed = is_about_costs(verdict->refusal) ?
		table_without_statistics(verdict->relation) : NULL;
	StringInfoData text;

	initStringInfo(&text);
	if (verdict->refusal != BF_JOIN_ALLOWED)
		appendStringInfo(&text, "%s ", bf_join_reason_text(verdict->refusal));
	else if (bf_join_filters == BF_JOIN_FILTERS_OFF)
		appendStringInfoString(&text, "bloomfilter.join_filters is off. ");
	if (verdict->with > 0)
		appendStringInfo(&text, "The plan costs %.0f with the filter and %.0f without (planner cost units). ",
						 verdict->with, verdict->without);
	if (not_analyzed != NULL)
		appendStringInfo(&text, "Foreign table %s has no statistics: run ANALYZE. ",
						 quote_identifier(not_analyzed));
	text.data[text.len - 1] = '\0';
	return text.data;
}

/* The filters that other servers test, and why others are not possible. */
static void
report_foreign_tables(Report *report, List *verdicts)
{
	ListCell   *lc;

	foreach(lc, verdicts)
	{
		const BfRemoteVerdict *verdict = lfirst(lc);
		Row			row = new_row("Foreign Table", verdict->key,
								  verdict->refusal == BF_JOIN_ALLOWED, describe_remote(verdict));

		row.values[TESTED_ABOVE] = psprintf("Foreign Scan on %s, there", verdict->table);
		row.values[EXPECTED_ROWS] = integer(verdict->rows);
		if (verdict->bytes > 0)
			row.values[FILTER_BYTES] = integer(verdict->bytes);
		put_row(report, &row);
	}
}

/* ---------- plans ---------- */

/* The sub-select that a node below another is the top of; NULL: of none. */
static SubPlan *
find_sub_select(PlanState *above, PlanState *node)
{
	ListCell   *lc;

	foreach(lc, list_concat_copy(above->initPlan, above->subPlan))
	{
		SubPlanState *state = lfirst_node(SubPlanState, lc);

		if (state->planstate == node)
			return state->subplan;
	}
	return NULL;
}

/* The joins at and below a node, in the order in which EXPLAIN shows them. */
static bool
report_node(PlanState *node, Report *parent)
{
	Report		report = *parent;
	SubPlan    *sub_select = parent->node == NULL ? NULL : find_sub_select(parent->node, node);

	CHECK_FOR_INTERRUPTS();
	if (sub_select != NULL)
		report.ancestors = list_concat(list_make1(sub_select), report.ancestors);
	/* what is below a foreign scan is for EvalPlanQual only */
	else if (parent->node != NULL && IsA(parent->node, ForeignScanState))
		return false;
	report_join(&report, node->plan);
	report.node = node;
	report.ancestors = list_concat(list_make1(node->plan), report.ancestors);
	return planstate_tree_walker(node, BF_WALKER(report_node), &report);
}

/* So that there is an answer for each query. */
static void
report_no_join(Report *report)
{
	Row			row = new_row(NULL, NULL, false, bf_join_reason_text(BF_JOIN_NONE));

	put_row(report, &row);
}

/* ---------- the query ---------- */

/*
 * Makes an error's position refer to the query, not to the calling statement.
 */
static void
add_context(void *query)
{
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(query);
	}
}

/* Without the parameter's value the plan would be another. */
static Node *
refuse_parameter(ParseState *pstate, ParamRef *parameter)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_PARAMETER),
			 errmsg("bloom_join_filters does not know the value of parameter $%d",
					parameter->number),
			 errhint("Write a value in its place, such as 42 or date '2024-01-31'."),
			 parser_errposition(pstate, parameter->location)));
}

static void
refuse_parameters(ParseState *pstate, void *unused)
{
	(void) unused;
	pstate->p_paramref_hook = refuse_parameter;
}

static void
report_query(Query *query, const char *text, ReturnSetInfo *result)
{
	Report		report = {
		.rows = result->setResult,
		.columns = TupleDescGetAttInMetadata(result->setDesc)
	};
	BfJoinFindings findings = {0};
	int64		reported = tuplestore_tuple_count(report.rows);
	PlannedStmt *stmt;
	QueryDesc  *desc;

	if (query->commandType == CMD_UTILITY)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("bloom_join_filters does not plan %s",
						GetCommandTagName(CreateCommandTag(query->utilityStmt))),
				 errhint("Pass the SELECT, INSERT, UPDATE, DELETE, MERGE or VALUES itself.")));
	stmt = bf_join_plan_and_tell(query, text, CURSOR_OPT_PARALLEL_OK, &findings);
	report.verdicts = findings.verdicts;

	/* this also checks privileges */
	desc = CreateQueryDesc(stmt, text, GetActiveSnapshot(), InvalidSnapshot, None_Receiver,
						   NULL, NULL, 0);
	ExecutorStart(desc, EXEC_FLAG_EXPLAIN_ONLY);
	bf_join_learn_names(&report.names, stmt);
	(void) report_node(desc->planstate, &report);
	report_foreign_tables(&report, findings.remote);
	if (tuplestore_tuple_count(report.rows) == reported)
		report_no_join(&report);
	ExecutorEnd(desc);
	FreeQueryDesc(desc);
}

Datum
bloomfilter_join_filters(PG_FUNCTION_ARGS)
{
	char	   *sql = TextDatumGetCString(PG_GETARG_DATUM(0));
	ErrorContextCallback callback = {
		.previous = error_context_stack,
		.callback = add_context,
		.arg = sql
	};
	List	   *statements;
	ListCell   *lc;

	InitMaterializedSRF(fcinfo, 0);
	error_context_stack = &callback;
	statements = pg_parse_query(sql);
	if (list_length(statements) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("bloom_join_filters takes one statement, not %d", list_length(statements))));
	foreach(lc, pg_analyze_and_rewrite_withcb(linitial_node(RawStmt, statements), sql,
											  refuse_parameters, NULL, NULL))
		report_query(lfirst_node(Query, lc), sql, (ReturnSetInfo *) fcinfo->resultinfo);
	error_context_stack = callback.previous;
	PG_RETURN_NULL();
}
