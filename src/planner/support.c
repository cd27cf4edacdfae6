/*-------------------------------------------------------------------------
 *
 * support.c
 *		The support functions: which requests of the planner's are answered.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/supportnodes.h"

#include "compat.h"
#include "planner/cost.h"
#include "planner/selectivity.h"

BF_SQL_FUNCTION(bloomfilter_contains_support);
BF_SQL_FUNCTION(bloomfilter_add_support);

Datum
bloomfilter_contains_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
		bf_estimate_selectivity((SupportRequestSelectivity *) request);
	else if (IsA(request, SupportRequestCost))
		bf_estimate_cost((SupportRequestCost *) request);
	else
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(request);
}

/*
 * From 18 on, PL/pgSQL asks whether f := bloom_add(f, x) may change f in
 * place.  It may: nothing is changed before all that can fail is done, and
 * the other argument, evaluated before, is no filter.  With bloom_add_all,
 * memory may run out, or the statement be cancelled, when half of the values
 * are in.
 */
Datum
bloomfilter_add_support(PG_FUNCTION_ARGS)
{
	Node	   *answer = NULL;

#if PG_VERSION_NUM >= 180000
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestModifyInPlace))
	{
		SupportRequestModifyInPlace *req = (SupportRequestModifyInPlace *) request;
		Param	   *filter = (Param *) linitial(req->args);

		if (filter != NULL && IsA(filter, Param) &&
			filter->paramkind == PARAM_EXTERN && filter->paramid == req->paramid)
			answer = (Node *) filter;
	}
#else
	(void) fcinfo;
#endif
	PG_RETURN_POINTER(answer);
}
