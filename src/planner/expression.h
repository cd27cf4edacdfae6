/*-------------------------------------------------------------------------
 *
 * expression.h
 *		Questions about the expressions that the planner shows us.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EXPRESSION_H
#define BF_EXPRESSION_H

#include "postgres.h"

#include "nodes/primnodes.h"

/*
 * The expression whose value this one has: below domains, changes of the type
 * alone, and placeholders.
 */
extern Node *bf_strip_expression(Node *node);

/*
 * The function of a call, by its name or as an operator, and the arguments.
 * InvalidOid and NIL for any other expression; NULL is one, too.
 */
extern Oid	bf_called_function(Node *node, List **args);

/* What one of our testing functions, of either type of filter, tests. */
typedef enum BfTest
{
	BF_TEST_NONE,				/* it is another function */
	BF_TEST_VALUE,
	BF_TEST_ANY,
	BF_TEST_ALL
} BfTest;

extern BfTest bf_test_of(Oid function);

/* An expression without changes of its type that leave the value as it is. */
extern Expr *bf_strip_relabel(Expr *expression);

/* Which of the two arguments of a test is the filter: 0 or 1. */
extern int	bf_filter_argument(List *args);

#endif							/* BF_EXPRESSION_H */
