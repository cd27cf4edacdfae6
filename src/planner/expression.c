/*-------------------------------------------------------------------------
 *
 * expression.c
 *		Questions about the expressions that the planner shows us.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "utils/lsyscache.h"

#include "counting/functions.h"
#include "planner/expression.h"
#include "type/contains.h"
#include "type/element.h"

PGFunction
bf_implementation(Oid function)
{
	FmgrInfo	finfo;

	fmgr_info(function, &finfo);
	return finfo.fn_addr;
}

Expr *
bf_strip_relabel(Expr *expression)
{
	while (IsA(expression, RelabelType))
		expression = ((RelabelType *) expression)->arg;
	return expression;
}

Node *
bf_strip_expression(Node *node)
{
	for (;;)
	{
		if (IsA(node, RelabelType))
			node = (Node *) ((RelabelType *) node)->arg;
		else if (IsA(node, CoerceToDomain))
			node = (Node *) ((CoerceToDomain *) node)->arg;
		else if (IsA(node, PlaceHolderVar))
			node = (Node *) ((PlaceHolderVar *) node)->phexpr;
		else
			return node;
	}
}

int
bf_filter_argument(List *args)
{
	BfFilterType type;

	return bf_is_filter(exprType(linitial(args)), &type) ? 0 : 1;
}

Oid
bf_called_function(Node *node, List **args)
{
	*args = NIL;
	if (node != NULL && IsA(node, FuncExpr))
	{
		*args = ((FuncExpr *) node)->args;
		return ((FuncExpr *) node)->funcid;
	}
	if (node != NULL && IsA(node, OpExpr))
	{
		*args = ((OpExpr *) node)->args;
		return get_opcode(((OpExpr *) node)->opno);
	}
	return InvalidOid;
}

BfTest
bf_test_of(Oid function)
{
	PGFunction	implementation = bf_implementation(function);

	if (implementation == bloomfilter_contains ||
		implementation == bloomfilter_contained_by ||
		implementation == counting_bloomfilter_contains ||
		implementation == counting_bloomfilter_contained_by)
		return BF_TEST_VALUE;
	if (implementation == bloomfilter_contains_any ||
		implementation == counting_bloomfilter_contains_any)
		return BF_TEST_ANY;
	if (implementation == bloomfilter_contains_all ||
		implementation == counting_bloomfilter_contains_all)
		return BF_TEST_ALL;
	return BF_TEST_NONE;
}
