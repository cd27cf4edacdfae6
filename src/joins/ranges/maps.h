/*-------------------------------------------------------------------------
 *
 * maps.h
 *		Which blocks of a table an index lets a scan skip.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_MAPS_H
#define BF_JOIN_MAPS_H

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
 * finished set, by the index of a skip.  The operator is that of the join: column =
 * key.  The table must be locked; the index is open and locked only for that.
 * False, without a map: the index was dropped, is not of the skip's kind, is locked
 * by who changes it, or may not be used now; or it lets few blocks be skipped.
 */
extern bool bf_map_by_index(const BfJoinSkip *skip, Oid operator, const BfKeySet *set,
							Relation table, BlockNumber nblocks, Snapshot snapshot,
							BfRangeMap *map);

/*
 * The same by an index of either kind, which is open.  BRIN: first, a few of the
 * summaries are read, and none of the others if that does not pay.  A filter index:
 * false, too, if there are too many keys.
 */
extern bool bf_summaries_map(Relation index, const BfJoinSkip *skip, const BfKeySet *set,
							 Relation table, BlockNumber nblocks, Snapshot snapshot,
							 BfRangeMap *map);
extern bool bf_lookup_map(Relation index, const BfJoinSkip *skip, Oid operator,
						  const BfKeySet *set, BlockNumber nblocks, Snapshot snapshot,
						  BfRangeMap *map);

#endif							/* BF_JOIN_MAPS_H */
