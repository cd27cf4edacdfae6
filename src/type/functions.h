/*-------------------------------------------------------------------------
 *
 * functions.h
 *		What the SQL functions do that both types of filters have: the type
 *		is all in which they differ.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_FUNCTIONS_H
#define BF_FUNCTIONS_H

#include "postgres.h"
#include "fmgr.h"

#include "core/format.h"
#include "type/expanded.h"
#include "type/view.h"

/* Building (build.c, like.c). */
extern Datum bf_sql_create(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_create_like(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_add(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_add_all(BfFilterType type, FunctionCallInfo fcinfo);

/*
 * The first argument, changed by the value or all elements of the array that is
 * the second one, as far as they are not NULL.
 */
typedef void (*BfChangeByValue) (BfExpanded *filter, const BfElement *element, Datum value);

extern Datum bf_sql_change(BfFilterType type, FunctionCallInfo fcinfo, BfChangeByValue change);
extern Datum bf_sql_change_all(BfFilterType type, FunctionCallInfo fcinfo,
							   BfChangeByValue change);

/*
 * Testing counting filters (contains.c): how often is the value in the filter,
 * at most; is some element of the array in it, or not, as wanted.  These are
 * the arguments of the call.
 */
extern int	bf_sql_count(FunctionCallInfo fcinfo, int filter_argno, int value_argno);
extern bool bf_sql_some_element_is(FunctionCallInfo fcinfo, bool wanted);

/* Comparing (compare.c, like.c). */
extern bool bf_sql_equal(BfFilterType type, FunctionCallInfo fcinfo);
extern uint64_t bf_filter_hash(BfFilterType type, Datum filter, uint64_t seed);
extern Datum bf_sql_compatible(BfFilterType type, FunctionCallInfo fcinfo);

/* Inspection (info.c). */
extern Datum bf_sql_cardinality(BfFilterType type, FunctionCallInfo fcinfo);
extern Datum bf_sql_false_positive_rate(BfFilterType type, FunctionCallInfo fcinfo);

/*
 * Combine a filter, an aggregate's state or one just derived, with another one.
 */
typedef void (*BfCombine) (BfExpanded *filter, const BfView *other);

/*
 * Aggregates (aggregate.c): the transition of counting_bloom_agg with a value,
 * that of any with a filter or another state, and the check that two states are
 * of the same parameters.
 */
extern Datum bf_sql_accumulate(FunctionCallInfo fcinfo);
extern Datum bf_sql_combine(BfFilterType type, FunctionCallInfo fcinfo, BfCombine combine);
extern void bf_require_same_group(const BfHeader *state, const BfHeader *other);

#endif							/* BF_FUNCTIONS_H */
