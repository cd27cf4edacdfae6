/*-------------------------------------------------------------------------
 *
 * space.h
 *		Giving pages to new slabs: free ones, or new ones at the end.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_SPACE_H
#define BF_INDEX_SPACE_H

#include "utils/rel.h"

#include "index/file/directory.h"
#include "index/file/table.h"

/* The free pages of an index, while its extension lock is held. */
typedef struct BfSpace
{
	Relation	index;
	BfPageRun  *runs;
	uint32		count;
} BfSpace;

/*
 * Find the free pages.  The directory is the newest, and the caller holds the
 * extension lock of the index from before it was read until the slabs that get
 * pages are in the directory.
 */
extern BfSpace bf_space_find(Relation index, const BfDirectory *directory);

/* The same of an index that is one filter of its table. */
extern BfSpace bf_table_space_find(Relation index, const BfTableFilter *filter);

/* How many pages are free; what was found goes. */
extern BlockNumber bf_space_pages(BfSpace space);

/* Give the slab, of which only first_page is not known, pages without values. */
extern void bf_space_give(BfSpace *space, BfSlab *slab);

/*
 * Append copies of so many pages in memory, the first of which has this number, to an
 * index that is being built.  Writes no WAL.
 */
extern void bf_space_append(Relation index, BlockNumber first, uint64 count, const char *pages);

#endif							/* BF_INDEX_SPACE_H */
