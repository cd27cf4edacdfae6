/*-------------------------------------------------------------------------
 *
 * filter.c
 *		The condition by which another server tests a foreign table's rows by
 *		a filter.
 *
 *		bloomfilter_may_match((SELECT bloom_agg(key, room) FROM local WHERE ...),
 *							  column, 'type')
 *
 * The sub-select runs once, before the foreign table is read.  If there are no
 * keys, its result is NULL, and no row passes.  The filter has a fixed size.
 * So if there are more keys than expected, it takes no more memory and raises
 * no error, but more rows pass.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_collation_d.h"
#include "catalog/pg_type_d.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"

#include "joins/remote/filter.h"
#include "joins/remote/parts.h"
#include "type/hashing/declared.h"

static Query *
filter_query(const BfRemoteFunctions *functions, const BfRemoteCandidate *candidate, double room)
{
	Query	   *result = bf_remote_local_rows(candidate);
	Const	   *items = makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(room),
								  false, FLOAT8PASSBYVAL);
	Aggref	   *aggref = bf_remote_aggregate(functions->aggregate, functions->filter_type,
											 list_make2(bf_remote_local_key(candidate), items));

	result->targetList = list_make1(makeTargetEntry((Expr *) aggref, 1, pstrdup("filter"), false));
	result->hasAggs = true;
	return result;
}

void
bf_remote_add_filter(const BfRemoteFunctions *functions, BfRemoteCandidate *candidate,
					 double room)
{
	Query	   *query = candidate->foreign_query;
	Var		   *foreign = candidate->foreign;
	char	   *declared = bf_declared_name(foreign->vartype, foreign->vartypmod);
	Const	   *name = makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1,
								 CStringGetTextDatum(declared), false, false);
	Node	   *filter = bf_remote_sub_select(filter_query(functions, candidate, room));
	FuncExpr   *test = makeFuncExpr(functions->test, BOOLOID,
									list_make3(filter, copyObject(foreign), name), InvalidOid,
									foreign->varcollid, COERCE_EXPLICIT_CALL);

	query->jointree->quals = make_and_qual(query->jointree->quals, (Node *) test);
	query->hasSubLinks = true;
}
