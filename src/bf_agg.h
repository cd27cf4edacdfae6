/*-------------------------------------------------------------------------
 *
 * bf_agg.h
 *		The transition function of bloom_agg, by which the planner support
 *		recognizes the aggregate.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_AGG_H
#define BF_AGG_H

#include "postgres.h"
#include "fmgr.h"

#include "bf_compat.h"

extern PGDLLEXPORT Datum bloomfilter_agg_transfn(PG_FUNCTION_ARGS);

#endif							/* BF_AGG_H */
