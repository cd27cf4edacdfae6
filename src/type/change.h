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

#include "type/expanded.h"

/*
 * The object to change, which is the function's result, by a read-write
 * pointer: for the transition function of an aggregate, its state; otherwise
 * another one with the same values.
 */
extern BfExpanded *bf_change_begin(FunctionCallInfo fcinfo);

/*
 * The result if nothing is changed: the filter in an argument.  An object gets
 * a new head, so that PL/pgSQL can take it over as it is.
 */
extern Datum bf_change_nothing(FunctionCallInfo fcinfo, int argno);

#endif							/* BF_CHANGE_H */
