/*-------------------------------------------------------------------------
 *
 * remote_list.c
 *		The condition by which a server without the extension tests a foreign
 *		table's rows.
 *
 *		WITH keys (list) AS MATERIALIZED
 *			(SELECT CASE WHEN count(*) < most + 1
 *						 THEN coalesce(array_agg(key), '{}') END
 *			   FROM (SELECT DISTINCT key FROM local
 *					  WHERE ... AND key IS NOT NULL LIMIT most + 1) s)
 *		(SELECT list FROM keys) IS NULL OR
 *		column = ANY ((SELECT list FROM keys))
 *
 * Estimates may be far too low, so the list's length is limited when it is
 * made.  If there are more keys, it is NULL, and all rows pass.  The other
 * server gets the list as a parameter, so the planner there knows whether it is
 * NULL, and may use an index.
 *
 * The other server's encoding may lack characters of a key, which would be an
 * error.  So if a key has other characters than those of ASCII, all rows pass.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_collation_d.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "joins/planning/remote_list.h"
#include "joins/planning/remote_parts.h"
#include "joins/planning/remote_rules.h"

/*
 * How the foreign column is compared with a key: by its own type's equality,
 * since the other server searches a list of another type from end to end.
 */
typedef struct Comparison
{
	Oid			operator;
	Oid			type;			/* of both operands */
	Oid			list;			/* the array of them */
	Oid			key_collation;
	Oid			collation;		/* of the list: one that postgres_fdw sends */
} Comparison;

static Comparison
find_comparison(const BfRemoteCandidate *candidate)
{
	Comparison	result = {0};
	Oid			right;

	result.operator = lookup_type_cache(candidate->foreign->vartype, TYPECACHE_EQ_OPR)->eq_opr;
	op_input_types(result.operator, &result.type, &right);
	result.list = get_array_type(result.type);
	result.key_collation = candidate->key->varcollid;
	result.collation = get_typcollation(result.list);
	return result;
}

static Node *
as_type(Node *node, Oid type)
{
	Node	   *result = coerce_to_target_type(NULL, node, exprType(node), type, -1,
											   COERCION_ASSIGNMENT, COERCE_IMPLICIT_CAST, -1);

	if (result != node)
		exprSetCollation(result, exprCollation(node));
	return result;
}

/* ---------- the list ---------- */

static Const *
number(int64 value)
{
	return makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false,
					 FLOAT8PASSBYVAL);
}

/* a < b, of numbers of 8 bytes */
static Node *
is_less(void *a, void *b)
{
	return (Node *) make_opclause(Int8LessOperator, BOOLOID, false, a, b, InvalidOid, InvalidOid);
}

/* Conditions without which the key might not fit into the column's type. */
static Node *
fits(Node *key, Oid type)
{
	Node	   *wide = as_type(key, INT8OID);
	int64		least = type == INT2OID ? PG_INT16_MIN : PG_INT32_MIN;
	int64		greatest = type == INT2OID ? PG_INT16_MAX : PG_INT32_MAX;

	return make_and_qual(is_less(number(least - 1), wide),
						 is_less(copyObject(wide), number(greatest + 1)));
}

static Query *
different_keys(const BfRemoteCandidate *candidate, const Comparison *comparison)
{
	Query	   *result = bf_remote_local_rows(candidate);
	Node	   *key = (Node *) bf_remote_local_key(candidate);
	Oid			type = getBaseType(candidate->key->vartype);
	NullTest   *known = makeNode(NullTest);
	Node	  **conditions = &result->jointree->quals;
	TargetEntry *entry = makeTargetEntry((Expr *) as_type(key, comparison->type), 1,
										 pstrdup("key"), false);

	known->arg = copyObject((Expr *) key);
	known->nulltesttype = IS_NOT_NULL;
	known->location = -1;
	*conditions = make_and_qual(*conditions, (Node *) known);
	if (bf_remote_is_narrower(comparison->type, type))
		*conditions = make_and_qual(*conditions, fits(copyObject(key), comparison->type));
	result->distinctClause = list_make1(bf_remote_group(entry));
	result->targetList = list_make1(entry);
	result->limitCount = (Node *) number(BF_REMOTE_LIST_MOST + 1);
	result->limitOption = LIMIT_OPTION_COUNT;
	return result;
}

/* Do all keys consist of characters that take one byte in UTF-8? */
static Node *
all_are_ascii(const Var *key)
{
	Node	   *text = (Node *) makeRelabelType((Expr *) copyObject(key), TEXTOID, -1,
												key->varcollid, COERCE_IMPLICIT_CAST);
	Expr	   *bytes = (Expr *) makeFuncExpr(F_OCTET_LENGTH_TEXT, INT4OID, list_make1(text),
											  InvalidOid, key->varcollid, COERCE_EXPLICIT_CALL);
	Expr	   *characters = (Expr *) makeFuncExpr(F_LENGTH_TEXT, INT4OID,
												   list_make1(copyObject(text)), InvalidOid,
												   key->varcollid, COERCE_EXPLICIT_CALL);
	Expr	   *is_ascii = make_opclause(Int4EqualOperator, BOOLOID, false, bytes, characters,
										 InvalidOid, InvalidOid);
	BooleanTest *result = makeNode(BooleanTest);

	result->arg = (Expr *) bf_remote_aggregate(F_BOOL_AND, BOOLOID, list_make1(is_ascii));
	result->booltesttype = IS_NOT_FALSE;
	result->location = -1;
	return (Node *) result;
}

static Node *
list_expression(const Comparison *comparison)
{
	Var		   *key = makeVar(1, 1, comparison->type, -1, comparison->key_collation, 0);
	Aggref	   *count = bf_remote_aggregate(F_COUNT_, INT8OID, NIL);
	Aggref	   *keys = bf_remote_aggregate(F_ARRAY_AGG_ANYNONARRAY, comparison->list,
										   list_make1(key));
	Datum		empty = PointerGetDatum(construct_empty_array(comparison->type));
	Node	   *is_short = is_less(count, number(BF_REMOTE_LIST_MOST + 1));
	CoalesceExpr *list = makeNode(CoalesceExpr);
	CaseWhen   *when = makeNode(CaseWhen);
	CaseExpr   *result = makeNode(CaseExpr);

	count->aggstar = true;
	keys->aggcollid = comparison->collation;
	if (OidIsValid(comparison->collation))
		is_short = make_and_qual(is_short, all_are_ascii(key));
	list->coalescetype = comparison->list;
	list->coalescecollid = comparison->collation;
	list->args = list_make2(keys, makeConst(comparison->list, -1, comparison->collation, -1,
											empty, false, false));
	list->location = -1;
	when->expr = (Expr *) is_short;
	when->result = (Expr *) list;
	when->location = -1;
	result->casetype = comparison->list;
	result->casecollid = comparison->collation;
	result->args = list_make1(when);
	result->defresult = (Expr *) makeNullConst(comparison->list, -1, comparison->collation);
	result->location = -1;
	return (Node *) result;
}

/* A query of one row and column, FROM a single entry of the range table. */
static Query *
one_value(RangeTblEntry *from, const char *source, const char *column, Node *value)
{
	Query	   *result = makeNode(Query);
	RangeTblRef *reference = makeNode(RangeTblRef);

	from->eref = makeAlias(source, list_make1(makeString(pstrdup(column))));
	from->inFromCl = true;
	reference->rtindex = 1;
	result->commandType = CMD_SELECT;
	result->querySource = QSRC_ORIGINAL;
	result->canSetTag = true;
	result->rtable = list_make1(from);
	result->jointree = makeFromExpr(list_make1(reference), NULL);
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
	cte->ctecolcollations = list_make1_oid(comparison->collation);
	/* other CTEs may read it, and the planner plans them in order */
	query->cteList = lcons(cte, query->cteList);
	return cte->ctename;
}

/* (SELECT list FROM keys) */
static Node *
read_cte(const char *name, int depth, const Comparison *comparison)
{
	RangeTblEntry *cte = makeNode(RangeTblEntry);
	Var		   *list = makeVar(1, 1, comparison->list, -1, comparison->collation, 0);

	cte->rtekind = RTE_CTE;
	cte->ctename = pstrdup(name);
	cte->ctelevelsup = depth + 1;
	cte->coltypes = list_make1_oid(comparison->list);
	cte->coltypmods = list_make1_int(-1);
	cte->colcollations = list_make1_oid(comparison->collation);
	return bf_remote_sub_select(one_value(cte, name, "list", (Node *) list));
}

void
bf_remote_add_list(Query *outermost, BfRemoteCandidate *candidate)
{
	Query	   *query = candidate->foreign_query;
	Comparison	comparison = find_comparison(candidate);
	char	   *name = add_cte(outermost, list_query(candidate, &comparison), &comparison);
	NullTest   *is_unknown = makeNode(NullTest);
	ScalarArrayOpExpr *test = makeNode(ScalarArrayOpExpr);

	is_unknown->arg = (Expr *) read_cte(name, candidate->depth, &comparison);
	is_unknown->nulltesttype = IS_NULL;
	is_unknown->location = -1;
	test->opno = comparison.operator;
	test->useOr = true;
	test->inputcollid = candidate->foreign->varcollid;
	test->args = list_make2(as_type(copyObject((Node *) candidate->foreign), comparison.type),
							read_cte(name, candidate->depth, &comparison));
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
	Node	   *column;

	if (!is_orclause(condition) || list_length(((BoolExpr *) condition)->args) != 2)
		return false;
	is_unknown = linitial(((BoolExpr *) condition)->args);
	test = lsecond(((BoolExpr *) condition)->args);
	if (!IsA(is_unknown, NullTest) || !IsA(is_unknown->arg, Param) ||
		!IsA(test, ScalarArrayOpExpr) || !IsA(lsecond(test->args), Param))
		return false;
	column = linitial(test->args);
	while (IsA(column, RelabelType))
		column = (Node *) ((RelabelType *) column)->arg;
	*foreign = (Var *) column;
	*list = lsecond(test->args);
	return IsA(column, Var);
}
