/*-------------------------------------------------------------------------
 *
 * change.h
 *		What a function that changes its first argument, a filter, works on
 *		and returns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CHANGE_H
#define BF_CHANGE_H

#include "postgres.h"
#include "fmgr.h"

#include "compat.h"
#include "type/expanded.h"

/*
 * The object of the type to change, which is the function's result, by a
 * read-write pointer: for the transition function of an aggregate, its state;
 * otherwise another one with the same values.
 */
extern BfExpanded *bf_change_begin_as(BfFilterType type, FunctionCallInfo fcinfo);

/*
 * The result if nothing is changed: the filter in an argument.  An object gets
 * a new head, so that PL/pgSQL can take it over as it is.
 */
extern Datum bf_change_nothing_as(BfFilterType type, FunctionCallInfo fcinfo, int argno);

/* Both, for a bloomfilter. */
static inline BfExpanded *
bf_change_begin(FunctionCallInfo fcinfo)
{
	return bf_change_begin_as(BF_PLAIN, fcinfo);
}

static inline Datum
bf_change_nothing(FunctionCallInfo fcinfo, int argno)
{
	return bf_change_nothing_as(BF_PLAIN, fcinfo, argno);
}

/*
 * Raise the error for a change of a null filter.  A null result would lose the
 * values that were to be added or removed.
 */
BF_NORETURN extern void bf_refuse_null_filter(BfFilterType type);

#endif							/* BF_CHANGE_H */
