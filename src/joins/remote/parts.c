/*-------------------------------------------------------------------------
 *
 * parts.c
 *		Parts of the conditions by which other servers test rows: the local rows
 *		that make keys, aggregates, sub-selects.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_oper.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"

#include "compat.h"
#include "joins/remote/parts.h"

Query *
bf_remote_select(RangeTblEntry *from, Node *conditions)
{
	Query	   *result = makeNode(Query);
	RangeTblRef *reference = makeNode(RangeTblRef);

	from->inFromCl = true;
	reference->rtindex = 1;
	result->commandType = CMD_SELECT;
	result->querySource = QSRC_ORIGINAL;
	result->canSetTag = true;
	result->rtable = list_make1(from);
	result->jointree = makeFromExpr(list_make1(reference), conditions);
	return result;
}

/*
 * The local table with its own conditions.  A table that had no children when
 * it was examined is read without children in this plan, even if a table
 * inherits from it meanwhile.
 */
Query *
bf_remote_local_rows(const BfRemoteCandidate *candidate)
{
	RangeTblEntry *local = rt_fetch(candidate->key->varno, candidate->local_query->rtable);
	Query	   *result;
	RangeTblEntry *rte;
	Node	   *conditions = NULL;

	if (local->relkind != RELKIND_PARTITIONED_TABLE)
		local->inh = false;
	rte = copyObject(local);
	rte->lateral = false;
	if (candidate->conditions != NIL)
	{
		conditions = (Node *) make_ands_explicit(copyObject(candidate->conditions));
		ChangeVarNodes(conditions, candidate->key->varno, 1, 0);
	}
	result = bf_remote_select(rte, conditions);
	BF_COPY_PERMISSIONS(result, rte, candidate->local_query, local);
	return result;
}

Var *
bf_remote_local_key(const BfRemoteCandidate *candidate)
{
	Var		   *result = copyObject(candidate->key);

	ChangeVarNodes((Node *) result, candidate->key->varno, 1, 0);
	return result;
}

SortGroupClause *
bf_remote_group(TargetEntry *entry)
{
	SortGroupClause *result = makeNode(SortGroupClause);

	entry->ressortgroupref = 1;
	result->tleSortGroupRef = 1;
	get_sort_group_operators(exprType((Node *) entry->expr), true, true, false, &result->sortop,
							 &result->eqop, NULL, &result->hashable);
	return result;
}

Query *
bf_remote_keys_query(const BfRemoteCandidate *candidate)
{
	Query	   *result = bf_remote_local_rows(candidate);
	TargetEntry *entry = makeTargetEntry((Expr *) bf_remote_local_key(candidate), 1, NULL, false);

	result->groupClause = list_make1(bf_remote_group(entry));
	result->targetList = list_make1(entry);
	return result;
}

Aggref *
bf_remote_aggregate(Oid function, Oid type, List *arguments)
{
	Aggref	   *result = makeNode(Aggref);
	ListCell   *lc;

	result->aggfnoid = function;
	result->aggtype = type;
	foreach(lc, arguments)
	{
		result->aggargtypes = lappend_oid(result->aggargtypes, exprType(lfirst(lc)));
		result->args = lappend(result->args,
							   makeTargetEntry(lfirst(lc), foreach_current_index(lc) + 1, NULL, false));
	}
	if (arguments != NIL)
		result->inputcollid = exprCollation(linitial(arguments));
	result->aggkind = AGGKIND_NORMAL;
	result->aggsplit = AGGSPLIT_SIMPLE;
	result->aggno = -1;
	result->aggtransno = -1;
	result->location = -1;
	return result;
}

Node *
bf_remote_sub_select(Query *query)
{
	SubLink    *result = makeNode(SubLink);

	result->subLinkType = EXPR_SUBLINK;
	result->subselect = (Node *) query;
	result->location = -1;
	return (Node *) result;
}
