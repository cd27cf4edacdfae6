/*-------------------------------------------------------------------------
 *
 * lookups.c
 *		Chooses between index lookups and scans that skip.
 *
 * A nested loop looks up rows of its inner table by index, for each row of its
 * outer side.  A hash join scans the table instead, and its filter may let the
 * scan skip most of the table's partitions or blocks.  The planner does not know
 * that.  So a query with such lookups is planned again without them, and the
 * plan that is cheaper with its filters is kept.  Other tables may be looked up
 * in both plans.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "joins/hooks/lookups.h"
#include "joins/rules/nodes.h"
#include "settings.h"

/*
 * Where the planner expects one row, it may read a table again for each row: this
 * is not better than a lookup, and far worse if there are more rows.  Only a small
 * table may be read so, even if the planner's own plan reads it so, too: for the
 * rows of another outer side, of which there may be far more than expected.  The
 * largest such table in TPC-DS has 300 rows and costs 14.
 */
#define SMALL_RESCAN	(20 * seq_page_cost)

/* The other plan must be cheaper by so much to be taken. */
#define MARGIN			1.2

/* ---------- tables ---------- */

static bool
is_brin(Oid index)
{
	Relation	relation = index_open(index, AccessShareLock);
	bool		result = relation->rd_rel->relam == BRIN_AM_OID;

	index_close(relation, NoLock);
	return result;
}

static bool
has_brin_index(Oid table)
{
	Relation	relation = table_open(table, NoLock);
	List	   *indexes = RelationGetIndexList(relation);
	bool		result = false;
	ListCell   *lc;

	foreach(lc, indexes)
		result = result || is_brin(lfirst_oid(lc));
	list_free(indexes);
	table_close(relation, NoLock);
	return result;
}

/* May join filters let a scan skip the table, or parts of it? */
static bool
may_be_skipped(const RangeTblEntry *rte)
{
	return rte->rtekind == RTE_RELATION &&
		(rte->relkind == RELKIND_PARTITIONED_TABLE || get_rel_relispartition(rte->relid) ||
		 has_brin_index(rte->relid));
}

/* ---------- plans without lookups ---------- */

/*
 * Is this a part of a query that runs again for each row of another part, or
 * for what it returned itself?
 */
static bool
runs_again(const PlannerInfo *root)
{
	for (root = root->parent_root; root != NULL; root = root->parent_root)
		if (root->plan_params != NIL || root->non_recursive_path != NULL)
			return true;
	return false;
}

void
bf_lookups_remove(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte)
{
	List	   *others = NIL;
	ListCell   *lc;

	if (!may_be_skipped(rte) || runs_again(root))
		return;
	foreach(lc, rel->pathlist)
		if (PATH_REQ_OUTER((Path *) lfirst(lc)) == NULL)
			others = lappend(others, lfirst(lc));
	/*
	 * below LATERAL, or if it is foreign, a table may be read in no other way
	 */
	if (others != NIL)
		rel->pathlist = others;
}

/*
 * Might a plan without lookups call a volatile function more often or less
 * often?  Not in the outermost select list, for each row of the result.
 */
static bool
calls_may_differ(Query *query)
{
	List	   *targets = query->targetList;
	bool		result;

	if (query->hasSubLinks)
		return contain_volatile_functions((Node *) query);
	query->targetList = NIL;
	result = contain_volatile_functions((Node *) query);
	query->targetList = targets;
	return result;
}

/* ---------- nested loops ---------- */

/* What the nested loops of a plan do. */
typedef struct Loops
{
	PlannedStmt *stmt;
	bool		look_up;		/* rows of a table that may be skipped */
	bool		read_again;		/* a large inner side as a whole, for each outer row */
} Loops;

/* Is the plan certain to return no more than one row? */
static bool
returns_one_row(const Plan *plan)
{
	if (IsA(plan, NestLoop))
		return returns_one_row(outerPlan(plan)) && returns_one_row(innerPlan(plan));
	return IsA(plan, Agg) && ((const Agg *) plan)->aggstrategy == AGG_PLAIN &&
		!DO_AGGSPLIT_SKIPFINAL(((const Agg *) plan)->aggsplit);
}

static void
visit_inner(Plan *plan, void *context)
{
	Loops	   *loops = context;
	Index		relation = bf_join_scanned_relation(plan);

	if (relation > 0 && !loops->look_up)
		loops->look_up = may_be_skipped(rt_fetch(relation, loops->stmt->rtable));
}

static void
visit_loop(Plan *plan, void *context)
{
	Loops	   *loops = context;

	if (!IsA(plan, NestLoop))
		return;
	if (((NestLoop *) plan)->nestParams != NIL)
		bf_join_walk(innerPlan(plan), visit_inner, loops);
	else if (innerPlan(plan)->total_cost > SMALL_RESCAN && !returns_one_row(outerPlan(plan)))
		loops->read_again = true;
}

static Loops
find_loops(PlannedStmt *stmt)
{
	Loops		result = {.stmt = stmt};

	bf_join_walk_statement(stmt, visit_loop, &result);
	return result;
}

/* ---------- the choice ---------- */

void
bf_lookups_choose(BfJoinPlanning *planning, BfJoinOutcome *outcome)
{
	int			mode = planning->mode | BF_JOIN_WITHOUT_LOOKUPS;
	PlannedStmt *stmt;
	BfJoinOutcome other;

	if (!bf_join_replan || bf_join_filters == BF_JOIN_FILTERS_FORCE)
		return;
	if (!find_loops(outcome->stmt).look_up || calls_may_differ(planning->query))
		return;
	stmt = planning->plan_again(planning, copyObject(planning->query), mode);
	if (stmt == NULL || find_loops(stmt).read_again || !bf_join_hashes_as_compared(stmt) ||
		bf_join_has_more_disabled(stmt, outcome->stmt))
		return;
	other = bf_join_assess(stmt, planning->cursor_options, planning->tell);
	if (!other.skips || other.cost * MARGIN >= outcome->cost)
		return;
	planning->mode = mode;
	*outcome = other;
}
