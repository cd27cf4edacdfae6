/*-------------------------------------------------------------------------
 *
 * nodes.c
 *		Nodes of plans: their kinds, their children and their expressions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "parser/parsetree.h"

#include "estimates/expression.h"
#include "joins/rules/nodes.h"

/* What is known of a kind of node; all is false of a kind that is not known. */
typedef struct NodeKind
{
	const char *name;			/* NULL: no rows are tested above such a node */
	bool		is_scan;		/* of a relation or of anything in its place */
	bool		is_within_join;
	BfJoinReason refusal;
} NodeKind;

static const NodeKind kinds[] = {
	[T_SeqScan] = {.name = "Seq Scan", .is_scan = true},
	[T_SampleScan] = {.name = "Sample Scan", .is_scan = true},
	[T_IndexScan] = {.name = "Index Scan", .is_scan = true},
	[T_IndexOnlyScan] = {.name = "Index Only Scan", .is_scan = true},
	[T_BitmapHeapScan] = {.name = "Bitmap Heap Scan", .is_scan = true},
	[T_TidScan] = {.name = "Tid Scan", .is_scan = true},
	[T_TidRangeScan] = {.name = "Tid Range Scan", .is_scan = true},
	[T_SubqueryScan] = {.name = "Subquery Scan", .is_scan = true},
	[T_FunctionScan] = {.name = "Function Scan", .is_scan = true},
	[T_ValuesScan] = {.name = "Values Scan", .is_scan = true},
	[T_TableFuncScan] = {.name = "Table Function Scan", .is_scan = true},
	[T_CteScan] = {.name = "CTE Scan", .is_scan = true, .refusal = BF_JOIN_CTE},
	[T_NamedTuplestoreScan] = {.name = "Named Tuplestore Scan", .is_scan = true},
	[T_WorkTableScan] = {.name = "WorkTable Scan", .is_scan = true},
	[T_ForeignScan] = {.name = "Foreign Scan", .is_scan = true, .refusal = BF_JOIN_FOREIGN},
	[T_CustomScan] = {.name = "Custom Scan", .is_scan = true, .refusal = BF_JOIN_CUSTOM},
	[T_NestLoop] = {.name = "Nested Loop"},
	[T_MergeJoin] = {.name = "Merge"},
	[T_HashJoin] = {.name = "Hash"},
	[T_Hash] = {.is_within_join = true},
	[T_Memoize] = {.is_within_join = true},
	[T_Material] = {.name = "Materialize", .is_within_join = true},
	[T_Sort] = {.name = "Sort", .is_within_join = true},
	[T_IncrementalSort] = {.name = "Incremental Sort", .is_within_join = true},
	[T_Gather] = {.name = "Gather", .is_within_join = true},
	[T_GatherMerge] = {.name = "Gather Merge", .is_within_join = true},
	[T_Group] = {.name = "Group"},
	[T_Agg] = {.name = "Aggregate"},
	[T_WindowAgg] = {.name = "WindowAgg"},
	[T_Unique] = {.name = "Unique"},
	[T_SetOp] = {.name = "SetOp", .refusal = BF_JOIN_SET_OPERATION},
	[T_LockRows] = {.name = "LockRows", .refusal = BF_JOIN_LOCKS},
	[T_Limit] = {.name = "Limit", .refusal = BF_JOIN_LIMIT},
	[T_Result] = {.name = "Result"},
	[T_ProjectSet] = {.name = "ProjectSet", .refusal = BF_JOIN_SET_FUNCTION},
	[T_Append] = {.name = "Append"},
	[T_MergeAppend] = {.name = "Merge Append"}
};

static const NodeKind *
kind_of(const Plan *plan)
{
	return &kinds[nodeTag(plan) < lengthof(kinds) ? nodeTag(plan) : T_Invalid];
}

List *
bf_join_other_children(Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_Append:
			return ((Append *) plan)->appendplans;
		case T_MergeAppend:
			return ((MergeAppend *) plan)->mergeplans;
		case T_BitmapAnd:
			return ((BitmapAnd *) plan)->bitmapplans;
		case T_BitmapOr:
			return ((BitmapOr *) plan)->bitmapplans;
		case T_SubqueryScan:
			return list_make1(((SubqueryScan *) plan)->subplan);
		case T_CustomScan:
			return ((CustomScan *) plan)->custom_plans;
		default:
			return NIL;
	}
}

void
bf_join_walk(Plan *plan, void (*visit) (Plan *plan, void *context), void *context)
{
	ListCell   *lc;

	if (plan == NULL)
		return;
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	bf_join_walk(outerPlan(plan), visit, context);
	bf_join_walk(innerPlan(plan), visit, context);
	foreach(lc, bf_join_other_children(plan))
		bf_join_walk(lfirst(lc), visit, context);
	visit(plan, context);
}

bool
bf_join_node_expressions(Plan *plan, List **result)
{
	List	   *own = NIL;

	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_CteScan:
		case T_NamedTuplestoreScan:
		case T_WorkTableScan:
		case T_SubqueryScan:
		case T_Append:
		case T_MergeAppend:
		case T_BitmapAnd:
		case T_BitmapOr:
		case T_RecursiveUnion:
		case T_ProjectSet:
		case T_Material:
		case T_Sort:
		case T_IncrementalSort:
		case T_Group:
		case T_Agg:
		case T_Unique:
		case T_SetOp:
		case T_Gather:
		case T_GatherMerge:
		case T_LockRows:
			break;
		case T_Result:
			own = list_make1(((Result *) plan)->resconstantqual);
			break;
		case T_SampleScan:
			own = list_make1(((SampleScan *) plan)->tablesample);
			break;
		case T_IndexScan:
			own = list_make2(((IndexScan *) plan)->indexqualorig,
							 ((IndexScan *) plan)->indexorderbyorig);
			break;
		case T_IndexOnlyScan:
			own = list_make2(((IndexOnlyScan *) plan)->indexqual,
							 ((IndexOnlyScan *) plan)->indexorderby);
			break;
		case T_BitmapIndexScan:
			own = list_make1(((BitmapIndexScan *) plan)->indexqualorig);
			break;
		case T_BitmapHeapScan:
			own = list_make1(((BitmapHeapScan *) plan)->bitmapqualorig);
			break;
		case T_TidScan:
			own = list_make1(((TidScan *) plan)->tidquals);
			break;
		case T_TidRangeScan:
			own = list_make1(((TidRangeScan *) plan)->tidrangequals);
			break;
		case T_FunctionScan:
			own = list_make1(((FunctionScan *) plan)->functions);
			break;
		case T_ValuesScan:
			own = list_make1(((ValuesScan *) plan)->values_lists);
			break;
		case T_TableFuncScan:
			own = list_make1(((TableFuncScan *) plan)->tablefunc);
			break;
		case T_ForeignScan:
			own = list_make1(((ForeignScan *) plan)->fdw_exprs);
			break;
		case T_CustomScan:
			own = list_make2(((CustomScan *) plan)->custom_exprs,
							 ((CustomScan *) plan)->custom_scan_tlist);
			break;
		case T_NestLoop:
			own = list_make1(((Join *) plan)->joinqual);
			break;
		case T_MergeJoin:
			own = list_make2(((Join *) plan)->joinqual, ((MergeJoin *) plan)->mergeclauses);
			break;
		case T_HashJoin:
			own = list_make3(((Join *) plan)->joinqual, ((HashJoin *) plan)->hashclauses,
							 ((HashJoin *) plan)->hashkeys);
			break;
		case T_Hash:
			own = list_make1(((Hash *) plan)->hashkeys);
			break;
		case T_Memoize:
			own = list_make1(((Memoize *) plan)->param_exprs);
			break;
		case T_WindowAgg:
			own = list_make3(((WindowAgg *) plan)->startOffset, ((WindowAgg *) plan)->endOffset,
							 ((WindowAgg *) plan)->runCondition);
			break;
		case T_Limit:
			own = list_make2(((Limit *) plan)->limitOffset, ((Limit *) plan)->limitCount);
			break;
		default:
			return false;
	}
	*result = lappend(lappend(own, plan->targetlist), plan->qual);
	return true;
}

Var *
bf_join_listed_var(List *targetlist, AttrNumber column)
{
	const TargetEntry *entry = get_tle_by_resno(targetlist, column);
	Expr	   *expression = entry == NULL ? NULL : bf_strip_relabel(entry->expr);

	return expression != NULL && IsA(expression, Var) ? (Var *) expression : NULL;
}

/* The column of varno that a column of the list is, unchanged; or 0. */
static AttrNumber
listed_column(List *targetlist, AttrNumber column, int varno)
{
	const Var  *var = bf_join_listed_var(targetlist, column);

	return var != NULL && var->varno == varno && var->varattno > 0 ? var->varattno : 0;
}

AttrNumber
bf_join_passed_column(Plan *plan, AttrNumber column, int varno)
{
	List	   *scanned = IsA(plan, CustomScan) ? ((CustomScan *) plan)->custom_scan_tlist : NIL;

	/* another extension's scan may have columns in another order, or fewer */
	if (scanned != NIL)
		return listed_column(scanned, listed_column(plan->targetlist, column, INDEX_VAR), varno);
	return listed_column(plan->targetlist, column, varno);
}

AttrNumber
bf_join_scanned_column(Plan *scan, AttrNumber column)
{
	const Var  *var = bf_join_listed_var(scan->targetlist, column);

	if (var != NULL && var->varno == INDEX_VAR)
		var = bf_join_listed_var(((IndexOnlyScan *) scan)->indextlist, var->varattno);
	return var != NULL && var->varattno > 0 ? var->varattno : 0;
}

bool
bf_join_is_table_scan(const Plan *plan)
{
	return IsA(plan, SeqScan) || IsA(plan, IndexScan) || IsA(plan, IndexOnlyScan) ||
		IsA(plan, BitmapHeapScan);
}

const char *
bf_join_node_name(const Plan *plan)
{
	return kind_of(plan)->name;
}

Index
bf_join_scanned_relation(const Plan *plan)
{
	return kind_of(plan)->is_scan ? ((const Scan *) plan)->scanrelid : 0;
}

bool
bf_join_is_within_join(const Plan *plan)
{
	return kind_of(plan)->is_within_join;
}

BfJoinReason
bf_join_node_refusal(const Plan *plan)
{
	BfJoinReason refusal = kind_of(plan)->refusal;

	if (IsA(plan, CustomScan) && ((const CustomScan *) plan)->custom_plans != NIL)
		return BF_JOIN_CUSTOM_CHILDREN;
	return refusal != BF_JOIN_ALLOWED ? refusal : BF_JOIN_LEAF;
}
