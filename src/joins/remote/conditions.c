/*-------------------------------------------------------------------------
 *
 * conditions.c
 *		The conditions by which other servers test a foreign table's rows.
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
#include "parser/parse_oper.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"

#include "compat.h"
#include "joins/remote/conditions.h"
#include "type/hashing/declared.h"

/* ---------- queries ---------- */

/*
 * A query of the local rows that make keys: of the local table with its own
 * conditions.  A table that had no children when it was examined is read without
 * children in this plan, even if a table inherits from it meanwhile.
 */
static Query *
select_local(const BfRemoteCandidate *candidate, void *value, char *name)
{
	RangeTblEntry *local = rt_fetch(candidate->key->varno, candidate->local_query->rtable);
	Query	   *result = makeNode(Query);
	RangeTblRef *reference = makeNode(RangeTblRef);
	RangeTblEntry *rte;
	Node	   *conditions = NULL;

	if (local->relkind != RELKIND_PARTITIONED_TABLE)
		local->inh = false;
	rte = copyObject(local);
	rte->lateral = false;
	rte->inFromCl = true;
	if (candidate->conditions != NIL)
	{
		conditions = (Node *) make_ands_explicit(copyObject(candidate->conditions));
		ChangeVarNodes(conditions, candidate->key->varno, 1, 0);
	}
	reference->rtindex = 1;
	result->commandType = CMD_SELECT;
	result->querySource = QSRC_ORIGINAL;
	result->canSetTag = true;
	result->rtable = list_make1(rte);
	result->jointree = makeFromExpr(list_make1(reference), conditions);
	result->targetList = list_make1(makeTargetEntry(value, 1, name, false));
	BF_COPY_PERMISSIONS(result, rte, candidate->local_query, local);
	return result;
}

/* The key in that query. */
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
	Query	   *result = select_local(candidate, local_key(candidate), "key");
	SortGroupClause *group = makeNode(SortGroupClause);

	linitial_node(TargetEntry, result->targetList)->ressortgroupref = 1;
	group->tleSortGroupRef = 1;
	get_sort_group_operators(candidate->key->vartype, true, true, false, &group->sortop,
							 &group->eqop, NULL, &group->hashable);
	result->groupClause = list_make1(group);
	return result;
}

/* ---------- conditions ---------- */

/* bloom_agg(key, room) */
static Aggref *
make_filter(const BfRemoteFunctions *functions, Var *key, double room)
{
	Const	   *items = makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(room),
								  false, FLOAT8PASSBYVAL);
	Aggref	   *result = makeNode(Aggref);

	result->aggfnoid = functions->aggregate;
	result->aggtype = functions->filter_type;
	result->inputcollid = key->varcollid;
	result->aggargtypes = list_make2_oid(key->vartype, FLOAT8OID);
	result->args = list_make2(makeTargetEntry((Expr *) key, 1, NULL, false),
							  makeTargetEntry((Expr *) items, 2, NULL, false));
	result->aggkind = AGGKIND_NORMAL;
	result->aggsplit = AGGSPLIT_SIMPLE;
	result->aggno = -1;
	result->aggtransno = -1;
	result->location = -1;
	return result;
}

/* (SELECT bloom_agg(key, room) FROM local WHERE ...) */
static SubLink *
select_filter(const BfRemoteFunctions *functions, const BfRemoteCandidate *candidate, double room)
{
	Aggref	   *filter = make_filter(functions, local_key(candidate), room);
	Query	   *query = select_local(candidate, filter, "filter");
	SubLink    *result = makeNode(SubLink);

	query->hasAggs = true;
	result->subLinkType = EXPR_SUBLINK;
	result->subselect = (Node *) query;
	result->location = -1;
	return result;
}

void
bf_remote_add_condition(const BfRemoteFunctions *functions, const BfRemoteCandidate *candidate,
						double room)
{
	Query	   *query = candidate->foreign_query;
	Var		   *foreign = candidate->foreign;
	char	   *declared = bf_declared_name(foreign->vartype, foreign->vartypmod);
	Const	   *name = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
								 CStringGetTextDatum(declared), false, false);
	List	   *arguments = list_make3(select_filter(functions, candidate, room),
									   copyObject(foreign), name);
	FuncExpr   *test = makeFuncExpr(functions->test, BOOLOID, arguments, InvalidOid,
									foreign->varcollid, COERCE_EXPLICIT_CALL);

	query->jointree->quals = make_and_qual(query->jointree->quals, (Node *) test);
	query->hasSubLinks = true;
}
