/*-------------------------------------------------------------------------
 *
 * functions.h
 *		The functions of counting filters by which the planner support knows
 *		what it is asked about.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COUNTING_FUNCTIONS_H
#define BF_COUNTING_FUNCTIONS_H

#include "postgres.h"
#include "fmgr.h"

#include "compat.h"

extern PGDLLEXPORT Datum counting_bloomfilter_contains(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum counting_bloomfilter_contained_by(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum counting_bloomfilter_contains_any(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum counting_bloomfilter_contains_all(PG_FUNCTION_ARGS);
extern PGDLLEXPORT Datum counting_bloomfilter_agg_transfn(PG_FUNCTION_ARGS);

#endif							/* BF_COUNTING_FUNCTIONS_H */
