/*-------------------------------------------------------------------------
 *
 * table.h
 *		An index that is one filter of the table's values: scope = 'table'.
 *
 * It is the filter that the type makes of the same values: same hashes, same
 * size, same bits.  Its metapage is of another kind than that of an index of
 * ranges.  The pages after it are pages of one slab, and have the filter's
 * blocks in their order:
 *
 *		        slot 0     slot 1     ...  slot 125
 *		page 1  block 0    block 1         block 125
 *		page 2  block 126  block 127       block 251
 *		...
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_TABLE_H
#define BF_INDEX_TABLE_H

#include "access/transam.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

#include "core/format.h"
#include "index/file/options.h"
#include "index/file/slab.h"

/* The number of the slab. */
#define BF_TABLE_SLAB	1

/* What a backend knows of such an index, in rd_amcache. */
typedef struct BfTableFilter
{
	BfIndexScope scope;			/* first, as in BfDirectory */
	uint32		blocks;
	int			k;				/* bits per value */
	BfFamily	family;
	uint64		environment;	/* as in a filter's header */
	uint64		capacity;		/* distinct values */
	double		rate;			/* with so many */

	/*
	 * Who built it and left out versions of rows, which older snapshots may
	 * see, as build.c says; or invalid.
	 */
	FullTransactionId builder;

	/*
	 * The same for snapshots of a standby: who built it, and what CREATE INDEX
	 * CONCURRENTLY left out (vacuum.c).
	 */
	FullTransactionId standby_builder;
	FullTransactionId standby_horizon;
} BfTableFilter;

/* Pages behind the metapage. */
static inline BlockNumber
bf_table_pages(const BfTableFilter *filter)
{
	return (filter->blocks + BF_SLOTS - 1) / BF_SLOTS;
}

/* Bytes of the blocks in a page. */
static inline Size
bf_table_page_bytes(const BfTableFilter *filter, BlockNumber block)
{
	uint32		first = (block - BF_METAPAGE - 1) * BF_SLOTS;

	return (Size) Min(BF_SLOTS, filter->blocks - first) * BF_BLOCK_BYTES;
}

static inline BfPlace
bf_table_place(const BfTableFilter *filter, uint64 hash)
{
	uint32		block = bf_block_index(hash, filter->blocks);
	BfPlace		place;

	place.page = BF_METAPAGE + 1 + block / BF_SLOTS;
	place.slot = block % BF_SLOTS;
	place.stride = 1;
	return place;
}

/*
 * Is the index one filter of the table?  What its metapage says: the storage
 * parameter may have changed since it was built.  Raises an error (XX002) for a
 * damaged page.
 */
extern bool bf_is_table_filter(Relation index);

/*
 * What the metapage says; raises an error (XX002) unless it is sound.  Lives as
 * the copy of a directory does.
 */
extern const BfTableFilter *bf_table_filter(Relation index);

/* Might the snapshot see versions of rows whose values the filter lacks? */
extern bool bf_table_is_behind(Relation index, Snapshot snapshot);

/* Advance the horizon for snapshots of a standby, with WAL if the index has WAL. */
extern void bf_table_set_standby_horizon(Relation index, FullTransactionId horizon);

/* Make the page the metapage of the filter. */
extern void bf_table_meta_init(Page page, const BfTableFilter *filter);

/* Read and lock (shared) a page of the filter; raises an error (XX002) unless it is sound. */
extern Buffer bf_table_page_read(Relation index, BlockNumber block, const BfTableFilter *filter);

/* Has the filter all bits of a hash? */
extern bool bf_table_contains(Relation index, uint64 hash);

/*
 * Add the bits of the page in the buffer, which is pinned, to the filter's
 * blocks, which may have the bits of other filters already.
 */
extern void bf_table_read_page(Relation index, Buffer buffer, const BfTableFilter *filter,
							   uint8 *blocks);

#endif							/* BF_INDEX_TABLE_H */
