/*-------------------------------------------------------------------------
 *
 * aggregate.h
 *		The transition function of bloom_agg, by which the planner support
 *		recognizes the aggregate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_AGGREGATE_H
#define BF_AGGREGATE_H

#include "postgres.h"
#include "fmgr.h"

#include "compat.h"

extern PGDLLEXPORT Datum bloomfilter_agg_transfn(PG_FUNCTION_ARGS);

#endif							/* BF_AGGREGATE_H */
