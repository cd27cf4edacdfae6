/*-------------------------------------------------------------------------
 *
 * lookup.h
 *		Which blocks of a table a filter index names for the keys of a join.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_LOOKUP_H
#define BF_JOIN_LOOKUP_H

#include "utils/relcache.h"
#include "utils/snapshot.h"

#include "joins/ranges/summaries.h"

/*
 * Find which of the table's first nblocks blocks may have a row for a key of a
 * finished set, by the index of a skip.  The operator is that of the join:
 * column = key.  False, without a map: there are too many keys, or few blocks
 * can be skipped.
 */
extern bool bf_lookup_map(Relation index, const BfJoinSkip *skip, Oid operator,
						  const BfKeySet *set, BlockNumber nblocks, Snapshot snapshot,
						  BfRangeMap *map);

#endif							/* BF_JOIN_LOOKUP_H */
