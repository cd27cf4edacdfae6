/*-------------------------------------------------------------------------
 *
 * find.c
 *		Finds joins of local with foreign tables in a query before it is
 *		planned.
 *
 * The other server may withhold a row of a foreign table if every row that the
 * query's joins make of it needs a match in a local table, and there is none.
 * Such joins are inner joins, and IN and EXISTS that are a condition of the
 * query by themselves: the planner makes semi joins of them.  A scope is what
 * such conditions apply to: the tables of a query, except those that an outer
 * join may replace by NULLs, and all conditions that each row fulfils.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_foreign_table.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "estimates/expression.h"
#include "joins/remote/find.h"
#include "joins/remote/rules.h"
#include "joins/rules/steady.h"

typedef struct Scope
{
	Query	   *query;
	Bitmapset  *relations;
	List	   *conditions;		/* as the query has them */
} Scope;

typedef struct Search
{
	BfJoinReason refusal;		/* the rule that forbids all filters in the statement */
	List	   *found;			/* BfRemoteCandidate */
} Search;

/* ---------- scopes ---------- */

static void
add_conditions(Scope *scope, Node *condition)
{
	ListCell   *lc;

	if (condition == NULL)
		return;
	check_stack_depth();
	if (!is_andclause(condition))
		scope->conditions = lappend(scope->conditions, condition);
	else
		foreach(lc, ((BoolExpr *) condition)->args)
			add_conditions(scope, lfirst(lc));
}

static void
add_relations(Scope *scope, Node *node)
{
	ListCell   *lc;

	check_stack_depth();
	if (IsA(node, RangeTblRef))
		scope->relations = bms_add_member(scope->relations, ((RangeTblRef *) node)->rtindex);
	else if (IsA(node, FromExpr))
	{
		foreach(lc, ((FromExpr *) node)->fromlist)
			add_relations(scope, lfirst(lc));
		add_conditions(scope, ((FromExpr *) node)->quals);
	}
	else if (IsA(node, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) node;

		if (join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT)
			add_relations(scope, join->larg);
		if (join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT)
			add_relations(scope, join->rarg);
		if (join->jointype == JOIN_INNER)
			add_conditions(scope, join->quals);
	}
}

/*
 * A copy of an expression in which columns of joins are replaced by the joined
 * tables' columns.  The server's own function for this raises an error where
 * an outer join may make NULL of a column that is an expression; here such a
 * column is left as it is.
 */
static Node *
resolve_columns(Node *node, Query *query)
{
	Var		   *var = (Var *) node;

	if (node == NULL || IsA(node, Query))
		return node;
	if (!IsA(node, Var))
		return expression_tree_mutator(node, BF_MUTATOR(resolve_columns), query);
	while (var->varlevelsup == 0 && var->varattno > 0 && !BF_IS_NULLED(var))
	{
		RangeTblEntry *rte = rt_fetch(var->varno, query->rtable);
		Node	   *column;

		if (rte->rtekind != RTE_JOIN)
			break;
		column = list_nth(rte->joinaliasvars, var->varattno - 1);
		if (column == NULL || !IsA(column, Var))
			break;
		var = (Var *) column;
	}
	return copyObject((Node *) var);
}

/* ---------- conditions of one table ---------- */

/*
 * Does the expression depend on more than the table's rows, or may its result
 * change?
 */
static bool
is_about_more(Node *node, int *relation)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varlevelsup > 0 || ((Var *) node)->varno != *relation;
	switch (nodeTag(node))
	{
		case T_Query:
		case T_SubLink:
		case T_Aggref:
		case T_GroupingFunc:
		case T_WindowFunc:
		case T_CurrentOfExpr:
			return true;
		case T_Param:
			return ((Param *) node)->paramkind != PARAM_EXTERN;
		default:
			return expression_tree_walker(node, BF_WALKER(is_about_more), relation);
	}
}

static List *
without_errors(List *conditions)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, conditions)
		if (!contain_leaked_vars(lfirst(lc)))
			result = lappend(result, lfirst(lc));
	return result;
}

/* Is the column virtual: an expression that is computed where it is read? */
static bool
is_virtual(Oid table, AttrNumber column)
{
	return column > 0 && get_attgenerated(table, column) == BF_GENERATED_VIRTUAL;
}

/*
 * Has a condition on the table a column that need not be the same when it is read
 * again?  A whole row has its virtual columns, and others may lock the row: xmax.
 */
static bool
has_unsteady_column(Node *node, Oid *table)
{
	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return ((Var *) node)->varattno <= 0 || is_virtual(*table, ((Var *) node)->varattno);
	return expression_tree_walker(node, BF_WALKER(has_unsteady_column), table);
}

/*
 * Conditions on the local table alone that leave the same rows wherever they are
 * evaluated.  A condition may be left out without harm: the filter then has more
 * keys.  But it may have kept another one from an error, so those that can raise
 * one are left out, too.
 */
static List *
own_conditions(const Scope *scope, int relation)
{
	Oid			table = rt_fetch(relation, scope->query->rtable)->relid;
	List	   *result = NIL;
	bool		all = true;
	ListCell   *lc;

	foreach(lc, scope->conditions)
	{
		Node	   *condition = resolve_columns(lfirst(lc), scope->query);

		if (is_about_more(condition, &relation))
			continue;
		if (bf_join_is_steady(condition) && !has_unsteady_column(condition, &table))
			result = lappend(result, condition);
		else
			all = false;
	}
	return all ? result : without_errors(result);
}

/* ---------- comparisons ---------- */

/* A copy of a comparison of two expressions, with resolved columns; or NULL. */
static OpExpr *
comparison_of(Node *condition, Query *query)
{
	OpExpr	   *result = (OpExpr *) resolve_columns(condition, query);

	return result != NULL && IsA(result, OpExpr) && list_length(result->args) == 2 ? result : NULL;
}

/*
 * A column of a table of the scope, below changes of the type only, as seen in its
 * own query, whatever the query level of the reference; or NULL.  A whole row is
 * none.
 */
static Var *
column_of(const Scope *scope, Node *node, int levels_up)
{
	Var		   *result = (Var *) bf_strip_relabel((Expr *) node);

	if (!IsA(result, Var) || (int) result->varlevelsup != levels_up ||
		result->varattno == 0 || !bms_is_member(result->varno, scope->relations))
		return NULL;
	result = copyObject(result);
	result->varlevelsup = 0;
	return result;
}

static bool
is_known(const Search *search, const BfRemoteCandidate *candidate)
{
	ListCell   *lc;

	foreach(lc, search->found)
	{
		const BfRemoteCandidate *other = lfirst(lc);

		if (other->key != NULL && other->foreign_query == candidate->foreign_query &&
			other->local_query == candidate->local_query &&
			equal(other->foreign, candidate->foreign) && equal(other->key, candidate->key))
			return true;
	}
	return false;
}

static void
try_pair(Search *search, const OpExpr *comparison, const Scope *foreign_scope, Var *foreign,
		 const Scope *local_scope, Var *key)
{
	const RangeTblEntry *rte = rt_fetch(foreign->varno, foreign_scope->query->rtable);
	const RangeTblEntry *local = rt_fetch(key->varno, local_scope->query->rtable);
	BfRemoteCandidate *candidate = palloc0(sizeof(BfRemoteCandidate));
	BfJoinReason refusal;

	if (local->rtekind != RTE_RELATION ||
		!bf_remote_is_foreign(rte, &refusal, &candidate->ntables))
		return;
	candidate->foreign_query = foreign_scope->query;
	candidate->foreign = foreign;
	candidate->local_query = local_scope->query;
	candidate->key = key;
	if (is_known(search, candidate))
		return;
	if (search->refusal != BF_JOIN_ALLOWED)
		refusal = search->refusal;
	if (refusal == BF_JOIN_ALLOWED)
		refusal = bf_remote_local_refusal(local);
	if (refusal == BF_JOIN_ALLOWED)
		refusal = is_virtual(local->relid, key->varattno) ? BF_JOIN_OTHER_HASH :
			bf_remote_key_refusal(comparison, key, foreign);
	candidate->refusal = refusal;
	if (refusal == BF_JOIN_ALLOWED)
		candidate->conditions = own_conditions(local_scope, key->varno);
	search->found = lappend(search->found, candidate);
}

/*
 * Try a comparison of a column of one scope with a column of the other scope
 * (or the same).
 */
static void
try_comparison(Search *search, const OpExpr *comparison, const Scope *a, Var *column_a,
			   const Scope *b, Var *column_b)
{
	if (column_a == NULL || column_b == NULL)
		return;
	try_pair(search, comparison, a, column_a, b, column_b);
	try_pair(search, comparison, b, column_b, a, column_a);
}

static void
search_comparison(Search *search, const Scope *scope, Node *condition)
{
	OpExpr	   *comparison = comparison_of(condition, scope->query);

	if (comparison != NULL)
		try_comparison(search, comparison,
					   scope, column_of(scope, linitial(comparison->args), 0),
					   scope, column_of(scope, lsecond(comparison->args), 0));
}

/* ---------- semi joins ---------- */

/* column IN (SELECT column ...) */
static void
search_any(Search *search, const Scope *outer, const SubLink *link, const Scope *inner)
{
	OpExpr	   *comparison = comparison_of(link->testexpr, outer->query);
	TargetEntry *entry = linitial_node(TargetEntry, inner->query->targetList);
	Node	   *returned;
	Node	   *param;

	if (comparison == NULL)
		return;
	param = (Node *) bf_strip_relabel(lsecond(comparison->args));
	if (!IsA(param, Param) || ((Param *) param)->paramkind != PARAM_SUBLINK)
		return;
	returned = resolve_columns((Node *) entry->expr, inner->query);
	try_comparison(search, comparison,
				   outer, column_of(outer, linitial(comparison->args), 0),
				   inner, column_of(inner, returned, 0));
}

/* EXISTS (SELECT ... WHERE column = column of outside) */
static void
search_exists(Search *search, const Scope *outer, const Scope *inner)
{
	ListCell   *lc;

	foreach(lc, inner->conditions)
	{
		OpExpr	   *comparison = comparison_of(lfirst(lc), inner->query);
		int			i;

		if (comparison == NULL)
			continue;
		for (i = 0; i < 2; i++)
			try_comparison(search, comparison,
						   outer, column_of(outer, list_nth(comparison->args, i), 1),
						   inner, column_of(inner, list_nth(comparison->args, 1 - i), 0));
	}
}

static void
search_sub_select(Search *search, const Scope *outer, const SubLink *link)
{
	Query	   *query = castNode(Query, link->subselect);
	Scope		inner = {.query = query};

	if ((link->subLinkType != ANY_SUBLINK && link->subLinkType != EXISTS_SUBLINK) ||
		!bf_remote_is_simple(query))
		return;
	add_relations(&inner, (Node *) query->jointree);
	if (link->subLinkType == ANY_SUBLINK)
		search_any(search, outer, link, &inner);
	else
		search_exists(search, outer, &inner);
}

/* ---------- queries ---------- */

static bool
has_candidate(const Search *search, const Query *query, int relation)
{
	ListCell   *lc;

	foreach(lc, search->found)
	{
		const BfRemoteCandidate *candidate = lfirst(lc);

		if (candidate->foreign_query == query && candidate->foreign->varno == relation)
			return true;
	}
	return false;
}

/* Note foreign tables about which nothing else was recorded. */
static void
note_lonely_tables(Search *search, const Scope *scope)
{
	int			relation = -1;

	while ((relation = bms_next_member(scope->relations, relation)) >= 0)
	{
		BfRemoteCandidate *candidate;

		if (rt_fetch(relation, scope->query->rtable)->relkind != RELKIND_FOREIGN_TABLE ||
			has_candidate(search, scope->query, relation))
			continue;
		candidate = palloc0(sizeof(BfRemoteCandidate));
		candidate->refusal = search->refusal != BF_JOIN_ALLOWED ?
			search->refusal : BF_JOIN_NO_LOCAL_TABLE;
		candidate->foreign_query = scope->query;
		candidate->foreign = makeNode(Var);
		candidate->foreign->varno = relation;
		search->found = lappend(search->found, candidate);
	}
}

static void
search_scope(Search *search, Query *query)
{
	Scope		scope = {.query = query};
	ListCell   *lc;

	add_relations(&scope, (Node *) query->jointree);
	foreach(lc, scope.conditions)
	{
		Node	   *condition = lfirst(lc);

		if (IsA(condition, SubLink))
			search_sub_select(search, &scope, (SubLink *) condition);
		else
			search_comparison(search, &scope, condition);
	}
	note_lonely_tables(search, &scope);
}

/*
 * Search views and sub-selects in FROM, except those that run for each row of
 * other tables, and those that hide rows.
 */
static void
search_query(Search *search, Query *query)
{
	ListCell   *lc;

	check_stack_depth();
	if (query->commandType == CMD_SELECT && query->setOperations == NULL)
		search_scope(search, query);
	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		if (rte->rtekind == RTE_SUBQUERY && !rte->lateral && !rte->security_barrier)
			search_query(search, rte->subquery);
	}
	foreach(lc, query->cteList)
	{
		CommonTableExpr *cte = lfirst_node(CommonTableExpr, lc);

		if (!cte->cterecursive)
			search_query(search, castNode(Query, cte->ctequery));
	}
}

/*
 * Does the query have a foreign table, or a table that may have foreign tables
 * below it?
 */
static bool
has_foreign_table(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		/* the walker visits its sub-selects, too */
		return rte->rtekind == RTE_RELATION &&
			(rte->relkind == RELKIND_FOREIGN_TABLE ||
			 rte->relkind == RELKIND_PARTITIONED_TABLE ||
			 (rte->relkind == RELKIND_RELATION && rte->inh && has_subclass(rte->relid)));
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, BF_WALKER(has_foreign_table), context,
								 QTW_EXAMINE_RTES_BEFORE);
	return expression_tree_walker(node, BF_WALKER(has_foreign_table), context);
}

static bool
any_foreign_table_exists(void)
{
	Relation	catalog = table_open(ForeignTableRelationId, AccessShareLock);
	SysScanDesc scan = systable_beginscan(catalog, InvalidOid, false, NULL, 0, NULL);
	bool		result = HeapTupleIsValid(systable_getnext(scan));

	systable_endscan(scan);
	table_close(catalog, AccessShareLock);
	return result;
}

bool
bf_remote_may_find(Query *query)
{
	return query->commandType != CMD_UTILITY && has_foreign_table((Node *) query, NULL) &&
		any_foreign_table_exists();
}

List *
bf_remote_find(Query *query)
{
	BfRemoteFunctions functions;
	Search		search = {0};

	search.refusal = bf_remote_statement_refusal(query);
	if (search.refusal == BF_JOIN_ALLOWED)
		search.refusal = bf_remote_find_functions(&functions);
	search_query(&search, query);
	return search.found;
}
