/*-------------------------------------------------------------------------
 *
 * indexes.c
 *		The indexes of a table that tell which of its blocks to skip.
 *
 * BRIN indexes help where the rows lie in the order of the column.  Filter
 * indexes help in any order, if few keys are looked up that have few rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/brin.h"
#include "access/brin_internal.h"
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_index.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/spccache.h"

#include "index/cost.h"
#include "index/handler.h"
#include "joins/choice/indexes.h"
#include "joins/choice/statistics.h"
#include "joins/rules/keys.h"
#include "settings.h"

/* Is this the column of the index, under the join's collation and operator? */
static bool
is_compared(const BfJoinColumn *column, Relation index, int i)
{
	return index->rd_index->indkey.values[i] == column->attribute &&
		index->rd_indcollation[i] == column->collation &&
		op_in_opfamily(column->operator, index->rd_opfamily[i]);
}

static BfStatisticsColumn
statistics_column(const BfJoinColumn *column)
{
	return (BfStatisticsColumn) {
		.table = RelationGetRelid(column->relation),
		.number = column->attribute
	};
}

/* ---------- BRIN indexes ---------- */

/*
 * Does an index keep the lowest and the highest value of a column, in the
 * family's order?  Other kinds of summaries are not used.
 */
static bool
keeps_bounds(const BfJoinColumn *column, Relation index, int i)
{
	Oid			family = index->rd_opfamily[i];
	Oid			type = index->rd_opcintype[i];
	Oid			less = get_opfamily_member(family, type, type, BTLessStrategyNumber);
	int			strategy;
	Oid			left;
	Oid			right;

	if (!is_compared(column, index, i) ||
		index_getprocid(index, (AttrNumber) (i + 1), BRIN_PROCNUM_OPCINFO) != F_BRIN_MINMAX_OPCINFO)
		return false;
	get_op_opfamily_properties(column->operator, family, false, &strategy, &left, &right);
	return strategy == BTEqualStrategyNumber && OidIsValid(less) &&
		less == get_opfamily_member(column->family, type, type, BTLessStrategyNumber);
}

/* The fraction that the order of the rows lets a scan skip, as in cost_index(). */
static double
order_share(const BfJoinColumn *column)
{
	const BfStatisticsColumn of_table = statistics_column(column);
	double		r = bf_join_correlation(&of_table);

	return r * r;
}

static BfJoinSkip *
skip_by_summaries(const BfJoinColumn *column, Relation index, const Plan *scan)
{
	int			i;

	if (index->rd_rel->relam != BRIN_AM_OID)
		return NULL;
	for (i = 0; i < index->rd_index->indnkeyatts; i++)
	{
		BfJoinSkip *result;
		Oid			function;

		if (!keeps_bounds(column, index, i))
			continue;
		function = bf_join_comparison(column, index->rd_opcintype[i]);
		if (!OidIsValid(function))
			continue;
		result = palloc0(sizeof(BfJoinSkip));
		result->kind = BF_JOIN_SKIP_BRIN;
		result->index = RelationGetRelid(index);
		result->attribute = (AttrNumber) (i + 1);
		result->function = function;
		result->saves = order_share(column) * (scan->total_cost - scan->startup_cost);
		return result;
	}
	return NULL;
}

/* ---------- filter indexes ---------- */

/* Indexes hash the server's types as they are compared. */
static bool
hashes_as_compared(const BfJoinColumn *column, Oid function)
{
	return function < FirstGenbkiObjectId ||
		bf_join_hash_follows_equality(function, column->collation);
}

/*
 * Does an index hash the column as it is compared by the join?  The keys are
 * hashed by the function that its family has for their type.
 */
static bool
hashes_keys(const BfJoinColumn *column, Relation index, int i)
{
	Oid			family = index->rd_opfamily[i];
	int			strategy;
	Oid			left;
	Oid			right;

	if (!is_compared(column, index, i) || !bf_index_has_values(index, i))
		return false;
	get_op_opfamily_properties(column->operator, family, false, &strategy, &left, &right);
	return bf_join_may_call(column, bf_index_hash_function(family, right)) &&
		hashes_as_compared(column, bf_index_hash_function(family, left)) &&
		hashes_as_compared(column, bf_index_hash_function(family, right));
}

/* The cost of the scan that is saved if so many keys are looked up. */
static Cost
lookup_saves(const BfJoinColumn *column, const Plan *scan, Relation index, AttrNumber attribute,
			 double keys)
{
	const BfStatisticsColumn of_table = statistics_column(column);
	Relation	table = column->relation;
	double		heap_pages = Max(RelationGetNumberOfBlocks(table), 1);
	double		rows = Max(table->rd_rel->reltuples, 1);
	double		nulls;
	double		distinct = bf_join_distinct(&of_table, rows, &nulls);
	BfLookupPages pages = bf_index_lookup_pages(index, attribute, heap_pages, keys,
												distinct > 0 ? Min(keys / distinct, 1) * rows : rows);
	double		random_cost;
	double		sequential_cost;

	get_tablespace_page_costs(table->rd_rel->reltablespace, &random_cost, &sequential_cost);
	return (scan->total_cost - scan->startup_cost) * (1 - pages.heap / heap_pages) -
		pages.heap * (random_cost - sequential_cost) - pages.index * random_cost;
}

/* Not if looking up so many keys is expected to cost more than it saves. */
static BfJoinSkip *
skip_by_lookup(const BfJoinColumn *column, Relation index, const Plan *scan, double keys)
{
	int			i;

	/* the filter of the whole table hardly ever tells that nothing is there */
	if (keys > BF_JOIN_MAX_EXACT_KEYS || !bf_is_range_filter_index(index))
		return NULL;
	for (i = 0; i < index->rd_index->indnkeyatts; i++)
	{
		BfJoinSkip *result;
		Cost		saves;

		if (!hashes_keys(column, index, i))
			continue;
		saves = lookup_saves(column, scan, index, (AttrNumber) (i + 1), keys);
		if (saves <= 0 && bf_join_filters != BF_JOIN_FILTERS_FORCE)
			continue;
		result = palloc0(sizeof(BfJoinSkip));
		result->kind = BF_JOIN_SKIP_LOOKUP;
		result->index = RelationGetRelid(index);
		result->attribute = (AttrNumber) (i + 1);
		result->saves = saves;
		return result;
	}
	return NULL;
}

/* ---------- all indexes ---------- */

static bool
has_all_rows(Relation index)
{
	return index->rd_index->indisvalid && index->rd_index->indisready &&
		heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL);
}

/*
 * Skips by the first suitable index of each kind only: others of the column
 * would exclude the same blocks.
 */
List *
bf_join_skip_by_indexes(const BfJoinColumn *column, const Plan *scan, double keys)
{
	BfJoinSkip *summaries = NULL;
	BfJoinSkip *lookup = NULL;
	List	   *indexes = RelationGetIndexList(column->relation);
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, indexes)
	{
		Relation	index = index_open(lfirst_oid(lc), AccessShareLock);

		if (has_all_rows(index) && summaries == NULL)
			summaries = skip_by_summaries(column, index, scan);
		if (has_all_rows(index) && lookup == NULL)
			lookup = skip_by_lookup(column, index, scan, keys);
		index_close(index, NoLock);
	}
	list_free(indexes);
	if (summaries != NULL)
		result = lappend(result, summaries);
	return lookup != NULL ? lappend(result, lookup) : result;
}
