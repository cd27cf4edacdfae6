/*-------------------------------------------------------------------------
 *
 * selectivity.c
 *		Estimates how many of a join's rows have a match for some of its keys.
 *
 * The planner estimates the whole join: all its keys and its other conditions.
 * A filter of only some keys lets more rows pass, and no filter knows of other
 * conditions.  For these cases, and where the planner overlooks that the
 * hashed rows lie close together, we use the statistics of the columns: only
 * their numbers, as the planner does for columns that the user may not read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "catalog/pg_class.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "estimates/expression.h"
#include "joins/choice/selectivity.h"
#include "joins/choice/statistics.h"
#include "joins/rules/nodes.h"
#include "joins/rules/places.h"

/*
 * Minimum correlation between a column and the order of rows at which the rows
 * are considered to be in the column's order.  The correlation is 1 if rows
 * were inserted in this order; rows that came late or were updated lower it a
 * little.
 */
#define IN_ORDER	0.9

/* A column of a table that a plan scans. */
typedef struct TableColumn
{
	Plan	   *scan;			/* NULL if it scans several partitions */
	BfStatisticsColumn column;
	Index		varno;
	double		rows;			/* of the table */
	double		distinct;		/* values; 0: not known */
	double		nulls;			/* fraction of the rows */
} TableColumn;

/* ---------- tables ---------- */

/* The number of rows in a table; 0: not known. */
static double
table_rows(Oid table)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	double		result;

	if (!HeapTupleIsValid(tuple))
		return 0;
	result = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return Max(result, 0);
}

/*
 * The fraction of a table's rows that a plan returns, if it scans only this
 * table; otherwise, or if that is not known, 1.
 */
static double
table_fraction(PlannedStmt *stmt, Plan *plan)
{
	double		rows;

	while (outerPlan(plan) != NULL && innerPlan(plan) == NULL)
		plan = outerPlan(plan);
	if (!bf_join_is_table_scan(plan))
		return 1;
	rows = table_rows(rt_fetch(((Scan *) plan)->scanrelid, stmt->rtable)->relid);
	return rows > 0 ? Min(plan->plan_rows / rows, 1) : 1;
}

/* ---------- columns ---------- */

static void
set_table_column(PlannedStmt *stmt, Plan *scan, Index varno, AttrNumber number,
				 TableColumn *result)
{
	result->scan = scan;
	result->column.table = rt_fetch(varno, stmt->rtable)->relid;
	result->column.number = number;
	result->column.of_partitions = scan == NULL;
	result->varno = varno;
	result->rows = table_rows(result->column.table);
	result->distinct = bf_join_distinct(&result->column, result->rows, &result->nulls);
}

/* Step down from a node's column to the child's column that it returns. */
static bool
step_down(Plan **plan, AttrNumber *number)
{
	Var		   *var = bf_join_listed_var((*plan)->targetlist, *number);

	if (var == NULL || var->varattno <= 0)
		return false;
	*number = var->varattno;
	if (var->varno == OUTER_VAR)
		*plan = outerPlan(*plan);
	else if (var->varno == INNER_VAR)
		*plan = innerPlan(*plan);
	else if (IsA(*plan, SubqueryScan))
		*plan = ((SubqueryScan *) *plan)->subplan;
	else
		return false;
	return *plan != NULL;
}

static bool
find_scanned_column(PlannedStmt *stmt, Plan *scan, AttrNumber number, TableColumn *result)
{
	AttrNumber	column = bf_join_scanned_column(scan, number);

	if (column == 0)
		return false;
	set_table_column(stmt, scan, ((Scan *) scan)->scanrelid, column, result);
	return true;
}

/*
 * Find the column of the partitioned table to which a partition's column
 * belongs.
 */
static bool
find_parent_column(PlannedStmt *stmt, const Append *append, const TableColumn *child,
				   TableColumn *result)
{
	Index		parent;
	char	   *name;

	/* an Append with several of them joins partitions */
	if (bms_membership(append->apprelids) != BMS_SINGLETON)
		return false;
	parent = bms_singleton_member(append->apprelids);
	if (rt_fetch(parent, stmt->rtable)->relkind != RELKIND_PARTITIONED_TABLE)
		return false;
	name = get_attname(child->column.table, child->column.number, true);
	if (name == NULL)
		return false;
	set_table_column(stmt, NULL, parent,
					 get_attnum(rt_fetch(parent, stmt->rtable)->relid, name), result);
	return true;
}

/* Find the table's column that a column of a plan returns unchanged. */
static bool
find_table_column(PlannedStmt *stmt, Plan *plan, AttrNumber number, TableColumn *result)
{
	const Append *append = NULL;
	TableColumn child;

	for (;;)
	{
		if (bf_join_is_table_scan(plan))
			break;
		if (IsA(plan, Append) && append == NULL && ((Append *) plan)->appendplans != NIL)
		{
			append = (Append *) plan;
			plan = linitial(append->appendplans);
		}
		else if (!step_down(&plan, &number))
			return false;
	}
	if (append == NULL)
		return find_scanned_column(stmt, plan, number, result);
	return find_scanned_column(stmt, plan, number, &child) &&
		find_parent_column(stmt, append, &child, result);
}

/* Are the table's rows in the order of one of its columns? */
static bool
is_in_order(BfStatisticsColumn column, AttrNumber number)
{
	column.number = number;
	return bf_join_correlation(&column) >= IN_ORDER;
}

/* The table's columns by which a scan of an index alone chooses rows. */
static Bitmapset *
restricted_index_columns(const IndexOnlyScan *scan)
{
	Bitmapset  *of_index = NULL;
	Bitmapset  *result = NULL;
	int			member = -1;

	pull_varattnos((Node *) scan->scan.plan.qual, INDEX_VAR, &of_index);
	pull_varattnos((Node *) scan->indexqual, INDEX_VAR, &of_index);
	while ((member = bms_next_member(of_index, member)) >= 0)
	{
		AttrNumber	number = (AttrNumber) (member + FirstLowInvalidHeapAttributeNumber);
		Var		   *var = bf_join_listed_var(scan->indextlist, number);

		if (var != NULL)
			result = bms_add_member(result, var->varattno - FirstLowInvalidHeapAttributeNumber);
	}
	return result;
}

/* The columns by which a scan chooses rows, as pull_varattnos() numbers them. */
static Bitmapset *
restricted_columns(const TableColumn *column)
{
	Plan	   *scan = column->scan;
	Bitmapset  *result = NULL;

	if (IsA(scan, IndexOnlyScan))
		return restricted_index_columns((IndexOnlyScan *) scan);
	pull_varattnos((Node *) scan->qual, column->varno, &result);
	if (IsA(scan, IndexScan))
		pull_varattnos((Node *) ((IndexScan *) scan)->indexqualorig, column->varno, &result);
	else if (IsA(scan, BitmapHeapScan))
		pull_varattnos((Node *) ((BitmapHeapScan *) scan)->bitmapqualorig, column->varno, &result);
	return result;
}

/*
 * Are the values that are hashed close together?  They are if rows are chosen
 * by the key itself, or by another column whose order the key has, such as the
 * year of a date.
 */
static bool
lies_together(const TableColumn *inner)
{
	Bitmapset  *restricted;
	int			member = -1;

	if (inner->scan == NULL)
		return false;
	restricted = restricted_columns(inner);
	if (bms_is_member(inner->column.number - FirstLowInvalidHeapAttributeNumber, restricted))
		return true;
	if (bms_is_empty(restricted) || !is_in_order(inner->column, inner->column.number))
		return false;
	while ((member = bms_next_member(restricted, member)) >= 0)
		if (is_in_order(inner->column,
						(AttrNumber) (member + FirstLowInvalidHeapAttributeNumber)))
			return true;
	return false;
}

/* ---------- keys ---------- */

/* What is known about the two sides of a key. */
typedef struct KeySides
{
	TableColumn inner;
	TableColumn outer;			/* a copy of inner if it is not known */
	bool		together;		/* see lies_together() */
} KeySides;

static bool
find_inner(PlannedStmt *stmt, const BfJoinSides *sides, const BfJoinPlanKey *key,
		   TableColumn *result)
{
	Plan	   *hashed = outerPlan(sides->store);
	Var		   *var = (Var *) bf_strip_relabel(key->inner);

	return IsA(var, Var) && var->varno == OUTER_VAR &&
		find_table_column(stmt, hashed, var->varattno, result);
}

static bool
find_key_sides(PlannedStmt *stmt, const BfJoinSides *sides, const BfJoinPlanKey *key,
			   KeySides *result)
{
	if (!find_inner(stmt, sides, key, &result->inner) || result->inner.distinct <= 0)
		return false;
	if (!find_table_column(stmt, *sides->tested, key->column, &result->outer) ||
		result->outer.distinct <= 0)
	{
		result->outer = result->inner;
		result->outer.nulls = 0;
	}
	result->together = result->outer.distinct < result->inner.distinct &&
		lies_together(&result->inner);
	return true;
}

/*
 * The fraction of outer rows that have a match for one key.  Like the planner,
 * we assume that all values of the side with fewer values are among those of
 * the other side.  So if the hashed values are chosen at random among many,
 * few of them are on the outer side.  But if they lie together, we assume that
 * they lie where the outer side's values are: a query for a year is a query
 * for a year with data.  The outer side may have only some of the values in
 * that range, such as the first day of each week.
 */
static double
key_fraction(const KeySides *sides, double hashed_rows)
{
	const TableColumn *inner = &sides->inner;
	double		table_rows = Max(inner->rows, 1);
	double		fraction = Min(hashed_rows / table_rows, 1);
	double		rows_per_value = Max(table_rows / inner->distinct, 1);
	double		hashed;
	double		all;

	if (sides->together)
	{
		hashed = inner->distinct * fraction;
		/* the inner column's values in the range of the outer column; 0: not known */
		all = inner->distinct * bf_join_fraction_in_range(&inner->column, &sides->outer.column);
		all = Max(all, sides->outer.distinct);
	}
	else
	{
		hashed = inner->distinct * (1 - pow(1 - fraction, rows_per_value));
		all = Max(inner->distinct, sides->outer.distinct);
	}
	return Min(hashed / all, 1) * (1 - sides->outer.nulls);
}

/*
 * The fraction of outer rows that have a match for each of some keys.  False:
 * one of the keys has no statistics.
 */
static bool
keys_fraction(PlannedStmt *stmt, const BfJoinSides *sides, List *descents, double *result,
			  bool *together)
{
	ListCell   *lc;

	*result = 1;
	*together = false;
	foreach(lc, descents)
	{
		KeySides	of_key;

		if (!find_key_sides(stmt, sides, ((BfJoinDescent *) lfirst(lc))->key, &of_key))
			return false;
		*result *= key_fraction(&of_key, bf_join_hashed_rows(sides->store));
		*together |= of_key.together;
	}
	return true;
}

/* ---------- joins ---------- */

double
bf_join_hashed_rows(Plan *store)
{
	return store->parallel_aware ? ((Hash *) store)->rows_total : outerPlan(store)->plan_rows;
}

/* Does the join's number of rows tell nothing about the tested side's? */
static bool
returns_other_side(const BfJoinSides *sides)
{
	JoinType	type = sides->join->jointype;

	if (sides->tested == &innerPlan(&sides->join->plan))
		return type != JOIN_INNER;
	return BF_IS_RIGHT_ANTI(type) || BF_IS_RIGHT_SEMI(type);
}

/*
 * The fraction of the tested side's rows that have a match.  If the join
 * returns only rows of the other side, we assume that each key is as frequent
 * as any other.
 */
static double
join_fraction(PlannedStmt *stmt, const BfJoinSides *sides)
{
	if (returns_other_side(sides))
		return table_fraction(stmt, outerPlan(sides->store));
	return Min(sides->join->plan.plan_rows / Max((*sides->tested)->plan_rows, 1), 1);
}

double
bf_join_pass_fraction(PlannedStmt *stmt, const BfJoinSides *sides, List *descents)
{
	double		of_join = join_fraction(stmt, sides);
	int			nkeys = list_length(bf_join_conditions(sides));
	double		of_keys;
	bool		together;

	if (!keys_fraction(stmt, sides, descents, &of_keys, &together))
		/* assume that each key of the join lets the same fraction pass */
		return pow(of_join, (double) list_length(descents) / nkeys);
	if (list_length(descents) < nkeys || sides->join->joinqual != NIL ||
		sides->join->plan.qual != NIL || returns_other_side(sides))
		return of_keys;
	/* the planner also knows the most common values */
	return together ? Max(of_join, of_keys) : of_join;
}
