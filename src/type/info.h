/*-------------------------------------------------------------------------
 *
 * info.h
 *		What a filter tells about itself, as others than its functions want to
 *		know it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INFO_H
#define BF_INFO_H

#include "postgres.h"
#include "fmgr.h"

#include "type/view.h"

/*
 * Estimate the number of distinct values and the false positive rate from a
 * sample of the filter's blocks.
 */
extern void bf_estimate_fill(const BfView *view, double *items, double *rate);

/*
 * The columns that bloom_info has for both types of filters: bytes is the last
 * one; and its result, once they are complete.
 */
#define BF_INFO_COLUMNS	12

extern void bf_info_columns(const BfView *view, Datum *values, bool *nulls);
extern Datum bf_info_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls);

#endif							/* BF_INFO_H */
