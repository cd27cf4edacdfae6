/*-------------------------------------------------------------------------
 *
 * contains.h
 *		The functions that test values, by which the planner support knows
 *		what it is asked about.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CONTAINS_H
#define BF_CONTAINS_H

#include "postgres.h"
#include "fmgr.h"

#include "compat.h"

extern PGDLLEXPORT Datum bloomfilter_contains(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum bloomfilter_contained_by(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum bloomfilter_contains_any(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum bloomfilter_contains_all(PG_FUNCTION_ARGS);

#endif							/* BF_CONTAINS_H */
