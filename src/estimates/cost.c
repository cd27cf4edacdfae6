/*-------------------------------------------------------------------------
 *
 * cost.c
 *		The cost of a test.
 *
 * A test of a filter that is in memory, or in line in the current row, is
 * cheap.  A test of a filter out of line is expensive if every row contains
 * another filter.  If the values come from another table, many of them are
 * tested against one filter, which is then kept in memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heaptoast.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "compat.h"
#include "estimates/column.h"
#include "estimates/cost.h"
#include "estimates/expression.h"

/* About two integer comparisons (bench/results/results.md). */
#define TEST_COST		(2 * cpu_operator_cost)

/* Number of elements of an array to be tested, as the server assumes. */
#define ARRAY_ELEMENTS	10

/*
 * To read a part of a filter out of line costs a descent of the TOAST table's
 * index and one chunk; each consecutive chunk costs less.  Measured: a test,
 * two parts, took 4 to 9 microseconds, and reading a whole filter 1.1
 * microseconds a chunk; scanning a row, which costs 0.0125 units, took 0.045
 * microseconds.
 */
#define PART_COST		1.0
#define CHUNK_COST		0.3

/*
 * Does the value come from another table than this one?  pull_var_clause()
 * does not accept columns of outer queries, and some versions of the server
 * ask for their cost in x IN (SELECT ...).
 */
static bool
comes_from_elsewhere(Node *value, void *varno)
{
	if (value == NULL)
		return false;
	if (IsA(value, Var))
		return ((Var *) value)->varlevelsup > 0 || (int) ((Var *) value)->varno != *(int *) varno;
	return expression_tree_walker(value, BF_WALKER(comes_from_elsewhere), varno);
}

/*
 * The cost of reading the header of the filter and the block of each value, or
 * the whole filter if that is cheaper.
 */
static Cost
reading_cost(PlannerInfo *root, Node *filter, Node *value, int nvalues)
{
	BfColumn	column;
	Cost		cost = (1 + nvalues) * PART_COST;

	if (!bf_examine_column(root, filter, &column) || !column.out_of_line ||
		comes_from_elsewhere(value, &column.varno))
		return 0;
	if (column.bytes > 0)
		cost = Min(cost, PART_COST + column.bytes / TOAST_MAX_CHUNK_SIZE * CHUNK_COST);
	return cost;
}

void
bf_estimate_cost(SupportRequestCost *req)
{
	BfTest		test = bf_test_of(req->funcid);
	int			nvalues = test == BF_TEST_ANY || test == BF_TEST_ALL ? ARRAY_ELEMENTS : 1;
	List	   *args;

	(void) bf_called_function(req->node, &args);
	req->startup = 0;
	req->per_tuple = nvalues * TEST_COST;
	if (list_length(args) == 2)
	{
		int			filter = bf_filter_argument(args);

		req->per_tuple += reading_cost(req->root, list_nth(args, filter),
									   list_nth(args, 1 - filter), nvalues);
	}
}
