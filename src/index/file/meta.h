/*-------------------------------------------------------------------------
 *
 * meta.h
 *		The metapage of a filter index.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_META_H
#define BF_INDEX_META_H

#include "access/transam.h"
#include "utils/rel.h"

#include "index/file/slab.h"

/*
 * Most pages of covers.  Each has room for some 5 TB of a table with pages of 8 kB,
 * if the index has one column; a table has up to 32 TB.
 */
#define BF_MAX_COVER_PAGES	20

/* The directory has rows of two kinds, each row with a slab for each column. */
typedef enum BfRowKind
{
	BF_GROUP_ROW,
	BF_COVER_ROW
} BfRowKind;

#define BF_ROW_KINDS		2

/*
 * The row that VACUUM is making anew, or BF_NO_GROUP, and the slabs that will take the
 * place of its slabs: of each column, or without pages.
 */
typedef struct BfSuccessors
{
	uint32		row;
	BfSlab		slabs[INDEX_MAX_KEYS];
} BfSuccessors;

typedef struct BfMeta
{
	uint32		magic;
	uint32		version;
	uint32		columns;
	uint32		groups;			/* in the directory */
	uint32		generation;		/* grows whenever the directory changes */
	uint32		slabs;			/* number of the newest slab */

	/*
	 * Older snapshots may see versions of rows that the index does not know;
	 * for these it returns the whole table.  See build.c.
	 */
	FullTransactionId horizon;

	/* the same for snapshots of a standby: see build.c and rebuild.c */
	FullTransactionId standby_horizon;

	BfSuccessors successors[BF_ROW_KINDS];

	/*
	 * Rows of covers, in the order of the groups that they cover; these groups, which
	 * are the first; and the pages of the directory that the rows are in.
	 */
	uint32		covers;
	uint32		covered;
	BlockNumber cover_pages[BF_MAX_COVER_PAGES];

	BlockNumber directory[FLEXIBLE_ARRAY_MEMBER];
} BfMeta;

/* The metapage of an index that is one filter of its table: see table.h. */
typedef struct BfTableMeta
{
	uint32		magic;
	uint32		version;
	uint32		generation;		/* grows whenever something here changes */
	uint32		slabs;			/* number of the newest slab */
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
	 * CONCURRENTLY (vacuum.c) or a rebuild (rows.c) left out.
	 */
	FullTransactionId standby_builder;
	FullTransactionId standby_horizon;

	BfSlab		slab;
	BfSlab		successor;		/* that VACUUM fills; without pages: none */
	uint32		family;
} BfTableMeta;

/* Marks that a page of the table is in no group yet, or that there is none. */
#define BF_NO_GROUP		PG_UINT32_MAX

/* Most pages of a directory: as many as the metapage has room for. */
#define BF_MAX_DIRECTORY_PAGES \
	((BF_PAGE_CONTENTS - offsetof(BfMeta, directory)) / sizeof(BlockNumber))

#define BF_PAGE_META(page)	((BfMeta *) PageGetContents(page))
#define BF_TABLE_META(page)	((BfTableMeta *) PageGetContents(page))

/* Make the page the metapage of an index without rows. */
extern void bf_meta_init(Page page, Relation index);

/* Read and lock the metapage; raises an error (XX002) unless it is sound. */
extern Buffer bf_meta_read(Relation index, int lock);

/* Is the generation, of an index of either kind, the newest? */
extern bool bf_meta_is_current(Relation index, uint32 generation);

/* Advance the horizon for snapshots of a standby, with WAL if the index has WAL. */
extern void bf_meta_set_standby_horizon(Relation index, FullTransactionId horizon);

#endif							/* BF_INDEX_META_H */
