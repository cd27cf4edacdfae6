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

/*
 * What a sequential scan of the column's table can skip by its indexes, if the
 * join hashes so many keys, assumed to be different: a list of BfJoinSkip.
 */
extern List *bf_join_skip_by_indexes(const BfJoinColumn *column, const Plan *scan, double keys);

#endif							/* BF_JOIN_INDEXES_H */
