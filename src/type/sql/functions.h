/*-------------------------------------------------------------------------
 *
 * functions.h
 *		The implementation of SQL functions that both types of filters have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_FUNCTIONS_H
#define BF_FUNCTIONS_H

#include "fmgr.h"

#include "core/format.h"
#include "type/memory/expanded.h"
#include "type/stored/view.h"

/* Building (build.c). */
extern Datum bf_sql_create(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_create_like(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_add(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_add_all(BfFilterType type, FunctionCallInfo fcinfo);

/*
 * Change the first argument by the second: by a value, or by each element of
 * an array.  NULLs are skipped.
 */
typedef void (*BfChangeByValue) (BfExpanded *filter, const BfElement *element, Datum value);

extern Datum bf_sql_change(BfFilterType type, FunctionCallInfo fcinfo, BfChangeByValue change);
extern Datum bf_sql_change_all(BfFilterType type, FunctionCallInfo fcinfo,
							   BfChangeByValue change);

/*
 * Testing counting filters (contains.c).  The first function returns how often
 * the value was added, at most; the second, whether an element of the array is
 * (wanted), or is not, in the filter.  fcinfo is that of the SQL function.
 */
extern int	bf_sql_count(FunctionCallInfo fcinfo, int filter_argno, int value_argno);
extern bool bf_sql_some_element_is(FunctionCallInfo fcinfo, bool wanted);

/* Comparing (compare.c). */
extern bool bf_sql_equal(BfFilterType type, FunctionCallInfo fcinfo);
extern uint64_t bf_filter_hash(BfFilterType type, Datum filter, uint64_t seed);
extern Datum bf_sql_compatible(BfFilterType type, FunctionCallInfo fcinfo);

/* The checksum of a payload in binary form, for core/wire.h (io.c). */
extern uint32_t bf_wire_checksum(const uint8_t *bytes, size_t len);

/* Inspection (info.c). */
extern Datum bf_sql_cardinality(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_false_positive_rate(BfFilterType type, FunctionCallInfo fcinfo);

/*
 * Combine a filter, which is an aggregate's state or has just been derived,
 * with another filter.
 */
typedef void (*BfCombine) (BfExpanded *filter, const BfView *other);

/*
 * Aggregates (aggregate.c): the transition function of counting_bloom_agg; the
 * transition of any aggregate with a filter or with another state; and the
 * check that two states have the same parameters.
 */
extern Datum bf_sql_accumulate(FunctionCallInfo fcinfo);
extern Datum bf_sql_combine(BfFilterType type, FunctionCallInfo fcinfo, BfCombine combine);
extern void bf_require_same_group(const BfHeader *state, const BfHeader *other);

#endif							/* BF_FUNCTIONS_H */
