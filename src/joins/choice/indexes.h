/*-------------------------------------------------------------------------
 *
 * indexes.h
 *		The indexes of a table that tell which of its blocks to skip.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_INDEXES_H
#define BF_JOIN_INDEXES_H

#include "nodes/plannodes.h"

#include "joins/choice/bounds.h"
#include "joins/choice/statistics.h"

/*
 * What a sequential scan of the column's table can skip by its indexes, if the
 * join hashes so many keys, assumed to be different: a list of BfJoinSkip.
 */
extern List *bf_join_skip_by_indexes(const BfJoinColumn *column, const Plan *scan, double keys);

/*
 * The cost of the scan that is saved if so many keys are looked up in a filter
 * index of the column, whose attribute it is there.
 */
extern Cost bf_join_lookup_saves(const BfStatisticsColumn *column, const Plan *scan, Oid index,
								 AttrNumber attribute, double keys);

#endif							/* BF_JOIN_INDEXES_H */
