/*-------------------------------------------------------------------------
 *
 * change.h
 *		Functions that change their first argument, a filter: the object that
 *		they change and return.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CHANGE_H
#define BF_CHANGE_H

#include "postgres.h"
#include "fmgr.h"

#include "compat.h"
#include "type/memory/expanded.h"

/*
 * The object to change, which the function returns as a read-write pointer.
 * For the transition function of an aggregate it is the state, otherwise a new
 * object with the same values.
 */
extern BfExpanded *bf_change_begin_as(BfFilterType type, FunctionCallInfo fcinfo);

/*
 * The result if nothing is changed: the filter in an argument.  An expanded
 * object gets a new head, so that PL/pgSQL can take it over.
 */
extern Datum bf_change_nothing_as(BfFilterType type, FunctionCallInfo fcinfo, int argno);

/* The same for a bloomfilter. */
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
