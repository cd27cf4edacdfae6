/*-------------------------------------------------------------------------
 *
 * columns.c
 *		What a column of a plan is computed from.
 *
 * A node's columns refer to those of its child, and so on down to where they
 * are computed.  EXPLAIN follows these references; so does pg_qualstats, whose
 * description of what it finds grows by a factor of three to four with each of
 * them: with two more for each of our nodes, a join of five tables failed with out
 * of memory.  The server accepts no fewer of a CustomScan.  So a node of ours says
 * at once what EXPLAIN finds further down, and adds none.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"

#include "compat.h"
#include "joins/hooks/columns.h"

/* The list to which a Var of a plan node refers, and the node that made it. */
static List *
referred_list(Plan **plan, const Var *var)
{
	if (var->varno == INDEX_VAR)
		switch (nodeTag(*plan))
		{
			case T_IndexOnlyScan:
				return ((IndexOnlyScan *) *plan)->indextlist;
			case T_ForeignScan:
				return ((ForeignScan *) *plan)->fdw_scan_tlist;
			case T_CustomScan:
				return ((CustomScan *) *plan)->custom_scan_tlist;
			default:
				return NIL;
		}
	/* Append has neither: EXPLAIN gives the columns below it other names */
	*plan = var->varno == OUTER_VAR ? outerPlan(*plan) : innerPlan(*plan);
	return *plan == NULL ? NIL : (*plan)->targetlist;
}

/*
 * Follow a plan node's expression to what is not a reference, which belongs to
 * the node that is left in *plan.  Returns NULL if that is not found.
 */
static Node *
follow(Plan **plan, Node *expression)
{
	while (expression != NULL && IsA(expression, Var) &&
		   IS_SPECIAL_VARNO(((Var *) expression)->varno))
	{
		const Var  *var = (Var *) expression;
		TargetEntry *entry = get_tle_by_resno(referred_list(plan, var), var->varattno);

		expression = entry == NULL ? NULL : (Node *) entry->expr;
	}
	return expression;
}

typedef struct ColumnContext
{
	Plan	   *plan;			/* whose expression it is */
	bool		differs;		/* would EXPLAIN show it in another way? */
} ColumnContext;

/*
 * Replace references by columns of tables.  EXPLAIN puts what is computed
 * further down in parentheses.  It finds by their place in the plan what some
 * nodes mean: parameters, parts of aggregates, window functions, fields.  So
 * only those kinds of node are replaced of which it is known that they mean the
 * same everywhere.
 */
static Node *
resolve(Node *node, ColumnContext *context)
{
	if (node == NULL || context->differs)
		return node;
	switch (nodeTag(node))
	{
		case T_Var:
			{
				Plan	   *plan = context->plan;
				Node	   *result = follow(&plan, node);

				context->differs = result == NULL || !IsA(result, Var);
				return context->differs ? node : copyObject(result);
			}
		case T_Aggref:
			context->differs = ((Aggref *) node)->aggsplit != AGGSPLIT_SIMPLE;
			break;
		case T_List:
		case T_TargetEntry:
		case T_SortGroupClause:
		case T_Const:
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
		case T_ScalarArrayOpExpr:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_FuncExpr:
		case T_RelabelType:
		case T_CoerceViaIO:
		case T_ArrayCoerceExpr:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_CaseTestExpr:
		case T_CoalesceExpr:
		case T_MinMaxExpr:
			break;
		default:
			context->differs = true;
			return node;
	}
	return expression_tree_mutator(node, BF_MUTATOR(resolve), context);
}

Expr *
bf_join_computed_column(Plan *plan, const TargetEntry *column)
{
	ColumnContext context = {.plan = plan};
	Node	   *computed = follow(&context.plan, (Node *) column->expr);

	if (computed == NULL || IsA(computed, Var))
		return NULL;
	computed = resolve(computed, &context);
	return context.differs ? NULL : (Expr *) computed;
}
