/* callsite.h: declarations of callsite.c */
#ifndef BF_CALLSITE_H
#define BF_CALLSITE_H

#include "fmgr.h"
#include "utils/array.h"

#include "type/hashing/element.h"

/*
 * The call site's memory in fn_extra: "size" bytes that begin with the
 * BfElement of the values.  If that is no longer current, it is initialized
 * again and all other bytes are zeroed.
 */
extern void *bf_call_site_prepare(FunctionCallInfo fcinfo, int argno, Size size);

/* The call site of a function whose argument argno is a value. */
static inline void *
bf_call_site_of_value(FunctionCallInfo fcinfo, int argno, Size size)
{
	BfElement  *element = fcinfo->flinfo->fn_extra;

	if (unlikely(element == NULL || !bf_element_is_current(element)))
		return bf_call_site_prepare(fcinfo, argno, size);
	return element;
}

/*
 * The call site of a function that processes the elements of an array.  If
 * their type is not the same as before, the memory is initialized again.
 */
extern void *bf_call_site_of_array(FunctionCallInfo fcinfo, ArrayType *array, Size size);

/* The elements of an array of any number of dimensions, palloc'd. */
typedef struct BfArray
{
	Datum	   *values;
	bool	   *nulls;
	int			n;
} BfArray;

/*
 * Returns false if the array contains no value: it is empty, or all elements
 * are NULL.  The element type does not matter then.
 */
extern bool bf_array_open(BfArray *elements, ArrayType *array);

#endif							/* BF_CALLSITE_H */
