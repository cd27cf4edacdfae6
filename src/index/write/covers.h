/*-------------------------------------------------------------------------
 *
 * covers.h
 *		The third level of an index that is being built.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_COVERS_H
#define BF_INDEX_COVERS_H

#include "storage/buffile.h"
#include "utils/rel.h"

#include "index/write/gather.h"

/* The filters of the groups of a column's cover, one after the other. */
typedef struct BfCoverFilters
{
	BufFile    *file;			/* NULL: no group has had values yet */
	BfSlab		slab;			/* number of blocks and bits per value */
	uint32		first;			/* the first group in the file, among the cover's */
} BfCoverFilters;

typedef struct BfCovers
{
	Relation	index;
	uint32		columns;
	uint32	   *newest_slab;	/* its number in the index */
	BfSlab	   *slabs;			/* of each column, of the rows that are whole */
	uint32		count;			/* rows that are whole */
	uint32		covered;		/* groups in these */
	bool		has_full;		/* has there been a group of BF_SLOTS ranges? */
	uint32		region;			/* number of the region */

	/* the row that is being filled */
	uint32		members;		/* groups */
	BlockNumber first_heap_page;
	BfCoverFilters filters[INDEX_MAX_KEYS];
} BfCovers;

extern void bf_covers_init(BfCovers *covers, Relation index, uint32 *newest_slab);

/*
 * Add the next group, of which the ranges are known, and what is gathered; values is
 * the number of values of each column in all of its ranges.
 */
extern void bf_covers_add_group(BfCovers *covers, const BfSlab *geometry,
								const BfGathered *gathered, const double *values);

/* All groups have been added. */
extern void bf_covers_end(BfCovers *covers);

#endif							/* BF_INDEX_COVERS_H */
