/*-------------------------------------------------------------------------
 *
 * list.c
 *		The condition by which a server without the extension tests a foreign
 *		table's rows.
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

#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "estimates/expression.h"
#include "joins/remote/list.h"
#include "joins/remote/parts.h"

/*
 * The longest key that is sent, in bytes, which limits a list to 2 MB.  A mail
 * address has at most 254 (RFC 5321), a SHA-512 in hexadecimal digits 128.
 */
#define MOST_KEY_BYTES	256

/* How the foreign column is compared with a key. */
typedef struct Comparison
{
	Oid			operator;
	Oid			operand;		/* the type of both operands */
	Oid			key;			/* the key's own type */
	Oid			key_collation;
	Oid			list;			/* the array of keys */
	Oid			list_collation;
} Comparison;

static Comparison
find_comparison(const BfRemoteCandidate *candidate)
{
	Comparison	result;
	Oid			right;

	result.operator = candidate->operator;
	op_input_types(result.operator, &result.operand, &right);
	Assert(result.operand == right);
	result.key = candidate->key->vartype;
	result.key_collation = candidate->key->varcollid;
	result.list = get_array_type(result.key);
	result.list_collation = get_typcollation(result.list);
	return result;
}

/* A change of the type alone, which postgres_fdw does not show. */
static Node *
as_type(void *node, Oid type)
{
	return exprType(node) == type ? node :
		(Node *) makeRelabelType(node, type, -1, exprCollation(node), COERCE_IMPLICIT_CAST);
}

/* ---------- keys ---------- */

static Const *
number(int64 value)
{
	return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false,
					 FLOAT8PASSBYVAL);
}

static Node *
length_of(Oid function, Oid type, Var *key)
{
	return (Node *) makeFuncExpr(function, INT4OID, list_make1(as_type(copyObject(key), type)),
								 InvalidOid, key->varcollid, COERCE_EXPLICIT_CALL);
}

static Node *
compare(Oid operator, void *a, void *b)
{
	return (Node *) make_opclause(operator, BOOLOID, false, a, b, InvalidOid, InvalidOid);
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

static Node *
when_true(Node *condition, void *value, Oid type, Oid collation)
{
	CaseWhen   *when = makeNode(CaseWhen);
	CaseExpr   *result = makeNode(CaseExpr);

	when->expr = (Expr *) condition;
	when->result = value;
	when->location = -1;
	result->casetype = type;
	result->casecollid = collation;
	result->args = list_make1(when);
	result->defresult = (Expr *) makeNullConst(type, -1, collation);
	result->location = -1;
	return (Node *) result;
}

static Query *
different_keys(const BfRemoteCandidate *candidate, const Comparison *comparison)
{
	Query	   *result = bf_remote_local_rows(candidate);
	Var		   *key = bf_remote_local_key(candidate);
	NullTest   *known = makeNode(NullTest);
	Node	   *sent = (Node *) key;
	TargetEntry *entry;

	known->arg = copyObject((Expr *) key);
	known->nulltesttype = IS_NOT_NULL;
	known->location = -1;
	result->jointree->quals = make_and_qual(result->jointree->quals, (Node *) known);
	if (get_typlen(comparison->key) < 0)
		sent = when_true(may_be_sent(key), key, comparison->key, comparison->key_collation);
	entry = makeTargetEntry((Expr *) sent, 1, pstrdup("key"), false);
	result->distinctClause = list_make1(bf_remote_group(entry));
	result->targetList = list_make1(entry);
	result->limitCount = (Node *) number(BF_REMOTE_LIST_MOST + 1);
	result->limitOption = LIMIT_OPTION_COUNT;
	return result;
}

/* ---------- the list ---------- */

static Node *
list_expression(const Comparison *comparison)
{
	Var		   *key = makeVar(1, 1, comparison->key, -1, comparison->key_collation, 0);
	Aggref	   *rows = bf_remote_aggregate(F_COUNT_, INT8OID, NIL);
	Aggref	   *sent = bf_remote_aggregate(F_COUNT_ANY, INT8OID, list_make1(key));
	Aggref	   *keys = bf_remote_aggregate(F_ARRAY_AGG_ANYNONARRAY, comparison->list,
										   list_make1(copyObject(key)));
	Datum		empty = PointerGetDatum(construct_empty_array(comparison->key));
	CoalesceExpr *list = makeNode(CoalesceExpr);
	Oid			equal = lookup_type_cache(INT8OID, TYPECACHE_EQ_OPR)->eq_opr;
	Node	   *is_whole;

	rows->aggstar = true;
	keys->aggcollid = comparison->list_collation;
	list->coalescetype = comparison->list;
	list->coalescecollid = comparison->list_collation;
	list->args = list_make2(keys, makeConst(comparison->list, -1, comparison->list_collation, -1,
											empty, false, false));
	list->location = -1;
	is_whole = make_and_qual(compare(Int8LessOperator, rows, number(BF_REMOTE_LIST_MOST + 1)),
							 compare(equal, sent, copyObject(rows)));
	return when_true(is_whole, list, comparison->list, comparison->list_collation);
}

/* A query of one row and column, FROM a single entry of the range table. */
static Query *
one_value(RangeTblEntry *from, const char *source, const char *column, Node *value)
{
	Query	   *result = bf_remote_select(from, NULL);

	from->eref = makeAlias(source, list_make1(makeString(pstrdup(column))));
	result->targetList = list_make1(makeTargetEntry((Expr *) value, 1, pstrdup("list"), false));
	return result;
}

static Query *
list_query(const BfRemoteCandidate *candidate, const Comparison *comparison)
{
	RangeTblEntry *keys = makeNode(RangeTblEntry);
	Query	   *result;

	keys->rtekind = RTE_SUBQUERY;
	keys->subquery = different_keys(candidate, comparison);
	result = one_value(keys, "keys", "key", list_expression(comparison));
	result->hasAggs = true;
	return result;
}

/* ---------- the condition ---------- */

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

static char *
add_cte(Query *query, Query *list, const Comparison *comparison)
{
	CommonTableExpr *cte = makeNode(CommonTableExpr);

	cte->ctename = new_name(query);
	cte->ctematerialized = CTEMaterializeAlways;
	cte->ctequery = (Node *) list;
	cte->location = -1;
	cte->cterefcount = 2;
	cte->ctecolnames = list_make1(makeString(pstrdup("list")));
	cte->ctecoltypes = list_make1_oid(comparison->list);
	cte->ctecoltypmods = list_make1_int(-1);
	cte->ctecolcollations = list_make1_oid(comparison->list_collation);
	/* other CTEs may read it, and the planner plans them in order */
	query->cteList = lcons(cte, query->cteList);
	return cte->ctename;
}

static Var *
list_column(const Comparison *comparison)
{
	return makeVar(1, 1, comparison->list, -1, comparison->list_collation, 0);
}

/* (SELECT value FROM keys) */
static Node *
read_cte(const char *name, int depth, const Comparison *comparison, void *value)
{
	RangeTblEntry *cte = makeNode(RangeTblEntry);

	cte->rtekind = RTE_CTE;
	cte->ctename = pstrdup(name);
	cte->ctelevelsup = depth + 1;
	cte->coltypes = list_make1_oid(comparison->list);
	cte->coltypmods = list_make1_int(-1);
	cte->colcollations = list_make1_oid(comparison->list_collation);
	return bf_remote_sub_select(one_value(cte, name, "list", value));
}

void
bf_remote_add_list(Query *outermost, BfRemoteCandidate *candidate)
{
	Query	   *query = candidate->foreign_query;
	Comparison	comparison = find_comparison(candidate);
	char	   *name = add_cte(outermost, list_query(candidate, &comparison), &comparison);
	FuncExpr   *length = makeFuncExpr(F_CARDINALITY, INT4OID,
									  list_make1(list_column(&comparison)), InvalidOid,
									  comparison.list_collation, COERCE_EXPLICIT_CALL);
	Node	   *list = read_cte(name, candidate->depth, &comparison, list_column(&comparison));
	NullTest   *is_unknown = makeNode(NullTest);
	ScalarArrayOpExpr *test = makeNode(ScalarArrayOpExpr);

	is_unknown->arg = (Expr *) read_cte(name, candidate->depth, &comparison, length);
	is_unknown->nulltesttype = IS_NULL;
	is_unknown->location = -1;
	test->opno = comparison.operator;
	test->useOr = true;
	test->inputcollid = candidate->foreign->varcollid;
	test->args = list_make2(as_type(copyObject(candidate->foreign), comparison.operand),
							as_type(list, get_array_type(comparison.operand)));
	test->location = -1;
	query->jointree->quals = make_and_qual(query->jointree->quals,
										   (Node *) makeBoolExpr(OR_EXPR, list_make2(is_unknown, test), -1));
	query->hasSubLinks = true;
}

bool
bf_remote_is_list_test(const Node *condition, Var **foreign, Param **list)
{
	const NullTest *is_unknown;
	const ScalarArrayOpExpr *test;

	if (!is_orclause(condition) || list_length(((BoolExpr *) condition)->args) != 2)
		return false;
	is_unknown = linitial(((BoolExpr *) condition)->args);
	test = lsecond(((BoolExpr *) condition)->args);
	if (!IsA(is_unknown, NullTest) || !IsA(is_unknown->arg, Param) ||
		!IsA(test, ScalarArrayOpExpr))
		return false;
	*foreign = (Var *) bf_strip_relabel(linitial(test->args));
	*list = (Param *) bf_strip_relabel(lsecond(test->args));
	return IsA(*foreign, Var) && IsA(*list, Param) && (*list)->paramkind == PARAM_EXEC &&
		((Param *) is_unknown->arg)->paramkind == PARAM_EXEC;
}
