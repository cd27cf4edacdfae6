/*-------------------------------------------------------------------------
 *
 * callsite.c
 *		What the call site of a function remembers of the values it is given.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/lsyscache.h"

#include "type/callsite.h"

void *
bf_call_site_create(FunctionCallInfo fcinfo, Size size)
{
	return fcinfo->flinfo->fn_extra = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, size);
}

void *
bf_call_site_of_array(FunctionCallInfo fcinfo, ArrayType *array, Size size)
{
	BfElement  *element = fcinfo->flinfo->fn_extra;

	if (element == NULL)
		element = bf_call_site_create(fcinfo, size);
	if (element->typid != ARR_ELEMTYPE(array))
	{
		memset(element, 0, size);
		bf_element_init(element, ARR_ELEMTYPE(array), PG_GET_COLLATION(),
						fcinfo->flinfo->fn_mcxt);
	}
	return element;
}

void
bf_array_open(BfArray *elements, ArrayType *array)
{
	int16		len;
	bool		byval;
	char		align;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &len, &byval, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), len, byval, align,
					  &elements->values, &elements->nulls, &elements->n);
}
