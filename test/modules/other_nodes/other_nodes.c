/*-------------------------------------------------------------------------
 *
 * other_nodes.c
 *		Puts a custom scan on the outer side of every hash join; or, if that is an
 *		Append, in the place of every sequential scan below it.
 *
 * The first hands on the rows of its child, the second reads the table.  As
 * nodes of other extensions are, they are in the plan before join filters are
 * looked for: the library has to be loaded before bloomfilter.
 *
 * A function makes an access method of tables that is heap by another name.
 *
 * It takes the names that an extension with Bloom filters is likely to take:
 * all libraries of a server share them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "access/tableam.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/plannodes.h"
#include "optimizer/planner.h"
#include "parser/parsetree.h"
#include "utils/rel.h"

#include "compat.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);
PG_FUNCTION_INFO_V1(other_table_handler);

static Node *create_state(CustomScan *plan);
static Node *create_reader(CustomScan *plan);
static void begin(CustomScanState *node, EState *estate, int eflags);
static TupleTableSlot *next_row(CustomScanState *node);
static void end(CustomScanState *node);
static void rescan(CustomScanState *node);
static void begin_reader(CustomScanState *node, EState *estate, int eflags);
static TupleTableSlot *read_row(CustomScanState *node);
static void end_reader(CustomScanState *node);
static void rescan_reader(CustomScanState *node);

static planner_hook_type previous_planner_hook = NULL;

static const CustomScanMethods scan_methods = {
	.CustomName = "Other Node",
	.CreateCustomScanState = create_state
};

static const CustomExecMethods exec_methods = {
	.CustomName = "Other Node",
	.BeginCustomScan = begin,
	.ExecCustomScan = next_row,
	.EndCustomScan = end,
	.ReScanCustomScan = rescan
};

static const CustomScanMethods reader_methods = {
	.CustomName = "Other Reader",
	.CreateCustomScanState = create_reader
};

static const CustomExecMethods exec_reader_methods = {
	.CustomName = "Other Reader",
	.BeginCustomScan = begin_reader,
	.ExecCustomScan = read_row,
	.EndCustomScan = end_reader,
	.ReScanCustomScan = rescan_reader
};

static const CustomScanMethods other_methods[] = {
	{.CustomName = "Bloom Filter", .CreateCustomScanState = create_state},
	{.CustomName = "Bloom Filter Build", .CreateCustomScanState = create_state},
	{.CustomName = "Bloom Filter Probe", .CreateCustomScanState = create_state},
	{.CustomName = "Bloom Filter Handover", .CreateCustomScanState = create_state},
	{.CustomName = "BloomFilter", .CreateCustomScanState = create_state}
};

/* ---------- plans ---------- */

static Plan *
wrap(Plan *child)
{
	CustomScan *result = makeNode(CustomScan);
	Plan	   *plan = &result->scan.plan;
	ListCell   *lc;

	*plan = *child;
	plan->type = T_CustomScan;
	plan->targetlist = plan->qual = plan->initPlan = NIL;
	plan->lefttree = plan->righttree = NULL;
	foreach(lc, child->targetlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		Node	   *expression = (Node *) entry->expr;
		Var		   *var = makeVar(INDEX_VAR, entry->resno, exprType(expression),
								  exprTypmod(expression), exprCollation(expression), 0);

		result->custom_scan_tlist = lappend(result->custom_scan_tlist, copyObject(entry));
		plan->targetlist = lappend(plan->targetlist,
								   makeTargetEntry((Expr *) var, entry->resno, entry->resname,
												   entry->resjunk));
	}
	result->custom_plans = list_make1(child);
	result->methods = &scan_methods;
	return plan;
}

static Node *
refer_to_list(Node *node, void *relation)
{
	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && ((Var *) node)->varno == (int) *(const Index *) relation)
	{
		Var		   *var = copyObject((Var *) node);

		var->varno = INDEX_VAR;
		return (Node *) var;
	}
	return expression_tree_mutator(node, BF_MUTATOR(refer_to_list), relation);
}

/* Describe the scan's tuples by a list, as if they were not the table's. */
static void
describe_tuples(CustomScan *scan, const PlannedStmt *stmt)
{
	Index		relation = scan->scan.scanrelid;
	Relation	table = table_open(rt_fetch(relation, stmt->rtable)->relid, NoLock);
	int			i;

	for (i = 1; i <= RelationGetNumberOfAttributes(table); i++)
	{
		const FormData_pg_attribute *column = TupleDescAttr(RelationGetDescr(table), i - 1);
		Var		   *var = makeVar((int) relation, (AttrNumber) i, column->atttypid,
								  column->atttypmod, column->attcollation, 0);

		scan->custom_scan_tlist = lappend(scan->custom_scan_tlist,
										  makeTargetEntry((Expr *) var, (AttrNumber) i, NULL, false));
	}
	table_close(table, NoLock);
	scan->scan.plan.targetlist = (List *) refer_to_list((Node *) scan->scan.plan.targetlist, &relation);
	scan->scan.plan.qual = (List *) refer_to_list((Node *) scan->scan.plan.qual, &relation);
}

/* A scan of the same table. */
static Plan *
replace_scan(const SeqScan *scan, const PlannedStmt *stmt, bool described)
{
	CustomScan *result = makeNode(CustomScan);

	result->scan = scan->scan;
	result->scan.plan.type = T_CustomScan;
	result->methods = &reader_methods;
	if (described)
		describe_tuples(result, stmt);
	return &result->scan.plan;
}

static void
put_nodes(Plan *plan, const PlannedStmt *stmt)
{
	ListCell   *lc;

	if (plan == NULL)
		return;
	put_nodes(outerPlan(plan), stmt);
	put_nodes(innerPlan(plan), stmt);
	if (IsA(plan, Append))
		foreach(lc, ((Append *) plan)->appendplans)
			if (IsA(lfirst(lc), SeqScan))
				lfirst(lc) = replace_scan(lfirst(lc), stmt, foreach_current_index(lc) % 2 == 1);
	if (IsA(plan, HashJoin) && !IsA(outerPlan(plan), Append))
		outerPlan(plan) = wrap(outerPlan(plan));
}

static
BF_PLANNER_HOOK(plan_with_other_nodes)
{
	BfPlannerCall call = BF_PLANNER_CALL;
	planner_hook_type planner = previous_planner_hook ? previous_planner_hook : standard_planner;
	PlannedStmt *result = BF_CALL_PLANNER(planner, &call);

	put_nodes(result->planTree, result);
	return result;
}

/* ---------- execution ---------- */

static Node *
create_state(CustomScan *plan)
{
	CustomScanState *result = makeNode(CustomScanState);

	(void) plan;
	result->methods = &exec_methods;
	return (Node *) result;
}

static PlanState *
child_of(CustomScanState *node)
{
	return linitial(node->custom_ps);
}

static void
begin(CustomScanState *node, EState *estate, int eflags)
{
	CustomScan *plan = (CustomScan *) node->ss.ps.plan;

	node->custom_ps = list_make1(ExecInitNode(linitial(plan->custom_plans), estate, eflags));
}

static TupleTableSlot *
next_row(CustomScanState *node)
{
	TupleTableSlot *slot = ExecProcNode(child_of(node));

	return TupIsNull(slot) ? NULL : ExecCopySlot(node->ss.ss_ScanTupleSlot, slot);
}

static void
end(CustomScanState *node)
{
	ExecEndNode(child_of(node));
}

static void
rescan(CustomScanState *node)
{
	ExecReScan(child_of(node));
}

/* ---------- the scan of a table ---------- */

typedef struct ReaderState
{
	CustomScanState css;
	TupleTableSlot *slot;		/* as the table has rows */
} ReaderState;

static Node *
create_reader(CustomScan *plan)
{
	ReaderState *result = palloc0(sizeof(ReaderState));

	(void) plan;
	NodeSetTag(result, T_CustomScanState);
	result->css.methods = &exec_reader_methods;
	return (Node *) result;
}

static void
begin_reader(CustomScanState *node, EState *estate, int eflags)
{
	Relation	table = node->ss.ss_currentRelation;

	(void) eflags;
	((ReaderState *) node)->slot = table_slot_create(table, &estate->es_tupleTable);
	node->ss.ss_currentScanDesc = table_beginscan_strat(table, estate->es_snapshot, 0, NULL, true, true);
}

static TupleTableSlot *
next_table_row(ScanState *node)
{
	TupleTableSlot *slot = ((ReaderState *) node)->slot;

	if (!table_scan_getnextslot(node->ss_currentScanDesc, ForwardScanDirection, slot))
		return NULL;
	return ExecCopySlot(node->ss_ScanTupleSlot, slot);
}

static bool
recheck(ScanState *node, TupleTableSlot *slot)
{
	(void) node;
	(void) slot;
	return true;
}

static TupleTableSlot *
read_row(CustomScanState *node)
{
	return ExecScan(&node->ss, next_table_row, recheck);
}

static void
end_reader(CustomScanState *node)
{
	table_endscan(node->ss.ss_currentScanDesc);
}

static void
rescan_reader(CustomScanState *node)
{
	table_rescan(node->ss.ss_currentScanDesc, NULL);
	ExecScanReScan(&node->ss);
}

Datum
other_table_handler(PG_FUNCTION_ARGS)
{
	static TableAmRoutine routine;

	routine = *GetHeapamTableAmRoutine();
	PG_RETURN_POINTER(&routine);
}

void
_PG_init(void)
{
	int			i;

	RegisterCustomScanMethods(&scan_methods);
	RegisterCustomScanMethods(&reader_methods);
	for (i = 0; i < (int) lengthof(other_methods); i++)
		RegisterCustomScanMethods(&other_methods[i]);
	previous_planner_hook = planner_hook;
	planner_hook = plan_with_other_nodes;
}
