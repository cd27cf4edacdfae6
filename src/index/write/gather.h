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

#include "utils/rel.h"

#include "index/file/slab.h"

/*
 * The values of a column, in the order of the table's pages.  Of keys, each is
 * gathered once for a page: frequent ones occur in most of its rows.
 */
typedef struct BfGathered
{
	uint64	   *hashes;
	BlockNumber *pages;			/* heap pages, from the group's first */
	Size		count;
	Size		room;

	/* of keys: a hash table of those of the last page */
	Size	   *slots;			/* which, from 1 on, or 0; NULL for values */
	Size		slot_count;		/* a power of two */
	Size		page_start;		/* the page's first */
} BfGathered;

/*
 * Bytes that one value takes, with what the filters take that are made of it in memory:
 * some 5 at the default rate.
 */
#define BF_GATHERED_BYTES	(2 * sizeof(uint64) + sizeof(BlockNumber))

extern void bf_gather_init(BfGathered *gathered, bool of_keys);

/* Returns how many have been added: none if the page has the key. */
extern int	bf_gather_add(BfGathered *gathered, uint64 hash, BlockNumber page);

/* The numbers of distinct values of pieces of the table, all of one size. */
typedef struct BfDensity
{
	double		sum;			/* over whole pieces that have values */
	double		pieces;
	double		last;			/* of the piece that the table ends in, as if it were full */
} BfDensity;

/* The densities of a group's ranges and sets, zero at first. */
typedef struct BfDensities
{
	BfDensity	ranges;
	BfDensity	sets;
} BfDensities;

/*
 * Add those of ranges whose values have been gathered.  heap_pages is the
 * number of the table's pages from the group's first on.
 */
extern void bf_gather_count(const BfGathered *gathered, const BfSlab *slab, uint64 heap_pages,
							BfDensities *densities);

/*
 * Size the slab for the mean densities, times room.  Those of pieces that the
 * table ends in only count if there are no others.
 */
extern void bf_densities_size(const BfDensities *densities, BfSlab *slab, double room,
							  double rate);

/* Set the values' bits in the pages of the slab, a palloc'd array. */
extern void bf_gather_fill(const BfGathered *gathered, const BfSlab *slab, char *pages);

/* Set the values' bits in the filter of their group, the blocks that it has in the cover. */
extern void bf_gather_cover(const BfGathered *gathered, const BfSlab *cover, uint8 *filter);

#endif							/* BF_INDEX_GATHER_H */
