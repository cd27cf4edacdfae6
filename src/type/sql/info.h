/*-------------------------------------------------------------------------
 *
 * info.h
 *		Estimates about a filter, for callers other than its SQL functions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INFO_H
#define BF_INFO_H

#include "fmgr.h"

#include "type/stored/view.h"

/*
 * Estimate the number of distinct values and the false positive rate from a
 * sample of the filter's blocks.
 */
extern void bf_estimate_fill(const BfView *view, double *items, double *rate);

/*
 * The columns of bloom_info that both types of filters have, of which "bytes"
 * is the last; and the result row, once all columns are set.
 */
#define BF_INFO_COLUMNS	12

extern void bf_info_columns(const BfView *view, Datum *values, bool *nulls);
extern Datum bf_info_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls);

#endif							/* BF_INFO_H */
