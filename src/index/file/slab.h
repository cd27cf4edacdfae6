/*-------------------------------------------------------------------------
 *
 * slab.h
 *		Where the bits of a value are: groups, ranges, sets and their blocks.
 *
 * The table's pages are cut into sets of one or a few pages.  BF_SLOTS sets
 * are a range, and up to BF_SLOTS ranges are a group.  For each group, each
 * column of the index has a slab of pages, of two levels:
 *
 * First level: each range of the group has a filter of some number of blocks.
 * Page j has block j of all of these filters, side by side, so that a lookup
 * reads one page of the group:
 *
 *		        slot 0     slot 1     slot 2    ...  slot 125
 *		page 0  range 0    range 1    range 2        range 125     block 0
 *		page 1  range 0    range 1    range 2        range 125     block 1
 *		...
 *
 * In a small table a group has fewer ranges, and a page has several blocks of
 * each.
 *
 * Second level, for each range: pages of the same form in which the slots
 * belong to the range's sets.  So a hit in a range leads to the sets that may
 * have the value.
 *
 * In a large table there is a third level above the groups: up to BF_SLOTS
 * groups have a slab, their cover, whose first level has a filter of each group
 * in the place of a range's, and which has no second level.  So a lookup reads
 * one page of the cover, and only the groups that may have the value.  Covers with
 * as many blocks are merged by moving the blocks: see upkeep/cover.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_SLAB_H
#define BF_INDEX_SLAB_H

#include "storage/block.h"

#include "core/block.h"
#include "core/hash.h"
#include "index/file/page.h"

/* Most pages of a set. */
#define BF_MAX_SET_PAGES	8

/*
 * A slab, as the directory has it: 24 bytes.  The slabs of a group agree in
 * first_heap_page, ranges and set_pages.
 */
typedef struct BfSlab
{
	BlockNumber first_heap_page;
	BlockNumber first_page;		/* 0: no value in the group yet, no pages */
	uint32		number;			/* in the tails of its pages */
	uint32		blocks;			/* of a range, or of a group in its cover */
	uint16		ranges;			/* of a cover: groups that there is room for */
	uint8		set_blocks;		/* of a set */
	uint8		set_pages;
	uint8		k;
	uint8		set_k;

	/*
	 * How far the false positive rates of ranges and of sets were above the
	 * rate asked when the slab was new: see bf_excess_code().
	 */
	uint8		excess;
	uint8		set_excess;
} BfSlab;

#define BF_MAX_SET_BLOCKS	PG_UINT8_MAX

/* A block of a slab. */
typedef struct BfPlace
{
	BlockNumber page;
	uint32		slot;			/* of set or range 0 */
	uint32		stride;			/* slots to that of the next set or range */
} BfPlace;

static inline bool
bf_slab_exists(const BfSlab *slab)
{
	return slab->first_page != 0;
}

/* Heap pages of a range. */
static inline uint32
bf_range_pages(const BfSlab *slab)
{
	return BF_SLOTS * (uint32) slab->set_pages;
}

/* The heap page after the group's last. */
static inline uint64
bf_group_end(const BfSlab *slab)
{
	return slab->first_heap_page + (uint64) slab->ranges * bf_range_pages(slab);
}

/* Blocks of a range that are in one page. */
static inline uint32
bf_blocks_per_page(const BfSlab *slab)
{
	return Min(BF_SLOTS / slab->ranges, slab->blocks);
}

/* Pages of the first level. */
static inline uint32
bf_first_level_pages(const BfSlab *slab)
{
	uint32		per_page = bf_blocks_per_page(slab);

	return (slab->blocks + per_page - 1) / per_page;
}

static inline uint64
bf_slab_pages(const BfSlab *slab)
{
	return bf_first_level_pages(slab) + (uint64) slab->ranges * slab->set_blocks;
}

/* The place of a block of the first level, or of a cover. */
static inline BfPlace
bf_block_place(const BfSlab *slab, uint32 block)
{
	BfPlace		place;

	place.stride = bf_blocks_per_page(slab);
	place.page = slab->first_page + block / place.stride;
	place.slot = block % place.stride;
	return place;
}

static inline BfPlace
bf_first_level_place(const BfSlab *slab, uint64 hash)
{
	return bf_block_place(slab, bf_block_index(hash, slab->blocks));
}

/* The hash is that of the second level. */
static inline BfPlace
bf_second_level_place(const BfSlab *slab, uint32 range, uint64 hash)
{
	BfPlace		place;

	place.stride = 1;
	place.page = slab->first_page + bf_first_level_pages(slab) + range * slab->set_blocks +
		bf_block_index(hash, slab->set_blocks);
	place.slot = 0;
	return place;
}

/* The byte of the page at which the block of this set or range starts. */
static inline uint32
bf_place_offset(const BfPlace *place, uint32 set)
{
	return BF_FIRST_SLOT + (set * place->stride + place->slot) * BF_BLOCK_BYTES;
}

/*
 * The hash of the second level.  It is independent of the first level's: what
 * passes there by chance shall not pass here.
 */
static inline uint64
bf_second_level_hash(uint64 hash)
{
	return bf_hash_word8((int64) hash, bf_xxh3, 0);
}

/* The hash of the third level, independent of the others for the same reason. */
static inline uint64
bf_third_level_hash(uint64 hash)
{
	return bf_hash_word8((int64) hash, bf_xxh3, 1);
}

/*
 * The block of a cover is found by the hash itself, so that hashes in ascending
 * order have their pages in this order in all groups and covers; its bits are
 * those of the third level's hash.
 */
static inline BfPlace
bf_cover_place(const BfSlab *cover, uint64 hash)
{
	return bf_first_level_place(cover, hash);
}

/* Set the bits of a value; the page may be a copy. */
static inline void
bf_place_add(Page page, const BfPlace *place, uint32 set, uint64 hash, int k)
{
	uint32		offset = bf_place_offset(place, set);
	PageHeader	header = (PageHeader) page;

	bf_block_add((uint8 *) page + offset, hash, k);
	if (header->pd_lower < offset + BF_BLOCK_BYTES)
		header->pd_lower = offset + BF_BLOCK_BYTES;
}

static inline bool
bf_place_contains(Page page, const BfPlace *place, uint32 set, uint64 hash, int k)
{
	return bf_block_contains((uint8 *) page + bf_place_offset(place, set), hash, k);
}

#endif							/* BF_INDEX_SLAB_H */
