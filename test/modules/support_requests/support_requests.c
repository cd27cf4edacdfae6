/*-------------------------------------------------------------------------
 *
 * support_requests.c
 *		Asks the support function of a test against a filter for its cost, as
 *		the planner does before it has set up much of itself.
 *
 * So older minor versions of the server do for a sub-select's test expression,
 * in which a value of the outer query is still a Var of an upper level.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "utils/lsyscache.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(cost_of_test);

/* A planner that has got no further than to the query's range table. */
static PlannerInfo *
make_planner(Oid table)
{
	PlannerInfo *root = makeNode(PlannerInfo);
	RangeTblEntry *rte = makeNode(RangeTblEntry);

	rte->rtekind = RTE_RELATION;
	rte->relid = table;
	rte->relkind = get_rel_relkind(table);
	rte->rellockmode = AccessShareLock;
	root->parse = makeNode(Query);
	root->parse->rtable = list_make1(rte);
	return root;
}

static Var *
make_column(Oid table, const char *name, Index levelsup)
{
	AttrNumber	attnum = get_attnum(table, name);
	Oid			type;
	int32		typmod;
	Oid			collation;

	get_atttypetypmodcoll(table, attnum, &type, &typmod, &collation);
	return makeVar(1, attnum, type, typmod, collation, levelsup);
}

/*
 * cost_of_test(function, table, filter, value, levels): what each row costs if
 * the columns filter and value of the table are the function's arguments; the
 * latter is a column of a query so many levels above.
 */
Datum
cost_of_test(PG_FUNCTION_ARGS)
{
	Oid			function = PG_GETARG_OID(0);
	Oid			table = PG_GETARG_OID(1);
	Relation	relation = table_open(table, AccessShareLock);
	Var		   *filter = make_column(table, NameStr(*PG_GETARG_NAME(2)), 0);
	Var		   *value = make_column(table, NameStr(*PG_GETARG_NAME(3)), PG_GETARG_INT32(4));
	SupportRequestCost request = {
		.type = T_SupportRequestCost,
		.root = make_planner(table),
		.funcid = function,
		.node = (Node *) makeFuncExpr(function, BOOLOID, list_make2(filter, value),
									  InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL)
	};

	(void) OidFunctionCall1(get_func_support(function), PointerGetDatum(&request));
	table_close(relation, AccessShareLock);
	PG_RETURN_FLOAT8(request.per_tuple);
}
