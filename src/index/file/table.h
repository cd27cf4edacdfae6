/*-------------------------------------------------------------------------
 *
 * table.h
 *		An index that is one filter of the table's values: scope = 'table'.
 *
 * It is the filter that the type makes of the same values: same hashes, same
 * size, same bits.  Its metapage is of another kind than that of an index of
 * ranges.  The filter is a slab of one range without a second level, so its pages
 * have its blocks in their order:
 *
 *		        slot 0     slot 1     ...  slot 125
 *		page 0  block 0    block 1         block 125
 *		page 1  block 126  block 127       block 251
 *		...
 *
 * A backend keeps a copy of what the metapage says, in rd_amcache.  VACUUM makes
 * a filter anew that is too small (table_rebuild.c), as it does groups: so what
 * directory.h says of copies, generations and successors holds here, too.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_TABLE_H
#define BF_INDEX_TABLE_H

#include "access/transam.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

#include "core/format.h"
#include "index/file/directory.h"
#include "index/file/options.h"
#include "index/file/slab.h"

typedef struct BfTableFilter
{
	BfIndexScope scope;			/* first, as in BfDirectory */
	BfTableMeta meta;
} BfTableFilter;

/* A filter of so many blocks and bits a value, without pages. */
static inline BfSlab
bf_table_slab(uint32 blocks, int k)
{
	BfSlab		slab = {.blocks = blocks,.ranges = 1,.k = (uint8) k};

	return slab;
}

/* Bytes of the blocks in a page, which is the slab's. */
static inline Size
bf_table_page_bytes(const BfSlab *slab, BlockNumber block)
{
	uint32		first = (block - slab->first_page) * BF_SLOTS;

	return (Size) Min(BF_SLOTS, slab->blocks - first) * BF_BLOCK_BYTES;
}

/*
 * Is the index one filter of the table?  What its metapage says: the storage
 * parameter may have changed since it was built.  Raises an error (XX002) for a
 * damaged page.
 */
extern bool bf_is_table_filter(Relation index);

/*
 * The backend's copy of what the metapage says, or if refresh is set the newest
 * state; raises an error (XX002) unless it is sound.  Lives as the copy of a
 * directory does.  Who looks for what a snapshot sees refreshes it after the
 * snapshot was taken.
 */
extern const BfTableFilter *bf_table_filter(Relation index, bool refresh);

/*
 * Might the snapshot see versions of rows whose values the filter lacks?  To be asked
 * after the filter was read, because a newer one may lack more.  Raises an error if
 * the snapshot has expired.
 */
extern bool bf_table_is_behind(Relation index, Snapshot snapshot);

/* Make the page the metapage of the filter. */
extern void bf_table_meta_init(Page page, const BfTableFilter *filter);

/*
 * Read and lock (shared) a page of the filter's slab, or of its successor.
 * InvalidBuffer: it has been given away, there is a newer state.  Raises an error
 * (XX002) unless it is sound.
 */
extern Buffer bf_table_page_read(Relation index, BlockNumber block, const BfTableFilter *filter,
								 const BfSlab *slab);

/* Has the newest filter all bits of a hash? */
extern bool bf_table_contains(Relation index, uint64 hash);

/*
 * Add the bits of the page in the buffer, which is pinned, to the filter's blocks,
 * which may have the bits of other filters already.  Returns false if it has been
 * given away.
 */
extern bool bf_table_read_page(Relation index, Buffer buffer, const BfTableFilter *filter,
							   uint8 *blocks);

/* The pages that are in use, if there is no successor, as of bf_directory_used_pages(). */
extern BfPageRun *bf_table_used_pages(const BfTableFilter *filter, uint32 *count);

/*
 * What follows changes the metapage, with WAL if the index has WAL.
 */

/* Advance the horizon for snapshots of a standby. */
extern void bf_table_set_standby_horizon(Relation index, FullTransactionId horizon);

/* Begin to make the filter anew: from now on, writers write into the successor, too. */
extern void bf_table_begin(Relation index, const BfSlab *successor);

/*
 * Put the successor, now with all that is known of it, into the place of the slab.
 * The standby's horizon advances to the given one, if that is newer.
 */
extern void bf_table_end(Relation index, const BfSlab *successor, uint64 capacity,
						 FullTransactionId standby_horizon);

/* Take the successor out, if there is one. */
extern void bf_table_cancel(Relation index);

#endif							/* BF_INDEX_TABLE_H */
