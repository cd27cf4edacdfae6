/*-------------------------------------------------------------------------
 *
 * gather.h
 *		The hashes of a group's values, gathered before its slabs are sized
 *		and filled.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_GATHER_H
#define BF_INDEX_GATHER_H

#include "postgres.h"

#include "index/file/slab.h"

/* The values of a column, in the order of the table's pages. */
typedef struct BfGathered
{
	uint64	   *hashes;
	BlockNumber *pages;			/* heap pages, from the group's first */
	Size		count;
	Size		room;
} BfGathered;

/* Bytes that one value takes. */
#define BF_GATHERED_BYTES	(sizeof(uint64) + sizeof(BlockNumber))

extern void bf_gather_init(BfGathered *gathered);
extern void bf_gather_add(BfGathered *gathered, uint64 hash, BlockNumber page);

/*
 * Size the slab for the values.  heap_pages is the number of the table's pages
 * from the group's first on: a range that the table ends in counts as if it
 * were full.
 */
extern void bf_gather_size(const BfGathered *gathered, BfSlab *slab, uint64 heap_pages,
						   double rate);

/* Set the values' bits in the pages of the slab, a palloc'd array. */
extern void bf_gather_fill(const BfGathered *gathered, const BfSlab *slab, char *pages);

#endif							/* BF_INDEX_GATHER_H */
