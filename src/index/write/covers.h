/*-------------------------------------------------------------------------
 *
 * covers.h
 *		The third level of an index that is being built.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_COVERS_H
#define BF_INDEX_COVERS_H

#include "utils/rel.h"

#include "index/write/gather.h"

typedef struct BfCovers
{
	Relation	index;
	uint32		columns;
	BfSlab	   *slabs;			/* of each column, of the rows that are whole, and the next */
	uint32		count;			/* rows that are whole */
	bool		is_open;		/* is the next row being filled? */
} BfCovers;

extern void bf_covers_init(BfCovers *covers, Relation index);

/*
 * Add a group, whose slabs have been made of what is gathered; values is the number
 * of values of each column in all of its ranges.  If it is the first of a row of
 * covers, and the table, of so many pages, probably has as many groups as that, the
 * row is begun.  *newest_slab is the number of the index's newest slab.
 */
extern void bf_covers_add_group(BfCovers *covers, uint32 group, const BfSlab *slabs,
								const BfGathered *gathered, const double *values,
								uint64 heap_pages, uint32 *newest_slab);

#endif							/* BF_INDEX_COVERS_H */
