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

#include "fmgr.h"
#include "nodes/primnodes.h"

/*
 * The C function behind an SQL function, which tells what it is whatever its
 * name and schema.
 */
extern PGFunction bf_implementation(Oid function);

/*
 * The expression whose value this one has: below domains, changes of the type
 * alone, and placeholders.
 */
extern Node *bf_strip_expression(Node *node);

/* Which of the two arguments of a test is the filter: 0 or 1. */
extern int	bf_filter_argument(List *args);

#endif							/* BF_EXPRESSION_H */
