/*-------------------------------------------------------------------------
 *
 * summaries.h
 *		What a BRIN index records of the ranges of its table's blocks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SUMMARIES_H
#define BF_JOIN_SUMMARIES_H

#include "storage/block.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

#include "joins/ranges/keyset.h"

/*
 * The ranges that may have a row whose key a join hashed: a bit for each
 * range.
 */
typedef struct BfRangeMap
{
	BlockNumber pages_per_range;
	uint64	   *bits;
} BfRangeMap;

/*
 * Minimum fraction of ranges to be skipped: a smaller gain is lost because
 * each run of blocks must be started, which takes as long as reading a block
 * or two.
 */
#define BF_LEAST_SKIPPED	(1.0 / 32)

/*
 * Find which of the table's first nblocks blocks may have a row for a key of a
 * finished set, by the index of a skip.  First, a few of the summaries are
 * read.  False, without a map: so few blocks can be skipped that reading the
 * other summaries does not pay.
 */
extern bool bf_summaries_map(Relation index, const BfJoinSkip *skip, const BfKeySet *set,
							 Relation table, BlockNumber nblocks, Snapshot snapshot,
							 BfRangeMap *map);

#endif							/* BF_JOIN_SUMMARIES_H */
