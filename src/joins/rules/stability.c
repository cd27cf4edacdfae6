/*-------------------------------------------------------------------------
 *
 * stability.c
 *		How parts of plans behave when they run again, or with fewer rows.
 *
 * A kind of node that is not known here is treated as volatile, so that plans
 * of future servers are not changed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "common/hashfn.h"
#include "foreign/foreign.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "joins/rules/nodes.h"
#include "joins/rules/stability.h"
#include "joins/rules/steady.h"

/* ---------- expressions ---------- */

typedef struct ExpressionContext
{
	BfJoinStatement *statement;
	BfJoinStability stability;	/* the least stable sub-select or parameter */
	bool		may_be_endless;	/* may any of them be endless? */
	bool		has_subplan;
} ExpressionContext;

/*
 * Does an aggregate call a volatile function?  The server records every
 * aggregate as immutable; its own really are no worse than stable.
 */
static bool
aggregate_is_volatile(BfJoinStatement *statement, Oid function)
{
	HeapTuple	tuple;
	bool		result = false;

	if (function < FirstNormalObjectId)
		return false;
	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(function));
	if (HeapTupleIsValid(tuple))
	{
		Form_pg_aggregate form = (Form_pg_aggregate) GETSTRUCT(tuple);
		Oid			functions[] = {
			form->aggtransfn, form->aggfinalfn, form->aggcombinefn, form->aggserialfn,
			form->aggdeserialfn, form->aggmtransfn, form->aggminvtransfn, form->aggmfinalfn
		};
		int			i;

		for (i = 0; i < (int) lengthof(functions); i++)
		{
			if (!OidIsValid(functions[i]))
				continue;
			bf_join_watch_function(statement, functions[i]);
			result |= func_volatile(functions[i]) == PROVOLATILE_VOLATILE;
		}
		ReleaseSysCache(tuple);
	}
	return result;
}

/* The stability of the result of a sub-select. */
static BfJoinStability
sub_select_stability(BfJoinStatement *statement, const SubPlan *subplan)
{
	/* an array has its rows in the order in which they came */
	BfJoinStability most = subplan->subLinkType == ARRAY_SUBLINK ?
		BF_JOIN_STABLE : BF_JOIN_REPEATABLE;
	BfJoinStability of_plan = bf_join_stability(statement,
												bf_join_sub_select(statement, subplan->plan_id));

	return Min(most, of_plan);
}

static bool
sub_select_may_be_endless(BfJoinStatement *statement, const SubPlan *subplan)
{
	return bf_join_may_be_endless(statement, bf_join_sub_select(statement, subplan->plan_id));
}

static bool
is_volatile_walker(Node *node, ExpressionContext *context)
{
	if (node == NULL)
		return false;
	if ((IsA(node, Aggref) && aggregate_is_volatile(context->statement, ((Aggref *) node)->aggfnoid)) ||
		(IsA(node, WindowFunc) && aggregate_is_volatile(context->statement, ((WindowFunc *) node)->winfnoid)))
		return true;
	/* a constraint may call anything */
	if (IsA(node, CoerceToDomain) && bf_domain_has_constraints(((CoerceToDomain *) node)->resulttype))
		return true;
	if (IsA(node, SubPlan))
	{
		SubPlan    *subplan = (SubPlan *) node;
		BfJoinStability stability;

		context->has_subplan = true;
		context->may_be_endless |= sub_select_may_be_endless(context->statement, subplan);
		stability = sub_select_stability(context->statement, subplan);
		if (stability == BF_JOIN_VOLATILE)
			return true;
		context->stability = Min(context->stability, stability);
	}
	/* whoever locks a row changes it, under the same snapshot: xmax, cmin, cmax */
	if (IsA(node, Var) && ((Var *) node)->varattno < 0 &&
		((Var *) node)->varattno != SelfItemPointerAttributeNumber &&
		((Var *) node)->varattno != TableOidAttributeNumber)
		context->stability = Min(context->stability, BF_JOIN_STABLE);
	if (IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC)
	{
		int			param = ((Param *) node)->paramid;

		if (bms_is_member(param, context->statement->volatile_params))
			return true;
		if (bms_is_member(param, context->statement->unequal_params))
			context->stability = Min(context->stability, BF_JOIN_STABLE);
		context->may_be_endless |= bms_is_member(param, context->statement->endless_params);
	}
	return expression_tree_walker(node, BF_WALKER(is_volatile_walker), context);
}

static bool
is_volatile(Node *expression, ExpressionContext *context)
{
	return contain_volatile_functions(expression) || is_volatile_walker(expression, context);
}

bool
bf_join_expression_is_calm(BfJoinStatement *statement, Node *expression)
{
	ExpressionContext context = {.statement = statement};

	return !is_volatile(expression, &context) && !context.has_subplan;
}

/* ---------- plans ---------- */

/*
 * What is known of a node and all nodes below it.  The key is the node's
 * address: other extensions may use a node number twice.
 */
typedef struct Judgement
{
	Plan	   *plan;
	char		status;			/* simplehash.h's */
	BfJoinStability stability;
	bool		may_be_endless;
	bool		is_calm;		/* the node without those below it */
} Judgement;

#define SH_PREFIX			judgement
#define SH_ELEMENT_TYPE		Judgement
#define SH_KEY_TYPE			Plan *
#define SH_KEY				plan
#define SH_HASH_KEY(tb, key)	murmurhash32((uint32) ((uintptr_t) (key) >> 4))
#define SH_EQUAL(tb, a, b)	((a) == (b))
#define SH_SCOPE			static inline
#define SH_DEFINE
#define SH_DECLARE
#include "lib/simplehash.h"

static Judgement judge(BfJoinStatement *statement, Plan *plan);

/* Called when more is known of the statement's parameters. */
static void
forget_judgements(BfJoinStatement *statement)
{
	if (statement->judgements != NULL)
		judgement_destroy(statement->judgements);
	statement->judgements = judgement_create(CurrentMemoryContext, 64, NULL);
}

/*
 * A CTE keeps its rows, but how much of it runs depends on how many rows are
 * read from it.  A CTE that may run again is judged where it belongs.
 */
static BfJoinStability
cte_stability(BfJoinStatement *statement, CteScan *plan)
{
	Plan	   *cte = bf_join_sub_select(statement, plan->ctePlanId);

	return bf_join_stability(statement, cte) == BF_JOIN_VOLATILE ?
		BF_JOIN_VOLATILE : BF_JOIN_REPEATABLE;
}

/*
 * The stability of a node without its expressions and the nodes below it.
 *
 * For some nodes, the rows that they return depend on the order of their
 * input, which depends on what other processes do at the same time: parallel
 * workers, or synchronised scans.  Nothing is known of the rows of other
 * servers and of custom scans.  Locking rows is a side effect, like those of
 * a volatile function.
 */
static BfJoinStability
node_stability(BfJoinStatement *statement, Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_LockRows:
			return BF_JOIN_VOLATILE;
		case T_CteScan:
			return cte_stability(statement, (CteScan *) plan);
		case T_SampleScan:
			/*
			 * each process uses its own seed, a new one whenever Gather starts
			 * it
			 */
			return ((SampleScan *) plan)->tablesample->repeatable == NULL ?
				BF_JOIN_STABLE : BF_JOIN_REPEATABLE;
		case T_Limit:
		case T_WindowAgg:
		case T_ProjectSet:
		case T_ForeignScan:
		case T_CustomScan:
			/*
			 * of equal values that differ, such as 1.0 and 1.00, one is
			 * returned
			 */
		case T_Unique:
		case T_Agg:
		case T_Group:
		case T_SetOp:
		case T_RecursiveUnion:
			return BF_JOIN_STABLE;
		default:
			return BF_JOIN_REPEATABLE;
	}
}

/*
 * Judge a node with all of its expressions, but without the nodes below it.  What
 * depends on settings has the same result within one scan; in the next, they may differ.
 */
static void
judge_alone(BfJoinStatement *statement, Judgement *result)
{
	ExpressionContext expressions = {
		.statement = statement,
		.stability = node_stability(statement, result->plan)
	};
	List	   *list;

	if (!bf_join_node_expressions(result->plan, &list) ||
		is_volatile((Node *) list, &expressions))
		return;
	result->stability = expressions.stability;
	if (!bf_join_is_steady((Node *) list))
		result->stability = Min(result->stability, BF_JOIN_BY_SETTINGS);
	result->may_be_endless |= expressions.may_be_endless;
	result->is_calm = !expressions.has_subplan;
}

/*
 * May a foreign server return rows without end?  Tables of another PostgreSQL
 * server end, as local tables do.  Of other foreign data nothing is known:
 * file_fdw may read a program's endless output.
 */
static bool
may_be_endless_source(Oid server)
{
	ForeignDataWrapper *wrapper = GetForeignDataWrapper(GetForeignServer(server)->fdwid);
	char	   *handler = get_func_name(wrapper->fdwhandler);

	return handler == NULL || strcmp(handler, "postgres_fdw_handler") != 0;
}

static bool
is_endless_itself(BfJoinStatement *statement, Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_RecursiveUnion:
		case T_ProjectSet:
		case T_CustomScan:
			return true;
		case T_ForeignScan:
			return may_be_endless_source(((ForeignScan *) plan)->fs_server);
		case T_CteScan:
			return bf_join_may_be_endless(statement,
										  bf_join_sub_select(statement,
															 ((CteScan *) plan)->ctePlanId));
		default:
			return false;
	}
}

/* Add what is known of a plan that runs as part of the node. */
static void
add_judgement(BfJoinStatement *statement, Judgement *result, Plan *plan)
{
	Judgement	below;

	if (plan == NULL)
		return;
	below = judge(statement, plan);
	result->stability = Min(result->stability, below.stability);
	result->may_be_endless |= below.may_be_endless;
}

static Judgement
find_judgement(BfJoinStatement *statement, Plan *plan)
{
	Judgement	result = {
		.plan = plan,
		.stability = BF_JOIN_VOLATILE,
		.may_be_endless = is_endless_itself(statement, plan)
	};
	ListCell   *lc;

	judge_alone(statement, &result);
	foreach(lc, bf_join_other_children(plan))
		add_judgement(statement, &result, lfirst(lc));
	add_judgement(statement, &result, outerPlan(plan));
	add_judgement(statement, &result, innerPlan(plan));
	/* sub-selects that may run again with the node */
	foreach(lc, plan->initPlan)
	{
		SubPlan    *subplan = lfirst_node(SubPlan, lc);
		BfJoinStability stability;

		if (bms_is_member(subplan->plan_id, statement->run_once))
			continue;
		stability = sub_select_stability(statement, subplan);
		result.stability = Min(result.stability, stability);
	}
	return result;
}

/*
 * The judgement of a node and all nodes below it.  Each node is judged once:
 * it may be reached in many ways, through CTEs and sub-selects, and from each
 * join above it.
 */
static Judgement
judge(BfJoinStatement *statement, Plan *plan)
{
	Judgement  *entry = judgement_lookup(statement->judgements, plan);
	Judgement	result;
	bool		found;

	if (entry != NULL)
		return *entry;
	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	result = find_judgement(statement, plan);
	entry = judgement_insert(statement->judgements, plan, &found);
	entry->stability = result.stability;
	entry->may_be_endless = result.may_be_endless;
	entry->is_calm = result.is_calm;
	return result;
}

BfJoinStability
bf_join_stability(BfJoinStatement *statement, Plan *plan)
{
	return judge(statement, plan).stability;
}

bool
bf_join_is_calm(BfJoinStatement *statement, Plan *plan)
{
	return judge(statement, plan).is_calm;
}

bool
bf_join_may_be_endless(BfJoinStatement *statement, Plan *plan)
{
	return judge(statement, plan).may_be_endless;
}

bool
bf_join_may_hash_first(BfJoinStatement *statement, const BfJoinSides *sides)
{
	return bf_join_stability(statement, *sides->tested) != BF_JOIN_VOLATILE &&
		!bf_join_may_be_endless(statement, sides->store);
}

/* ---------- parameters ---------- */

/* Add the outputs of a node's sub-selects whose stability is this or less. */
static void
add_unstable(BfJoinStatement *statement, Bitmapset **params, Plan *plan, BfJoinStability most)
{
	ListCell   *lc;

	foreach(lc, plan->initPlan)
		if (sub_select_stability(statement, lfirst(lc)) <= most)
			bf_join_add_outputs(params, lfirst(lc));
}

static void
visit_doubtful_params(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;
	ListCell   *lc;

	add_unstable(statement, &statement->volatile_params, plan, BF_JOIN_VOLATILE);
	foreach(lc, plan->initPlan)
		if (sub_select_may_be_endless(statement, lfirst(lc)))
			bf_join_add_outputs(&statement->endless_params, lfirst(lc));
}

/*
 * A sub-select below a Gather is run by each of the processes (from 17 on).
 * Their results differ if they may differ from one run to the next.
 */
static void
visit_unequal_params(Plan *plan, void *context)
{
	BfJoinStatement *statement = context;

	add_unstable(statement, &statement->unequal_params, plan, BF_JOIN_STABLE);
}

static void
visit_gather(Plan *plan, void *context)
{
	if (IsA(plan, Gather) || IsA(plan, GatherMerge))
		bf_join_walk(outerPlan(plan), visit_unequal_params, context);
}

static int
doubtful_params(const BfJoinStatement *statement)
{
	return bms_num_members(statement->volatile_params) +
		bms_num_members(statement->unequal_params) + bms_num_members(statement->endless_params);
}

/*
 * Find parameters that may differ by process in sub-selects.  Each process
 * runs the sub-selects that it uses; it has all that are parallel safe.  (The
 * Gather that debug_parallel_query adds has no parameter; one process runs
 * below it.)
 */
static void
visit_unequal_sub_selects(BfJoinStatement *statement)
{
	ListCell   *lc;

	if (statement->gather_params == NULL)
		return;
	foreach(lc, statement->stmt->subplans)
	{
		Plan	   *plan = lfirst(lc);

		if (plan != NULL && plan->parallel_safe)
			bf_join_walk(plan, visit_unequal_params, statement);
	}
}

/*
 * Repeated until nothing changes: a sub-select may use another one that is
 * found to be doubtful later.
 */
void
bf_join_learn_stability(BfJoinStatement *statement)
{
	int			known;

	do
	{
		known = doubtful_params(statement);
		forget_judgements(statement);
		bf_join_walk_statement(statement->stmt, visit_doubtful_params, statement);
		bf_join_walk_statement(statement->stmt, visit_gather, statement);
		visit_unequal_sub_selects(statement);
	} while (doubtful_params(statement) > known);
}
