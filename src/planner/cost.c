/*-------------------------------------------------------------------------
 *
 * cost.c
 *		What a test costs.
 *
 * A test against a filter in memory, or in line in the row that is at hand, is
 * cheap.  One out of line is not, if each row brings another filter; if the
 * values come from another table, many are tested against one filter, which
 * is then kept.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heaptoast.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "compat.h"
#include "planner/column.h"
#include "planner/cost.h"
#include "planner/expression.h"

/* About two integer comparisons (bench/results/results.md). */
#define TEST_COST		(2 * cpu_operator_cost)

/* Elements of an array that is tested: as many as the server assumes. */
#define ARRAY_ELEMENTS	10

/*
 * A part of a filter out of line is a descent of the TOAST table's index and
 * a chunk, each chunk that follows in a row costs less.  A test, two parts,
 * took 4 to 9 microseconds, and reading a filter whole 1.1 a chunk, where
 * scanning a row, 0.0125 units, took 0.045.
 */
#define PART_COST		1.0
#define CHUNK_COST		0.3

/*
 * Does the value come from another table than this one?  pull_var_clause()
 * does not take columns of outer queries, of which some versions of the server
 * ask for x IN (SELECT ...).
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
 * What it costs to get at the filter: to read its header and the block of
 * each value, but no more than to read it whole.
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
