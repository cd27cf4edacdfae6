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

/* How keys are looked up in an index. */
typedef struct BfLookup
{
	AttrNumber	attribute;
	Oid			operator;		/* of the join: column = key */
	Oid			type;			/* of the keys */
} BfLookup;

/* As bf_summaries_open(), for a filter index. */
extern Relation bf_lookup_open(Oid index, Relation table);

/*
 * Find which of the table's first nblocks blocks may have a row for a key of a
 * finished set.  False, without a map: there are too many keys, or few blocks
 * can be skipped.
 */
extern bool bf_lookup_map(Relation index, const BfLookup *lookup, const BfKeySet *set,
						  BlockNumber nblocks, Snapshot snapshot, BfRangeMap *map);

#endif							/* BF_JOIN_LOOKUP_H */
