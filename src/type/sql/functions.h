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

#include "compat.h"
#include "core/format.h"
#include "type/memory/expanded.h"
#include "type/stored/view.h"

/*
 * Define an SQL function of both types: bloomfilter_NAME and
 * counting_bloomfilter_NAME return function(type, fcinfo).
 */
#define BF_SQL_OF_BOTH(name, function) \
	BF_SQL_FUNCTION(bloomfilter_##name); \
	BF_SQL_FUNCTION(counting_bloomfilter_##name); \
	Datum bloomfilter_##name(PG_FUNCTION_ARGS) { return function(BF_PLAIN, fcinfo); } \
	Datum counting_bloomfilter_##name(PG_FUNCTION_ARGS) { return function(BF_COUNTING, fcinfo); } \
	extern int	no_such_variable

/*
 * Change the first argument by the second: by a value, or by each element of
 * an array.  NULLs are skipped.
 */
typedef void (*BfChangeByValue) (BfExpanded *filter, const BfElement *element, Datum value);

extern Datum bf_sql_change(BfFilterType type, FunctionCallInfo fcinfo, BfChangeByValue change);
extern Datum bf_sql_change_all(BfFilterType type, FunctionCallInfo fcinfo,
							   BfChangeByValue change);

/* How often a value was added to a counting filter, at most (contains.c). */
extern int	bf_sql_count(FunctionCallInfo fcinfo);

/* The checksum of a payload in binary form, for core/wire.h (io.c). */
extern uint32_t bf_wire_checksum(const uint8_t *bytes, size_t len);

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
