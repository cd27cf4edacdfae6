/*-------------------------------------------------------------------------
 *
 * callsite.h
 *		What the call site of a function remembers of the values it is given.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CALLSITE_H
#define BF_CALLSITE_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/array.h"

#include "type/element.h"

/*
 * What is kept in fn_extra: something of this size that begins with the
 * BfElement of the values.  It is made anew, zeroed but for the element, if
 * that is no longer current.
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
 * The call site of a function that works on the elements of an array.  It is
 * made anew if they are of another type than before.
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
 * False if all elements are NULL, or if there are none: of no value the type
 * does not matter.
 */
extern bool bf_array_open(BfArray *elements, ArrayType *array);

#endif							/* BF_CALLSITE_H */
