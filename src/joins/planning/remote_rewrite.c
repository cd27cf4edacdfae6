/*-------------------------------------------------------------------------
 *
 * remote_rewrite.c
 *		The condition by which another server tests a foreign table's rows.
 *
 *		bloomfilter_may_match((SELECT bloom_agg(key, room) FROM local WHERE ...),
 *							  column, 'type')
 *
 * The sub-select runs once, before the foreign table is read.  If there are no
 * keys, its result is NULL, and no row passes.  The filter has a fixed size.
 * So if there are more keys than expected, it takes no more memory and raises
 * no error, but more rows pass.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_oper.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "joins/planning/remote_rewrite.h"
#include "type/declared.h"

/*
 * The local table with its own conditions.  A table that had no children when
 * it was examined is read without children in this plan, even if a table
 * inherits from it meanwhile.
 */
static Query *
local_rows(const BfRemoteCandidate *candidate)
{
	RangeTblEntry *local = rt_fetch(candidate->key->varno, candidate->local_query->rtable);
	Query	   *result = makeNode(Query);
	RangeTblEntry *rte;
	RangeTblRef *reference = makeNode(RangeTblRef);
	Node	   *conditions = NULL;

	if (local->relkind != RELKIND_PARTITIONED_TABLE)
		local->inh = false;
	rte = copyObject(local);
	rte->lateral = false;
	rte->inFromCl = true;
	reference->rtindex = 1;
	if (candidate->conditions != NIL)
	{
		conditions = (Node *) make_ands_explicit(copyObject(candidate->conditions));
		ChangeVarNodes(conditions, candidate->key->varno, 1, 0);
	}
	result->commandType = CMD_SELECT;
	result->querySource = QSRC_ORIGINAL;
	result->canSetTag = true;
	result->rtable = list_make1(rte);
	BF_COPY_PERMISSIONS(result, rte, candidate->local_query, local);
	result->jointree = makeFromExpr(list_make1(reference), conditions);
	return result;
}

static Var *
local_key(const BfRemoteCandidate *candidate)
{
	Var		   *result = copyObject(candidate->key);

	ChangeVarNodes((Node *) result, candidate->key->varno, 1, 0);
	return result;
}

Query *
bf_remote_keys_query(const BfRemoteCandidate *candidate)
{
	Query	   *result = local_rows(candidate);
	TargetEntry *entry = makeTargetEntry((Expr *) local_key(candidate), 1, NULL, false);
	SortGroupClause *group = makeNode(SortGroupClause);

	entry->ressortgroupref = 1;
	group->tleSortGroupRef = 1;
	get_sort_group_operators(candidate->key->vartype, true, true, false, &group->sortop,
							 &group->eqop, NULL, &group->hashable);
	result->targetList = list_make1(entry);
	result->groupClause = list_make1(group);
	return result;
}

static TargetEntry *
argument(void *expression, AttrNumber number)
{
	return makeTargetEntry(expression, number, NULL, false);
}

static Query *
filter_query(const BfRemoteFunctions *functions, const BfRemoteCandidate *candidate, double room)
{
	Query	   *result = local_rows(candidate);
	Aggref	   *aggref = makeNode(Aggref);
	Const	   *items = makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(room),
								  false, FLOAT8PASSBYVAL);

	aggref->aggfnoid = functions->aggregate;
	aggref->aggtype = functions->filter_type;
	aggref->inputcollid = candidate->key->varcollid;
	aggref->aggargtypes = list_make2_oid(candidate->key->vartype, FLOAT8OID);
	aggref->args = list_make2(argument(local_key(candidate), 1), argument(items, 2));
	aggref->aggkind = AGGKIND_NORMAL;
	aggref->aggsplit = AGGSPLIT_SIMPLE;
	aggref->aggno = -1;
	aggref->aggtransno = -1;
	aggref->location = -1;
	result->targetList = list_make1(makeTargetEntry((Expr *) aggref, 1, pstrdup("filter"), false));
	result->hasAggs = true;
	return result;
}

static SubLink *
filter_link(Query *query)
{
	SubLink    *result = makeNode(SubLink);

	result->subLinkType = EXPR_SUBLINK;
	result->subselect = (Node *) query;
	result->location = -1;
	return result;
}

void
bf_remote_add_condition(const BfRemoteFunctions *functions, BfRemoteCandidate *candidate,
						double room)
{
	Query	   *query = candidate->foreign_query;
	Var		   *foreign = candidate->foreign;
	char	   *declared = bf_declared_name(foreign->vartype, foreign->vartypmod);
	Const	   *name = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
								 CStringGetTextDatum(declared), false, false);
	SubLink    *filter = filter_link(filter_query(functions, candidate, room));
	FuncExpr   *test = makeFuncExpr(functions->test, BOOLOID,
									list_make3(filter, copyObject(foreign), name), InvalidOid,
									foreign->varcollid, COERCE_EXPLICIT_CALL);

	query->jointree->quals = make_and_qual(query->jointree->quals, (Node *) test);
	query->hasSubLinks = true;
}
