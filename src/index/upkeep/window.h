/*-------------------------------------------------------------------------
 *
 * window.h
 *		Filling slabs of an index with the rows of a table, beside writers.
 *
 * The bits are set in memory, in as many pages of the slabs at a time as the
 * memory allows, and each time the table is read.  Then they are added to what
 * the pages hold by now.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_WINDOW_H
#define BF_INDEX_WINDOW_H

#include "utils/rel.h"

#include "index/file/meta.h"

/* The pages in memory, of all slabs, which count as if they were one after the other. */
typedef struct BfWindow
{
	Relation	index;
	uint32		columns;
	const BfSlab *slabs;		/* of each column; without pages: not to be filled */
	uint64		first_page[INDEX_MAX_KEYS]; /* of each slab in this count */
	uint64		total;
	uint64		room;
	uint64		start;
	uint64		end;
	char	   *pages;
} BfWindow;

/*
 * Give pages, without values, to the successors of a row that are sized (blocks > 0),
 * and tell writers: from now on, they write into them, too.
 */
extern void bf_window_publish(Relation index, BfRowKind kind, uint32 row, BfSlab *successors);

/* The slabs, one for each column, stay the caller's. */
extern void bf_window_open(BfWindow *window, Relation index, const BfSlab *slabs);

/* Go on to the next pages, without bits; false, and nothing is open, after the last. */
extern bool bf_window_next(BfWindow *window);

/* The page of a column's slab in memory, or NULL: it is not in the window. */
static inline Page
bf_window_page(const BfWindow *window, uint32 column, BlockNumber block)
{
	uint64		page = window->first_page[column] + (block - window->slabs[column].first_page);

	return page >= window->start && page < window->end ?
		window->pages + (page - window->start) * BLCKSZ : NULL;
}

/* Set the bits of a hash in the page of a column's slab, if it is in the window. */
static inline void
bf_window_add(BfWindow *window, uint32 column, const BfPlace *place, uint32 set, uint64 hash, int k)
{
	Page		page = bf_window_page(window, column, place->page);

	if (page != NULL)
		bf_place_add(page, place, set, hash, k);
}

/*
 * Set the bits that groups have in a cover in those of a column's slab, a cover with as
 * many blocks, where it is in the window: of so many groups, those that are wanted, from
 * the first of the one cover on, and from that place in the other.
 */
extern void bf_window_copy(BfWindow *window, uint32 column, const BfSlab *from, uint32 groups,
						   const bool *wanted, uint32 place);

/* Add the bits to the pages of the index, with WAL.  As VACUUM, sleeps if that is due. */
extern void bf_window_merge(BfWindow *window);

#endif							/* BF_INDEX_WINDOW_H */
