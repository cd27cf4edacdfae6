/*-------------------------------------------------------------------------
 *
 * conditions.c
 *		The conditions by which other servers test a foreign table's rows: by a
 *		filter, or without the extension by a list.
 *
 *		bloomfilter_may_match((SELECT bloom_agg(key, room) FROM local WHERE ...),
 *							  column, 'type')
 *
 * The sub-select runs once, before the foreign table is read.  If there are no
 * keys, its result is NULL, and no row passes.  The filter has a fixed size.
 * So if there are more keys than expected, it takes no more memory and raises
 * no error, but more rows pass.
 *
 *		WITH keys (list) AS MATERIALIZED
 *			(SELECT CASE WHEN count(*) < most + 1 AND count(key) = count(*)
 *						 THEN coalesce(array_agg(key), '{}') END
 *			   FROM (SELECT DISTINCT CASE WHEN may be sent THEN key END AS key
 *					   FROM local WHERE ... AND key IS NOT NULL
 *					  LIMIT most + 1) s)
 *		(SELECT cardinality(list) FROM keys) IS NULL OR
 *		column = ANY ((SELECT list FROM keys))
 *
 * Estimates may be far too low, so the list's length is limited when it is
 * made.  If there are more keys, it is NULL, and all rows pass.  The other
 * server gets parameters, so the planner there knows whether there is a list,
 * and may use an index.
 *
 * The other server's encoding may lack characters of a key, which would be an
 * error, and keys may be long.  If there is such a key, all rows pass.
 *
 * The comparison is the one that the planner itself may send, with a key of the
 * same type.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/parse_oper.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "joins/remote/conditions.h"
#include "type/hashing/declared.h"

/*
 * The longest key that is sent, in bytes, which limits a list to 2 MB.  A mail
 * address has at most 254 (RFC 5321), a SHA-512 in hexadecimal digits 128.
 */
#define MOST_KEY_BYTES	256

/* ---------- queries ---------- */

/* A query of one column, FROM a single table or the like. */
static Query *
select_from(RangeTblEntry *from, Node *conditions, void *value, const char *name)
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
	result->targetList = list_make1(makeTargetEntry(value, 1, pstrdup(name), false));
	return result;
}

/*
 * Such a query of the local rows that make keys: of the local table with its own
 * conditions.  A table that had no children when it was examined is read without
 * children in this plan, even if a table inherits from it meanwhile.
 */
static Query *
select_local(const BfRemoteCandidate *candidate, void *value, const char *name)
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
	result = select_from(rte, conditions, value, name);
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

/* GROUP BY or DISTINCT of the query's only column. */
static List *
group_by_column(const Query *query)
{
	TargetEntry *entry = linitial_node(TargetEntry, query->targetList);
	SortGroupClause *result = makeNode(SortGroupClause);

	entry->ressortgroupref = 1;
	result->tleSortGroupRef = 1;
	get_sort_group_operators(exprType((Node *) entry->expr), true, true, false, &result->sortop,
							 &result->eqop, NULL, &result->hashable);
	return list_make1(result);
}

Query *
bf_remote_keys_query(const BfRemoteCandidate *candidate)
{
	Query	   *result = select_local(candidate, local_key(candidate), "key");

	result->groupClause = group_by_column(result);
	return result;
}

/* ---------- expressions ---------- */

/* A plain aggregate of these arguments; the first gives the collation. */
static Aggref *
aggregate(Oid function, Oid type, List *arguments)
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

static Node *
sub_select(Query *query)
{
	SubLink    *result = makeNode(SubLink);

	result->subLinkType = EXPR_SUBLINK;
	result->subselect = (Node *) query;
	result->location = -1;
	return (Node *) result;
}

static Const *
number(int64 value)
{
	return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false,
					 FLOAT8PASSBYVAL);
}

static Node *
compare(Oid operator, void *a, void *b)
{
	return (Node *) make_opclause(operator, BOOLOID, false, a, b, InvalidOid, InvalidOid);
}

static Node *
when_true(Node *condition, void *value)
{
	CaseWhen   *when = makeNode(CaseWhen);
	CaseExpr   *result = makeNode(CaseExpr);

	when->expr = (Expr *) condition;
	when->result = value;
	when->location = -1;
	result->casetype = exprType(value);
	result->casecollid = exprCollation(value);
	result->args = list_make1(when);
	result->defresult = (Expr *) makeNullConst(result->casetype, -1, result->casecollid);
	result->location = -1;
	return (Node *) result;
}

/* A change of the type alone, which postgres_fdw does not show. */
static Node *
as_type(void *node, Oid type)
{
	return exprType(node) == type ? node :
		(Node *) makeRelabelType(node, type, -1, exprCollation(node), COERCE_IMPLICIT_CAST);
}

/* ---------- filters ---------- */

static Query *
filter_query(const BfRemoteFunctions *functions, const BfRemoteCandidate *candidate, double room)
{
	Const	   *items = makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(room),
								  false, FLOAT8PASSBYVAL);
	Aggref	   *aggref = aggregate(functions->aggregate, functions->filter_type,
								   list_make2(local_key(candidate), items));
	Query	   *result = select_local(candidate, aggref, "filter");

	result->hasAggs = true;
	return result;
}

static Node *
filter_test(const BfRemoteFunctions *functions, const BfRemoteCandidate *candidate, double room)
{
	Var		   *foreign = candidate->foreign;
	char	   *declared = bf_declared_name(foreign->vartype, foreign->vartypmod);
	Const	   *name = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
								 CStringGetTextDatum(declared), false, false);
	Node	   *filter = sub_select(filter_query(functions, candidate, room));

	return (Node *) makeFuncExpr(functions->test, BOOLOID,
								 list_make3(filter, copyObject(foreign), name), InvalidOid,
								 foreign->varcollid, COERCE_EXPLICIT_CALL);
}

/* ---------- keys of a list ---------- */

static Node *
length_of(Oid function, Oid type, Var *key)
{
	return (Node *) makeFuncExpr(function, INT4OID, list_make1(as_type(copyObject(key), type)),
								 InvalidOid, key->varcollid, COERCE_EXPLICIT_CALL);
}

/*
 * May a key of any length be sent?  It must be short, and characters of text
 * must be those of ASCII, which take one byte in UTF-8.  The first test needs
 * no more of a value than its header.
 */
static Node *
may_be_sent(Var *key)
{
	Const	   *most = makeConst(INT4OID, -1, InvalidOid, sizeof(int32),
								 Int32GetDatum(MOST_KEY_BYTES + 1), false, true);

	if (key->vartype == BYTEAOID)
		return compare(Int4LessOperator, length_of(F_OCTET_LENGTH_BYTEA, BYTEAOID, key), most);
	return make_and_qual(compare(Int4LessOperator, length_of(F_OCTET_LENGTH_TEXT, TEXTOID, key),
								 most),
						 compare(Int4EqualOperator, length_of(F_OCTET_LENGTH_TEXT, TEXTOID, key),
								 length_of(F_LENGTH_TEXT, TEXTOID, key)));
}

static Query *
different_keys(const BfRemoteCandidate *candidate)
{
	Var		   *key = local_key(candidate);
	Node	   *sent = get_typlen(key->vartype) < 0 ? when_true(may_be_sent(key), key) : (Node *) key;
	Query	   *result = select_local(candidate, sent, "key");
	NullTest   *known = makeNode(NullTest);

	known->arg = copyObject((Expr *) key);
	known->nulltesttype = IS_NOT_NULL;
	known->location = -1;
	result->jointree->quals = make_and_qual(result->jointree->quals, (Node *) known);
	result->distinctClause = group_by_column(result);
	result->limitCount = (Node *) number(BF_REMOTE_LIST_MOST + 1);
	result->limitOption = LIMIT_OPTION_COUNT;
	return result;
}

/* ---------- the list ---------- */

/* The only column of the CTE: an array of keys. */
static Var *
list_column(const BfRemoteCandidate *candidate)
{
	Oid			type = get_array_type(candidate->key->vartype);

	return makeVar(1, 1, type, -1, get_typcollation(type), 0);
}

static Node *
list_expression(const Var *column, Var *key)
{
	Aggref	   *rows = aggregate(F_COUNT_, INT8OID, NIL);
	Aggref	   *sent = aggregate(F_COUNT_ANY, INT8OID, list_make1(key));
	Aggref	   *keys = aggregate(F_ARRAY_AGG_ANYNONARRAY, column->vartype,
								 list_make1(copyObject(key)));
	Datum		empty = PointerGetDatum(construct_empty_array(key->vartype));
	CoalesceExpr *list = makeNode(CoalesceExpr);
	Oid			equal = lookup_type_cache(INT8OID, TYPECACHE_EQ_OPR)->eq_opr;
	Node	   *is_whole;

	rows->aggstar = true;
	keys->aggcollid = column->varcollid;
	list->coalescetype = column->vartype;
	list->coalescecollid = column->varcollid;
	list->args = list_make2(keys, makeConst(column->vartype, -1, column->varcollid, -1, empty,
											false, false));
	list->location = -1;
	is_whole = make_and_qual(compare(Int8LessOperator, rows, number(BF_REMOTE_LIST_MOST + 1)),
							 compare(equal, sent, copyObject(rows)));
	return when_true(is_whole, list);
}

static Query *
list_query(const BfRemoteCandidate *candidate, const Var *column)
{
	RangeTblEntry *keys = makeNode(RangeTblEntry);
	Var		   *key = makeVar(1, 1, candidate->key->vartype, -1, candidate->key->varcollid, 0);
	Query	   *result;

	keys->rtekind = RTE_SUBQUERY;
	keys->subquery = different_keys(candidate);
	keys->eref = makeAlias("keys", list_make1(makeString(pstrdup("key"))));
	result = select_from(keys, NULL, list_expression(column, key), "list");
	result->hasAggs = true;
	return result;
}

static bool
has_cte(const Query *query, const char *name)
{
	ListCell   *lc;

	foreach(lc, query->cteList)
		if (strcmp(lfirst_node(CommonTableExpr, lc)->ctename, name) == 0)
			return true;
	return false;
}

/* A name that no other CTE of the query has. */
static char *
new_name(const Query *query)
{
	char	   *result = pstrdup("keys");
	int			number;

	for (number = 1; has_cte(query, result); number++)
		result = psprintf("keys_%d", number);
	return result;
}

static CommonTableExpr *
add_cte(Query *query, const BfRemoteCandidate *candidate, const Var *column)
{
	CommonTableExpr *result = makeNode(CommonTableExpr);

	result->ctename = new_name(query);
	result->ctematerialized = CTEMaterializeAlways;
	result->ctequery = (Node *) list_query(candidate, column);
	result->location = -1;
	result->cterefcount = 2;
	result->ctecolnames = list_make1(makeString(pstrdup("list")));
	result->ctecoltypes = list_make1_oid(column->vartype);
	result->ctecoltypmods = list_make1_int(-1);
	result->ctecolcollations = list_make1_oid(column->varcollid);
	/* other CTEs may read it, and the planner plans them in order */
	query->cteList = lcons(result, query->cteList);
	return result;
}

/* (SELECT value FROM keys) */
static Node *
read_cte(const CommonTableExpr *cte, int depth, void *value)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_CTE;
	rte->ctename = pstrdup(cte->ctename);
	rte->ctelevelsup = depth + 1;
	rte->coltypes = list_copy(cte->ctecoltypes);
	rte->coltypmods = list_copy(cte->ctecoltypmods);
	rte->colcollations = list_copy(cte->ctecolcollations);
	rte->eref = makeAlias(cte->ctename, copyObject(cte->ctecolnames));
	return sub_select(select_from(rte, NULL, value, "list"));
}

static Node *
list_test(Query *outermost, const BfRemoteCandidate *candidate)
{
	Var		   *column = list_column(candidate);
	CommonTableExpr *cte = add_cte(outermost, candidate, column);
	FuncExpr   *length = makeFuncExpr(F_CARDINALITY, INT4OID, list_make1(copyObject(column)),
									  InvalidOid, column->varcollid, COERCE_EXPLICIT_CALL);
	NullTest   *is_unknown = makeNode(NullTest);
	ScalarArrayOpExpr *test = makeNode(ScalarArrayOpExpr);
	Oid			operand;
	Oid			right;

	op_input_types(candidate->operator, &operand, &right);
	Assert(operand == right);
	is_unknown->arg = (Expr *) read_cte(cte, candidate->depth, length);
	is_unknown->nulltesttype = IS_NULL;
	is_unknown->location = -1;
	test->opno = candidate->operator;
	test->useOr = true;
	test->inputcollid = candidate->foreign->varcollid;
	test->args = list_make2(as_type(copyObject(candidate->foreign), operand),
							as_type(read_cte(cte, candidate->depth, column),
									get_array_type(operand)));
	test->location = -1;
	return (Node *) makeBoolExpr(OR_EXPR, list_make2(is_unknown, test), -1);
}

/* ---------- all conditions ---------- */

void
bf_remote_add_condition(const BfRemoteFunctions *functions, Query *outermost,
						const BfRemoteCandidate *candidate, double room)
{
	Query	   *query = candidate->foreign_query;
	Node	   *test = candidate->means == BF_REMOTE_LIST ? list_test(outermost, candidate) :
		filter_test(functions, candidate, room);

	query->jointree->quals = make_and_qual(query->jointree->quals, test);
	query->hasSubLinks = true;
}
