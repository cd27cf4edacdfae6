/*-------------------------------------------------------------------------
 *
 * describe.c
 *		Names of a plan's nodes and expressions, as EXPLAIN shows them.
 *
 * The server's functions for this are static in explain.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/bitmapset.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/ruleutils.h"

#include "compat.h"
#include "joins/rules/nodes.h"
#include "joins/rules/statement.h"
#include "joins/tell/describe.h"

/* Collects the relations that EXPLAIN names: only these get an alias. */
static void
visit_relations(Plan *plan, void *context)
{
	Bitmapset **used = context;
	Index		relation = bf_join_scanned_relation(plan);

	if (relation > 0)
		*used = bms_add_member(*used, (int) relation);
	if (IsA(plan, Append))
		*used = bms_add_members(*used, ((Append *) plan)->apprelids);
	else if (IsA(plan, MergeAppend))
		*used = bms_add_members(*used, ((MergeAppend *) plan)->apprelids);
	else if (IsA(plan, ModifyTable))
		*used = bms_add_member(*used, (int) ((ModifyTable *) plan)->nominalRelation);
}

void
bf_join_learn_names(BfJoinNames *names, PlannedStmt *stmt)
{
	Bitmapset  *used = NULL;

	bf_join_walk_statement(stmt, visit_relations, &used);
	names->stmt = stmt;
	names->relations = select_rtable_names_for_explain(stmt->rtable, used);
	names->deparse = deparse_context_for_plan_tree(stmt, names->relations);
}

static const char *
node_name(const Plan *plan)
{
	const char *name = bf_join_node_name(plan);

	switch (nodeTag(plan))
	{
		case T_Agg:
			return ((const Agg *) plan)->aggstrategy == AGG_HASHED ? "HashAggregate" :
				((const Agg *) plan)->aggstrategy == AGG_SORTED ? "GroupAggregate" :
				((const Agg *) plan)->aggstrategy == AGG_MIXED ? "MixedAggregate" : name;
		case T_SetOp:
			return ((const SetOp *) plan)->strategy == SETOP_HASHED ? "HashSetOp" : name;
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			return bf_join_describe_join(plan);
		default:
			return name != NULL ? name : "another node";
	}
}

/* " on orders o" */
static void
append_relation(StringInfo text, const BfJoinNames *names, Index relation)
{
	const RangeTblEntry *rte = rt_fetch(relation, names->stmt->rtable);
	const char *alias = list_nth(names->relations, (int) relation - 1);
	const char *name = rte->rtekind == RTE_RELATION ? get_rel_name(rte->relid) : NULL;

	appendStringInfoString(text, " on");
	if (name != NULL)
		appendStringInfo(text, " %s", quote_identifier(name));
	if (alias != NULL && (name == NULL || strcmp(alias, name) != 0))
		appendStringInfo(text, " %s", quote_identifier(alias));
}

char *
bf_join_describe_node(const BfJoinNames *names, const Plan *plan)
{
	Index		relation = bf_join_scanned_relation(plan);
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "%s%s", plan->parallel_aware ? "Parallel " : "", node_name(plan));
	if (relation > 0)
		append_relation(&text, names, relation);
	return text.data;
}

static const char *
join_type_name(JoinType type)
{
	if (BF_IS_RIGHT_ANTI(type))
		return "Right Anti ";
	if (BF_IS_RIGHT_SEMI(type))
		return "Right Semi ";
	switch (type)
	{
		case JOIN_LEFT:
			return "Left ";
		case JOIN_FULL:
			return "Full ";
		case JOIN_RIGHT:
			return "Right ";
		case JOIN_SEMI:
			return "Semi ";
		case JOIN_ANTI:
			return "Anti ";
		default:
			return "";
	}
}

char *
bf_join_describe_join(const Plan *plan)
{
	const char *type = join_type_name(((const Join *) plan)->jointype);

	if (IsA(plan, NestLoop) && type[0] == '\0')
		return pstrdup("Nested Loop");
	return psprintf("%s %sJoin", bf_join_node_name(plan), type);
}

char *
bf_join_describe_expression(const BfJoinNames *names, Plan *plan, List *ancestors,
							Node *expression)
{
	List	   *context = set_deparse_context_plan(names->deparse, plan, ancestors);

	return deparse_expression(expression, context, true, false);
}
