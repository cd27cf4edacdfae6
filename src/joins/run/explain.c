/*-------------------------------------------------------------------------
 *
 * explain.c
 *		What EXPLAIN shows for the nodes of join filters.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "commands/explain.h"
#include "executor/instrument.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#include "compat.h"
#include "joins/run/explain.h"
#include "joins/run/skip.h"
#include "joins/run/state.h"
#include "settings.h"

/* Rounded up, as by the server. */
#define BYTES_IN_KB(bytes)	((int64) (((bytes) + 1023) / 1024))

/* The columns of a key in SQL, by their names below the node. */
static List *
deparse_key(CustomScanState *node, List *columns, List *ancestors, ExplainState *es)
{
	List	   *context = set_deparse_context_plan(es->deparse_cxt, node->ss.ps.plan, ancestors);
	bool		qualified = BF_EXPLAIN_RELATIONS(es) > 1 || es->verbose;
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, columns)
		result = lappend(result, deparse_expression(lfirst(lc), context, qualified, false));
	return result;
}

void
bf_join_explain_build(CustomScanState *node, List *ancestors, ExplainState *es)
{
	BfJoinBuildState *build = (BfJoinBuildState *) node;
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;

	ExplainPropertyInteger("Builds Bloom Filter", NULL, build->spec.number, es);
	ExplainPropertyList("Keys", deparse_key(node, plan->custom_exprs, ancestors, es), es);
	if (!es->analyze)
		return;
	if (build->phase == BF_JOIN_BUILD_COMPLETE && build->filter.nblocks > 0)
		ExplainPropertyInteger("Memory Usage", "kB",
							   BYTES_IN_KB(build->filter.nblocks * (Size) BF_BLOCK_BYTES), es);
	if (build->phase == BF_JOIN_BUILD_GIVEN_UP || es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyBool("Too Many Keys", build->phase == BF_JOIN_BUILD_GIVEN_UP, es);
}

/* The memory shown is that of the last workers. */
void
bf_join_explain_handover(CustomScanState *node, List *ancestors pg_attribute_unused(),
						 ExplainState *es)
{
	BfJoinHandoverState *handover = (BfJoinHandoverState *) node;
	List	   *filters = NIL;
	int			i;

	for (i = 0; i < handover->nfilters; i++)
		filters = lappend(filters, psprintf("filter %d", handover->filters[i].spec.number));
	ExplainPropertyList("Bloom Filter Copy to Workers", filters, es);
	if (es->analyze && handover->bytes > 0)
		ExplainPropertyInteger("Memory Usage", "kB", BYTES_IN_KB(handover->bytes), es);
}

/* Such as "f.customer_id (filter 1)". */
static char *
describe_filter(const BfJoinProbeFilter *pf, List *columns)
{
	StringInfoData text;
	ListCell   *lc;

	initStringInfo(&text);
	foreach(lc, columns)
		appendStringInfo(&text, "%s%s", (char *) lfirst(lc), lnext(columns, lc) ? ", " : "");
	appendStringInfo(&text, " (filter %d)", pf->spec.number);
	return text.data;
}

static void
explain_filters(BfJoinProbeState *probe, List *ancestors, ExplainState *es)
{
	CustomScan *plan = (CustomScan *) probe->css.ss.ps.plan;
	List	   *columns = deparse_key(&probe->css, plan->custom_exprs, ancestors, es);
	List	   *filters = NIL;
	int			i;

	for (i = 0; i < probe->nfilters; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];

		filters = lappend(filters,
						  describe_filter(pf, list_truncate(list_copy(columns), pf->key.ncolumns)));
		columns = list_delete_first_n(columns, pf->key.ncolumns);
	}
	ExplainPropertyList("Bloom Filter Key", filters, es);
}

/*
 * Shown for the process that runs EXPLAIN.  A filter by which rows are no
 * longer tested goes on to tell which partitions and pages are skipped.
 */
static void
explain_switching(BfJoinProbeState *probe, ExplainState *es)
{
	List	   *filters = NIL;
	int			i;

	for (i = 0; i < probe->nfilters; i++)
	{
		BfJoinProbeFilter *pf = &probe->filters[i];

		if (pf->off_count > 0)
			filters = lappend(filters, psprintf("filter %d after " UINT64_FORMAT " rows%s",
												pf->spec.number, pf->off_after,
												pf->spec.skips != NIL && bf_join_skip ?
												" (skipping goes on)" : ""));
	}
	if (filters != NIL)
		ExplainPropertyList("Testing Switched Off", filters, es);
}

/*
 * Shows a count of all processes, divided by loops, like the server's "Rows
 * Removed" lines.
 */
static void
explain_count(const char *label, double count, const BF_NODE_INSTRUMENTATION *instrument,
			  ExplainState *es)
{
	ExplainPropertyFloat(label, NULL, instrument->nloops > 0 ? count / instrument->nloops : 0,
						 0, es);
}

static const char *
skip_name(const BfJoinSkip *skip)
{
	const char *index;

	if (skip->kind == BF_JOIN_SKIP_PARTITION)
		return "partition bounds";
	index = get_rel_name(skip->index);
	return index != NULL ? quote_identifier(index) : "an index";
}

/* Such as "sales_sold_on_idx (filter 1)". */
static void
explain_skip_by(BfJoinProbeState *probe, ExplainState *es)
{
	List	   *by = NIL;
	int			i;
	ListCell   *lc;

	for (i = 0; i < probe->nfilters; i++)
		foreach(lc, probe->filters[i].spec.skips)
			by = lappend(by, psprintf("%s (filter %d)", skip_name(lfirst(lc)),
									  probe->filters[i].spec.number));
	if (by != NIL)
		ExplainPropertyList("Skip By", by, es);
}

/*
 * Counts all scans and processes: a page is skipped by the process that would
 * read it.  Of another extension's scan, those of this process.
 */
static void
explain_skipped(const BfJoinProbeState *probe, ExplainState *es)
{
	const PlanState *child = outerPlanState(probe);
	double		scans;
	double		pages;

	if (probe->skip == NULL)
		return;
	scans = IsA(child, CustomScanState) ? (double) probe->counts.partitions_skipped :
		BF_SKIPPED_SCANS(child->instrument);
	pages = IsA(child, SeqScanState) ? BF_SKIPPED_PAGES(child->instrument) : 0;
	if (scans > 0 || es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyFloat("Partitions Skipped", NULL, scans, 0, es);
	if (pages > 0 || es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyFloat("Pages Skipped", NULL, pages, 0, es);
}

void
bf_join_explain_probe(CustomScanState *node, List *ancestors, ExplainState *es)
{
	BfJoinProbeState *probe = (BfJoinProbeState *) node;
	BF_NODE_INSTRUMENTATION *instrument = node->ss.ps.instrument;

	explain_filters(probe, ancestors, es);
	explain_skip_by(probe, es);
	if (!es->analyze || instrument == NULL)
		return;
	explain_count("Rows Removed by Bloom Filter", instrument->nfiltered1, instrument, es);
	explain_count("Rows Tested by Bloom Filter", instrument->nfiltered2, instrument, es);
	explain_skipped(probe, es);
	explain_switching(probe, es);
	if (instrument->ntuples2 > 0 || es->format != EXPLAIN_FORMAT_TEXT)
		ExplainPropertyFloat("Times Testing Switched Off", NULL, instrument->ntuples2, 0, es);
}
