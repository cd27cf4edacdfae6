/*-------------------------------------------------------------------------
 *
 * expression.c
 *		Properties of the expressions that the planner passes to us.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "utils/lsyscache.h"

#include "estimates/expression.h"
#include "type/hashing/element.h"
#include "type/hashing/symbol.h"

Expr *
bf_strip_relabel(Expr *expression)
{
	while (IsA(expression, RelabelType))
		expression = ((RelabelType *) expression)->arg;
	return expression;
}

bool
bf_is_column(const Node *expression, int relation, AttrNumber column)
{
	const Var  *var = (Var *) bf_strip_relabel((Expr *) expression);

	return IsA(var, Var) && var->varno == relation && var->varattno == column;
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
	static const struct
	{
		const char *symbol;
		BfTest		test;
	}			tests[] =
	{
		{"bloomfilter_contains", BF_TEST_VALUE},
		{"bloomfilter_contained_by", BF_TEST_VALUE},
		{"bloomfilter_may_match", BF_TEST_VALUE},
		{"bloomfilter_contains_any", BF_TEST_ANY},
		{"bloomfilter_contains_all", BF_TEST_ALL},
		{"counting_bloomfilter_contains", BF_TEST_VALUE},
		{"counting_bloomfilter_contained_by", BF_TEST_VALUE},
		{"counting_bloomfilter_contains_any", BF_TEST_ANY},
		{"counting_bloomfilter_contains_all", BF_TEST_ALL},
	};
	const char *symbol = bf_symbol(function);
	size_t		i;

	for (i = 0; i < lengthof(tests); i++)
		if (strcmp(symbol, tests[i].symbol) == 0)
			return tests[i].test;
	return BF_TEST_NONE;
}
