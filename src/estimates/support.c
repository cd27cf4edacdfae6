/*-------------------------------------------------------------------------
 *
 * support.c
 *		The support function: answers the planner's requests for selectivity
 *		and cost, and for a simpler call.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/supportnodes.h"

#include "compat.h"
#include "estimates/cost.h"
#include "estimates/once.h"
#include "estimates/selectivity.h"

BF_SQL_FUNCTION(bloomfilter_contains_support);

Datum
bloomfilter_contains_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(bf_compute_once((SupportRequestSimplify *) request));
	if (IsA(request, SupportRequestSelectivity))
		bf_estimate_selectivity((SupportRequestSelectivity *) request);
	else if (IsA(request, SupportRequestCost))
		bf_estimate_cost((SupportRequestCost *) request);
	else
		PG_RETURN_POINTER(NULL);
	PG_RETURN_POINTER(request);
}
