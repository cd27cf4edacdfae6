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

#include "planner/expression.h"
#include "type/element.h"

PGFunction
bf_implementation(Oid function)
{
	FmgrInfo	finfo;

	fmgr_info(function, &finfo);
	return finfo.fn_addr;
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
