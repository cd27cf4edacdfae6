/*-------------------------------------------------------------------------
 *
 * expression.h
 *		Properties of the expressions that the planner passes to us.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EXPRESSION_H
#define BF_EXPRESSION_H

#include "nodes/primnodes.h"

/*
 * The expression below domains, changes of only the type, and placeholders: it
 * has the same value.
 */
extern Node *bf_strip_expression(Node *node);

/*
 * The function that an expression calls, by its name or as an operator, and
 * the arguments.  InvalidOid and NIL for any other expression and for NULL.
 */
extern Oid	bf_called_function(Node *node, List **args);

/* What a function of the extension, of either type of filter, tests. */
typedef enum BfTest
{
	BF_TEST_NONE,				/* the function does not test a filter */
	BF_TEST_VALUE,
	BF_TEST_ANY,
	BF_TEST_ALL
} BfTest;

extern BfTest bf_test_of(Oid function);

/*
 * The expression below changes of only the type that leave the value as it is.
 */
extern Expr *bf_strip_relabel(Expr *expression);

/* Is the expression this column, but for such changes? */
extern bool bf_is_column(const Node *expression, int relation, AttrNumber column);

/* Which of the two arguments of a test is the filter: 0 or 1. */
extern int	bf_filter_argument(List *args);

#endif							/* BF_EXPRESSION_H */
