/*-------------------------------------------------------------------------
 *
 * nodes.c
 *		Nodes of plans: their children and their expressions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "parser/parsetree.h"

#include "estimates/expression.h"
#include "joins/rules/nodes.h"

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

/* The column of varno that a column of the list is, unchanged; or 0. */
static AttrNumber
listed_column(List *targetlist, AttrNumber column, int varno)
{
	const TargetEntry *entry = get_tle_by_resno(targetlist, column);
	const Var  *var = entry == NULL ? NULL : (const Var *) bf_strip_relabel(entry->expr);

	return var != NULL && IsA(var, Var) && var->varno == varno && var->varattno > 0 ?
		var->varattno : 0;
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

bool
bf_join_is_scan(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_SampleScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
		case T_SubqueryScan:
		case T_FunctionScan:
		case T_ValuesScan:
		case T_TableFuncScan:
		case T_CteScan:
		case T_NamedTuplestoreScan:
		case T_WorkTableScan:
		case T_ForeignScan:
		case T_CustomScan:
			return true;
		default:
			return false;
	}
}

bool
bf_join_is_table_scan(const Plan *plan)
{
	return IsA(plan, SeqScan) || IsA(plan, IndexScan) || IsA(plan, IndexOnlyScan) ||
		IsA(plan, BitmapHeapScan);
}

bool
bf_join_is_within_join(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_Hash:
		case T_Sort:
		case T_IncrementalSort:
		case T_Material:
		case T_Memoize:
		case T_Gather:
		case T_GatherMerge:
			return true;
		default:
			return false;
	}
}
