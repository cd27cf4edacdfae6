/*-------------------------------------------------------------------------
 *
 * summaries.h
 *		What a BRIN index tells of the ranges of its table's blocks.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SUMMARIES_H
#define BF_JOIN_SUMMARIES_H

#include "postgres.h"

#include "access/brin_internal.h"
#include "access/brin_revmap.h"
#include "access/brin_tuple.h"
#include "storage/buf.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

#include "joins/execution/keyset.h"

/* The ranges that may have a row whose key a join hashed, a bit for each. */
typedef struct BfRangeMap
{
	BlockNumber pages_per_range;
	uint64	   *bits;
} BfRangeMap;

/* An index by whose summaries blocks are skipped. */
typedef struct BfSummaries
{
	Relation	index;
	AttrNumber	attribute;
	FmgrInfo	compare;		/* a key and a value that the index keeps */
	Oid			collation;
} BfSummaries;

/*
 * Open an index of the table, which is locked.  NULL if it is gone or may not
 * be used now.
 */
extern Relation bf_summaries_open(Oid index, Relation table);

/*
 * Which of the table's first nblocks blocks may have a row for a key of a finished
 * set.  At first a few of the summaries are read; false, and no map, if so few
 * blocks can be skipped that the others are not worth reading.
 */
extern bool bf_summaries_map(BfSummaries *summaries, const BfKeySet *set, Relation table,
							 BlockNumber nblocks, Snapshot snapshot, BfRangeMap *map);

#endif							/* BF_JOIN_SUMMARIES_H */
