/*-------------------------------------------------------------------------
 *
 * once.c
 *		Filters that are the same for all rows are computed once.
 *
 * In ((SELECT f ...) | (SELECT f ...)) @> x the server computes the
 * sub-selects once, but the union for every row.  So the filter becomes a
 * sub-select as a whole, an InitPlan, as if the user had written
 * (SELECT (SELECT f ...) | (SELECT f ...)) @> x.
 *
 * The planner asks for simplifications at several stages, also when it no
 * longer turns sub-selects into plans, and does not tell at which; nor may a
 * query get its first sub-select here, because the request does not tell which
 * query the call is part of.  A filter that contains a sub-select answers
 * both: that is still to be planned, in a query that is known to have some.
 * All other filters are left alone.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteManip.h"

#include "compat.h"
#include "estimates/expression.h"
#include "estimates/once.h"

/*
 * Is there something that means nothing in a sub-select, or another value: an
 * aggregate or a placeholder, for instance?  Sets *has_sublink.
 */
static bool
is_bound_to_place(Node *node, void *has_sublink)
{
	if (node == NULL)
		return false;
	switch (nodeTag(node))
	{
		case T_SubLink:
			*(bool *) has_sublink = true;
			return ((SubLink *) node)->testexpr != NULL;
		case T_Param:
			return ((Param *) node)->paramkind != PARAM_EXTERN;
		case T_List:
		case T_Const:
		case T_FuncExpr:
		case T_OpExpr:
		case T_RelabelType:
		case T_CoerceViaIO:
		case T_CoalesceExpr:
		case T_ArrayExpr:
			return expression_tree_walker(node, BF_WALKER(is_bound_to_place), has_sublink);
		default:
			return true;
	}
}

/* Does the filter change neither with the row nor from call to call, at some cost? */
static bool
is_worth_keeping(Node *filter)
{
	bool		has_sublink = false;

	return !IsA(bf_strip_relabel((Expr *) filter), SubLink) &&
		!is_bound_to_place(filter, &has_sublink) && has_sublink &&
		!contain_vars_of_level(filter, 0) &&
		!expression_returns_set(filter) &&
		!contain_volatile_functions(filter);
}

static Node *
make_sub_select(Node *filter)
{
	Query	   *query = makeNode(Query);
	SubLink    *result = makeNode(SubLink);

	filter = copyObject(filter);
	IncrementVarSublevelsUp(filter, 1, 0);
	query->commandType = CMD_SELECT;
	query->canSetTag = true;
	query->hasSubLinks = true;
	query->targetList = list_make1(makeTargetEntry((Expr *) filter, 1, pstrdup("filter"), false));
	query->jointree = makeFromExpr(NIL, NULL);
	result->subLinkType = EXPR_SUBLINK;
	result->subselect = (Node *) query;
	result->location = -1;
	return (Node *) result;
}

Node *
bf_compute_once(SupportRequestSimplify *req)
{
	FuncExpr   *call;
	ListCell   *filter;

	if (list_length(req->fcall->args) < 2)
		return NULL;
	filter = list_nth_cell(req->fcall->args, bf_filter_argument(req->fcall->args));
	if (!is_worth_keeping(lfirst(filter)))
		return NULL;

	call = copyObject(req->fcall);
	filter = list_nth_cell(call->args, bf_filter_argument(call->args));
	lfirst(filter) = make_sub_select(lfirst(filter));
	return (Node *) call;
}
