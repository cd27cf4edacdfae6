/*-------------------------------------------------------------------------
 *
 * column.c
 *		What is known of a column of filters: where they are stored, and their
 *		size.
 *
 * The statistics of a column contain the average width of its values, in which
 * a value out of line counts as its pointer.  Every filter in line is wider
 * than a pointer, so the width tells whether the filters are in line, but not
 * how large the filters out of line are.  Their size is taken from the TOAST
 * table, unless it may contain values of other columns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "access/table.h"
#include "catalog/pg_statistic.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat.h"
#include "core/format.h"
#include "estimates/column.h"
#include "estimates/expression.h"

/* The smallest size of a filter in line: that of an empty filter. */
#define LEAST_IN_LINE	((int32) VARHDRSZ_SHORT + BF_HEADER_BYTES)

/*
 * The range table entry of the table of a column, or NULL.  The planner asks
 * for costs before it has set up anything else: for the test expression of x
 * IN (SELECT ...).
 */
static RangeTblEntry *
table_of_column(PlannerInfo *root, const Var *var)
{
	RangeTblEntry *rte = NULL;
	int			varno = (int) var->varno;

	if (var->varlevelsup != 0 || var->varattno <= 0 || varno <= 0)
		return NULL;
	if (root->simple_rte_array == NULL)
	{
		if (varno <= list_length(root->parse->rtable))
			rte = rt_fetch(varno, root->parse->rtable);
	}
	else if (varno < root->simple_rel_array_size)
		rte = root->simple_rte_array[varno];
	return rte != NULL && rte->rtekind == RTE_RELATION ? rte : NULL;
}

/* The average width of a column's stored values; 0 if it is unknown. */
static int32
average_width(const RangeTblEntry *rte, AttrNumber attnum)
{
	HeapTuple	tuple = SearchSysCache3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
										Int16GetDatum(attnum), BoolGetDatum(rte->inh));
	int32		width;

	if (!HeapTupleIsValid(tuple))
		return 0;
	width = ((Form_pg_statistic) GETSTRUCT(tuple))->stawidth;
	ReleaseSysCache(tuple);
	return width;
}

/*
 * The payload for which a table's TOAST table has room.  This is an upper
 * bound: it may contain chunks of deleted values.
 */
static double
toast_bytes(Relation table)
{
	Relation	toast;
	BlockNumber blocks;

	if (!OidIsValid(table->rd_rel->reltoastrelid))
		return 0;
	toast = table_open(table->rd_rel->reltoastrelid, AccessShareLock);
	blocks = RelationGetNumberOfBlocks(toast);
	table_close(toast, AccessShareLock);
	return (double) blocks * EXTERN_TUPLES_PER_PAGE * TOAST_MAX_CHUNK_SIZE;
}

/*
 * May values of other columns be in the TOAST table?  No if their average
 * width is smaller than that of a pointer.
 */
static bool
others_are_out_of_line(Relation table, AttrNumber attnum)
{
	TupleDesc	desc = RelationGetDescr(table);
	int			i;

	for (i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);
		int32		width;

		if (attribute->attisdropped || attribute->attnum == attnum ||
			attribute->attlen != -1 || attribute->attstorage == TYPSTORAGE_PLAIN)
			continue;
		width = get_attavgwidth(RelationGetRelid(table), attribute->attnum);
		if (width == 0 || width >= (int32) TOAST_POINTER_SIZE)
			return true;
	}
	return false;
}

bool
bf_examine_column(PlannerInfo *root, Node *filter, BfColumn *column)
{
	Var		   *var = (Var *) bf_strip_expression(filter);
	RangeTblEntry *rte;
	Relation	table;
	int32		width;
	double		bytes;

	if (root == NULL || !IsA(var, Var) || (rte = table_of_column(root, var)) == NULL)
		return false;

	column->varno = (int) var->varno;
	width = average_width(rte, var->varattno);
	column->bytes = width;
	column->out_of_line = width > 0 && width < LEAST_IN_LINE;
	/* the statistics of a table with children describe all of them together */
	if (rte->inh)
	{
		if (column->out_of_line)
			column->bytes = 0;
		return true;
	}

	/* the query holds a lock on the table */
	table = relation_open(rte->relid, NoLock);
	bytes = toast_bytes(table);
	column->out_of_line = width < LEAST_IN_LINE && bytes > 0;
	if (column->out_of_line)
	{
		double		rows = table->rd_rel->reltuples;

		column->bytes = rows > 0 && !others_are_out_of_line(table, var->varattno) ? bytes / rows : 0;
	}
	relation_close(table, NoLock);
	return true;
}
