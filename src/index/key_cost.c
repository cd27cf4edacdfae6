/*-------------------------------------------------------------------------
 *
 * key_cost.c
 *		How often the keys that a condition looks for occur.
 *
 * Each of the keys of a combination that is rare may be in most rows.  Then every
 * range has them all, and an index of filters does not help.  The operator's own
 * estimate tells only of the rows that match; so the most common elements of the
 * column, where there are such statistics, are compared with the keys.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/gin.h"
#include "catalog/pg_statistic.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"

#include "index/file/keys.h"
#include "index/key_cost.h"

/* Make the condition that a scan would have; false if its value is not known. */
static bool
make_scan_key(PlannerInfo *root, Relation index, const IndexClause *clause, ScanKeyData *key)
{
	const RestrictInfo *rinfo = linitial_node(RestrictInfo, clause->indexquals);
	Expr	   *expr = rinfo->clause;
	int			flags = 0;
	Oid			operator;
	List	   *args;
	Node	   *value;
	int			strategy;
	Oid			left;
	Oid			right;

	if (IsA(expr, ScalarArrayOpExpr))
	{
		flags = SK_SEARCHARRAY;
		operator = ((ScalarArrayOpExpr *) expr)->opno;
		args = ((ScalarArrayOpExpr *) expr)->args;
	}
	else if (IsA(expr, OpExpr))
	{
		operator = ((OpExpr *) expr)->opno;
		args = ((OpExpr *) expr)->args;
	}
	else
		return false;
	value = estimate_expression_value(root, lsecond(args));
	if (!IsA(value, Const))
		return false;
	if (((Const *) value)->constisnull)
		flags |= SK_ISNULL;
	get_op_opfamily_properties(operator, index->rd_opfamily[clause->indexcol], false, &strategy,
							   &left, &right);
	ScanKeyEntryInitialize(key, flags, (AttrNumber) (clause->indexcol + 1),
						   (StrategyNumber) strategy, right,
						   index->rd_indcollation[clause->indexcol], get_opcode(operator),
						   ((Const *) value)->constvalue);
	return true;
}

/* The column, or the expression, that the condition is about. */
static Node *
indexed_expression(const IndexClause *clause)
{
	const RestrictInfo *rinfo = linitial_node(RestrictInfo, clause->indexquals);

	return IsA(rinfo->clause, OpExpr) ? linitial(((OpExpr *) rinfo->clause)->args) :
		linitial(((ScalarArrayOpExpr *) rinfo->clause)->args);
}

/*
 * Set the frequencies of the hashes that the most common elements have.  Others are
 * at most half as frequent as the least of these, as the server's estimates have it.
 */
static void
use_common_elements(BfKeyCondition *condition, Relation index, int column,
					const AttStatsSlot *slot)
{
	BfQueries  *queries = condition->queries;
	/* behind the frequencies of the elements are the least and the greatest */
	double		rare = slot->nnumbers > slot->nvalues ? slot->numbers[slot->nvalues] / 2 : 0;
	int			i;

	for (i = 0; i < queries->nhashes; i++)
		condition->frequencies[i] = Min(condition->frequencies[i], rare);
	for (i = 0; i < slot->nvalues && i < slot->nnumbers; i++)
	{
		int			place;

		CHECK_FOR_INTERRUPTS();
		place = bf_queries_find(queries, bf_key_hash(index, column, slot->values[i], false));
		if (place >= 0)
			condition->frequencies[place] = slot->numbers[i];
	}
}

static void
find_frequencies(BfKeyCondition *condition, PlannerInfo *root, Relation index,
				 const IndexClause *clause)
{
	int			column = clause->indexcol;
	VariableStatData vardata;
	AttStatsSlot slot;

	examine_variable(root, indexed_expression(clause), 0, &vardata);
	if (HeapTupleIsValid(vardata.statsTuple) &&
		get_attstatsslot(&slot, vardata.statsTuple, STATISTIC_KIND_MCELEM, InvalidOid,
						 ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
	{
		if (getBaseType(slot.valuetype) == bf_key_type(index, column))
			use_common_elements(condition, index, column, &slot);
		free_attstatsslot(&slot);
	}
	ReleaseVariableStats(vardata);
}

bool
bf_key_condition(BfKeyCondition *condition, PlannerInfo *root, Relation index,
				 const IndexClause *clause, double rows)
{
	ScanKeyData key;
	int			i;

	if (!bf_index_has_keys(index, clause->indexcol) || !make_scan_key(root, index, clause, &key))
		return false;
	condition->queries = bf_queries_make(index, &key);
	condition->frequencies = palloc(Max(condition->queries->nhashes, 1) * sizeof(double));
	for (i = 0; i < condition->queries->nhashes; i++)
		condition->frequencies[i] = rows;
	find_frequencies(condition, root, index, clause);
	return true;
}

/*
 * The part of pieces in which a query seems to match: all keys that it requires, or
 * else, any of its keys.
 */
static double
query_matching(const BfKeyCondition *condition, BfQuery *query, const double *parts)
{
	bool	   *required = palloc(Max(query->nkeys, 1) * sizeof(bool));
	double		all = 1;
	double		none = query->no_keys_place >= 0 ? 1 - parts[query->no_keys_place] : 1;
	bool		any_required = false;
	int			i;

	bf_query_required(condition->queries, query, required);
	for (i = 0; i < query->nkeys; i++)
	{
		double		part = query->places[i] < 0 ? 1 : parts[query->places[i]];

		none *= 1 - part;
		if (!required[i])
			continue;
		all *= part;
		any_required = true;
	}
	pfree(required);
	if (any_required)
		return all;
	return query->mode == GIN_SEARCH_MODE_ALL ? 1 : 1 - none;
}

double
bf_key_matching(const BfKeyCondition *condition, const double *parts)
{
	double		none = 1;
	int			i;

	if (condition->queries->everywhere)
		return 1;
	for (i = 0; i < condition->queries->count; i++)
		none *= 1 - query_matching(condition, &condition->queries->queries[i], parts);
	return 1 - none;
}
