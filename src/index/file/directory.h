/*-------------------------------------------------------------------------
 *
 * directory.h
 *		The directory of a filter index: which slabs there are, and where.
 *
 * It has a row of slabs, one for each column, for every group in the order of
 * the table's pages, without gaps.  A backend keeps a copy in rd_amcache, and
 * the generation in the metapage tells whether the copy is still right.
 *
 * While VACUUM rebuilds a group, its slabs have successors, which take their
 * place when they are ready.  Then the pages of the old slabs are given away.
 * So whoever reads a page by a copy sees from the slab's number in the page
 * whether it is still the slab's, and otherwise looks at the newest directory.
 * A writer compares the generations after the row is in the table, too: see
 * rebuild.c.
 *
 * Behind the groups it has rows of covers (slab.h) of the first groups, without gaps;
 * each row is of up to BF_SLOTS groups.  The groups are cut into regions of BF_SLOTS,
 * and no row is of two regions, so that covers that are merged end up as one for each
 * region, however the table has grown.  Groups of fewer ranges in front of the first of
 * BF_SLOTS ranges have regions of their own: their filters are smaller.
 *
 * A reader refreshes the copy once per scan, after the snapshot was taken.
 * Every slab that a row of the snapshot is in is then in the copy, because
 * whoever makes a slab puts it into the directory before writing a bit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_DIRECTORY_H
#define BF_INDEX_DIRECTORY_H

#include "utils/rel.h"

#include "index/file/meta.h"
#include "index/file/options.h"

typedef struct BfDirectory
{
	BfIndexScope scope;			/* first, as in BfTableFilter */
	uint32		generation;
	uint32		columns;
	uint32		groups;
	uint32		slabs;			/* number of the newest slab */
	FullTransactionId horizon;	/* see BfMeta, as the next two */
	FullTransactionId standby_horizon;
	uint32		covers;			/* rows */
	uint32		covered;		/* groups: the first */
	uint32		successors_of[BF_ROW_KINDS];	/* see BfSuccessors */

	/*
	 * Of the groups, their successors, the covers, and their successors.  Behind them,
	 * as uint32: the first group of each row of covers, and the number of covered
	 * groups; the row of each of these groups.
	 */
	BfSlab		slab[FLEXIBLE_ARRAY_MEMBER];
} BfDirectory;

/* The slab of a column of a group, 0 <= column < columns. */
static inline const BfSlab *
bf_directory_slab(const BfDirectory *directory, uint32 group, uint32 column)
{
	return &directory->slab[(Size) group * directory->columns + column];
}

/* The slab that will take the place of this one, or NULL. */
static inline const BfSlab *
bf_directory_successor(const BfDirectory *directory, uint32 group, uint32 column)
{
	const BfSlab *slab;

	if (group != directory->successors_of[BF_GROUP_ROW])
		return NULL;
	slab = bf_directory_slab(directory, directory->groups, column);
	return bf_slab_exists(slab) ? slab : NULL;
}

/* The slab of a column of a row of covers, 0 <= cover < covers. */
static inline const BfSlab *
bf_directory_cover(const BfDirectory *directory, uint32 cover, uint32 column)
{
	return &directory->slab[((Size) directory->groups + 1 + cover) * directory->columns + column];
}

/* What is behind the slabs. */
static inline const uint32 *
bf_directory_first_groups(const BfDirectory *directory)
{
	return (const uint32 *) &directory->slab[((Size) directory->groups + directory->covers + 2) *
											 directory->columns];
}

/* The first group of a row of covers; of the row after the last, the first without cover. */
static inline uint32
bf_directory_first_group(const BfDirectory *directory, uint32 cover)
{
	return bf_directory_first_groups(directory)[cover];
}

/* The row of covers that the group is in, or BF_NO_GROUP. */
static inline uint32
bf_directory_cover_row(const BfDirectory *directory, uint32 group)
{
	return group < directory->covered ?
		bf_directory_first_groups(directory)[directory->covers + 1 + group] : BF_NO_GROUP;
}

/* The cover of a group, and the group's place among those of the cover; or NULL. */
static inline const BfSlab *
bf_directory_cover_of(const BfDirectory *directory, uint32 group, uint32 column, uint32 *member)
{
	uint32		cover = bf_directory_cover_row(directory, group);
	const BfSlab *slab;

	*member = 0;
	if (cover == BF_NO_GROUP)
		return NULL;
	*member = group - bf_directory_first_group(directory, cover);
	slab = bf_directory_cover(directory, cover, column);
	return bf_slab_exists(slab) ? slab : NULL;
}

/*
 * The same for the cover that will take the place of a group's cover and perhaps of
 * those behind it, or of none.
 */
static inline const BfSlab *
bf_directory_successor_of_cover(const BfDirectory *directory, uint32 group, uint32 column,
								uint32 *member)
{
	uint32		cover = directory->successors_of[BF_COVER_ROW];
	const BfSlab *slab;

	*member = 0;
	if (cover == BF_NO_GROUP || group < bf_directory_first_group(directory, cover))
		return NULL;
	*member = group - bf_directory_first_group(directory, cover);
	slab = bf_directory_cover(directory, directory->covers, column);
	return bf_slab_exists(slab) && *member < slab->ranges ? slab : NULL;
}

/*
 * Is the group the last one, and in a cover?  CREATE INDEX covers all groups.  But rows
 * are appended to the last, and would have to be written into the cover, too.
 */
static inline bool
bf_directory_covers_last(const BfDirectory *directory, uint32 group)
{
	return group == directory->groups - 1 && group < directory->covered;
}

/* A region: groups whose covers are merged. */
typedef struct BfRegion
{
	uint32		number;			/* in front of the first group of BF_SLOTS ranges, and from it on */
	uint32		first;			/* group */
	uint32		end;			/* the group after the last that it can have */
} BfRegion;

/* The region of a group. */
extern BfRegion bf_directory_region(const BfDirectory *directory, uint32 group);

/* Pages of an index that are in use. */
typedef struct BfPageRun
{
	BlockNumber first;
	BlockNumber end;			/* the page after the last */
} BfPageRun;

/*
 * The backend's copy of the directory, or if refresh is set the newest state.
 * It lives in the relcache, and only until the next time that the backend may
 * receive invalidations, as when it locks a relation.
 */
extern const BfDirectory *bf_directory(Relation index, bool refresh);

/* A copy in the current memory context, which may be kept. */
extern const BfDirectory *bf_directory_copy(const BfDirectory *directory);

/* The group that has the page, or BF_NO_GROUP. */
extern uint32 bf_directory_find(const BfDirectory *directory, BlockNumber heap_page);

/*
 * Is the page, which is locked, one of the slab, which was found in a directory
 * of this generation?  If not, it has been given away, and there is a newer
 * directory; if there is none, raises the error for a damaged page.
 */
extern bool bf_slab_has_page(Relation index, Buffer buffer, const BfSlab *slab,
							 uint32 generation);

/*
 * Read and lock a page of a slab, which was found in a directory of this
 * generation.  InvalidBuffer: it has been given away, as above.
 */
extern Buffer bf_slab_read(Relation index, BlockNumber block, const BfSlab *slab,
						   uint32 generation, int lock);

/*
 * The pages that the directory needs, its own and those of all slabs, as a
 * palloc'd array in no order.  All others are free.  The caller holds the
 * extension lock of the index, and the directory is the newest.
 */
extern BfPageRun *bf_directory_used_pages(Relation index, const BfDirectory *directory,
										  uint32 *count);

/*
 * What follows changes the directory, with WAL if the index has WAL.  The
 * caller holds the extension lock of the index; bf_directory() must be called
 * again.
 */

/*
 * Put a group, one slab for each column, into the directory: at its end, or in
 * the place of the same group with fewer slabs.
 */
extern void bf_directory_put(Relation index, uint32 group, const BfSlab *slabs,
							 uint32 newest_slab);

/*
 * Begin to make a row anew: from now on, writers write into the successors, too.
 * A column whose slab stays has none.
 */
extern void bf_directory_begin(Relation index, BfRowKind kind, uint32 row,
							   const BfSlab *successors, uint32 newest_slab);

/*
 * Put the successors, now with all that is known of them, into the place of the
 * slabs.  The standby's horizon advances to the given one, if that is newer.  If a row
 * of covers takes the place of that and of all behind it, covered is the number of
 * groups that have one then; otherwise 0.
 */
extern void bf_directory_end(Relation index, BfRowKind kind, uint32 row,
							 const BfSlab *successors, uint32 covered,
							 FullTransactionId standby_horizon);

/*
 * Take the last group out of its cover, in which nothing changes: from now on, writers
 * do not write its values there.
 */
extern void bf_directory_uncover_last(Relation index);

/* Take the successors of both kinds out of the directory, if there are any. */
extern void bf_directory_cancel(Relation index);

/* Most rows of covers that there is room for. */
extern uint32 bf_directory_max_covers(uint32 columns);

/*
 * Write the directory of an index that is being built, after its slabs: those of
 * all groups and covers, of so many groups, and the horizons.  Writes no WAL.
 */
extern void bf_directory_create(Relation index, const BfSlab *slabs, uint32 groups,
								const BfSlab *covers, uint32 cover_count, uint32 covered,
								uint32 newest_slab, FullTransactionId horizon,
								FullTransactionId standby_horizon);

/* Forget the backend's copy. */
extern void bf_directory_forget(Relation index);

#endif							/* BF_INDEX_DIRECTORY_H */
