/*-------------------------------------------------------------------------
 *
 * callsite.c
 *		What the call site of a function remembers about its values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/lsyscache.h"

#include "type/hashing/callsite.h"

/*
 * The call site's memory, zeroed except for an element to be initialized
 * again.
 */
static BfElement *
create_or_clear(FunctionCallInfo fcinfo, Size size)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	char	   *site = flinfo->fn_extra;

	if (site == NULL)
		site = flinfo->fn_extra = MemoryContextAllocZero(flinfo->fn_mcxt, size);
	else
		memset(site + sizeof(BfElement), 0, size - sizeof(BfElement));
	return (BfElement *) site;
}

void *
bf_call_site_prepare(FunctionCallInfo fcinfo, int argno, Size size)
{
	BfElement  *element = create_or_clear(fcinfo, size);

	bf_element_init_from_arg(element, fcinfo, argno);
	return element;
}

void *
bf_call_site_of_array(FunctionCallInfo fcinfo, ArrayType *array, Size size)
{
	BfElement  *element = fcinfo->flinfo->fn_extra;

	if (element == NULL || !bf_element_is_current(element) ||
		element->typid != ARR_ELEMTYPE(array))
	{
		element = create_or_clear(fcinfo, size);
		bf_element_init(element, ARR_ELEMTYPE(array), PG_GET_COLLATION(),
						fcinfo->flinfo->fn_mcxt);
	}
	return element;
}

bool
bf_array_open(BfArray *elements, ArrayType *array)
{
	int16		len;
	bool		byval;
	char		align;
	int			i;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &len, &byval, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), len, byval, align,
					  &elements->values, &elements->nulls, &elements->n);
	for (i = 0; i < elements->n; i++)
		if (!elements->nulls[i])
			return true;
	return false;
}
