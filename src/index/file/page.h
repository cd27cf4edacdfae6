/*-------------------------------------------------------------------------
 *
 * page.h
 *		The pages of a filter index: their kinds, their layout, and how a
 *		damaged page is told.
 *
 *		page 0		the metapage: what the index is, and where its directory is
 *					(meta.h)
 *		directory	where the slabs are (directory.h)
 *		slab		blocks of 512 bits (slab.h)
 *
 * An index that is one filter of the table has no directory, and a metapage of
 * another kind (table.h).
 *
 * Every page ends in a BfPageTail, from which a reader sees that the page is
 * the one it looked for.  A slab page is an array of slots of one block each,
 * after a slot that the page header lies in.  Its pd_lower is the end of the
 * last slot that was ever written.  All bytes from there to the tail are zero,
 * so the WAL images of a page that is nearly empty are small.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_PAGE_H
#define BF_INDEX_PAGE_H

#include "fmgr.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "compat.h"
#include "core/block.h"

/* Frozen with the first release: pg_upgrade keeps the files. */
#define BF_INDEX_MAGIC		0x42464958
#define BF_INDEX_VERSION	3

#define BF_METAPAGE			0

#define BF_FIRST_SLOT		BF_BLOCK_BYTES

/*
 * Slots of a slab page: what is left beside the page's header and tail, each
 * of which lies in a slot of its own.  126 with pages of 8 kB; a number with
 * many divisors, see bf_group_set_ranges().
 */
#define BF_SLOTS			(BLCKSZ / BF_BLOCK_BYTES - 2)

typedef enum BfPageKind
{
	BF_PAGE_META = 1,
	BF_PAGE_DIRECTORY = 2,
	BF_PAGE_SLAB = 3,
	BF_PAGE_TABLE_META = 4
} BfPageKind;

/* In the last two bytes of a page, by which tools tell access methods apart. */
#define BF_PAGE_ID			0xBF1D

/* The special space of every page. */
typedef struct BfPageTail
{
	BlockNumber block;			/* the page's own number */
	uint32		slab;			/* the slab's number; other kinds: 0 */
	uint16		kind;			/* BfPageKind */
	uint16		page_id;
} BfPageTail;

/* Bytes of a page between header and tail. */
#define BF_PAGE_CONTENTS \
	(BLCKSZ - MAXALIGN(SizeOfPageHeaderData) - MAXALIGN(sizeof(BfPageTail)))

/* Make the page of this number an empty page.  The slab is 0 for other kinds. */
extern void bf_page_init(Page page, BlockNumber block, BfPageKind kind, uint32 slab);

/*
 * Is the header that of a page of an index?  WAL takes what lies between pd_lower
 * and pd_upper for zeros, and replay would write beyond the page if pd_upper came
 * first.
 */
static inline bool
bf_page_has_header(Page page)
{
	const PageHeaderData *header = (const PageHeaderData *) page;

	return header->pd_special == BLCKSZ - MAXALIGN(sizeof(BfPageTail)) &&
		header->pd_upper == header->pd_special &&
		header->pd_lower >= SizeOfPageHeaderData && header->pd_lower <= header->pd_upper;
}

/* Does a slab page end where a slot ends? */
static inline bool
bf_page_has_slots(Page page)
{
	LocationIndex lower = ((const PageHeaderData *) page)->pd_lower;

	return lower >= BF_FIRST_SLOT && lower % BF_BLOCK_BYTES == 0;
}

static inline bool
bf_page_is_of_kind(Page page, BfPageKind kind)
{
	const BfPageTail *tail;

	if (PageIsNew(page) || !bf_page_has_header(page))
		return false;
	tail = (const BfPageTail *) PageGetSpecialPointer(page);
	return tail->page_id == BF_PAGE_ID && tail->kind == kind &&
		(kind != BF_PAGE_SLAB || bf_page_has_slots(page));
}

/* Is the page, number block, a page of this slab? */
static inline bool
bf_page_is_of_slab(Page page, BlockNumber block, uint32 slab)
{
	const BfPageTail *tail;

	if (!bf_page_is_of_kind(page, BF_PAGE_SLAB))
		return false;
	tail = (const BfPageTail *) PageGetSpecialPointer(page);
	return tail->block == block && tail->slab == slab;
}

/*
 * Read and lock a page; raises an error (XX002) unless it is of this kind, of
 * this slab, and sound.
 */
extern Buffer bf_page_read(Relation index, BlockNumber block, BfPageKind kind, uint32 slab,
						   int lock);

/* What bf_page_read() checks, for a page that is locked. */
extern void bf_page_check(Relation index, Buffer buffer, BfPageKind kind, uint32 slab);

/*
 * Raise an error (XX002) for a metapage, of whatever kind, that does not say
 * that this version of the extension reads the index.
 */
extern void bf_page_check_format(Relation index, uint32 magic, uint32 version);

/* Raise the error (XX002) for a damaged page; detail is a sentence. */
BF_NORETURN extern void bf_page_damaged(Relation index, BlockNumber block, const char *detail);

#endif							/* BF_INDEX_PAGE_H */
