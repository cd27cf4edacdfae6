/*-------------------------------------------------------------------------
 *
 * directory.h
 *		The directory of a filter index: which slabs there are, and where.
 *
 * It has a row of slabs, one for each column, for every group in the order of
 * the table's pages, without gaps.  A backend keeps a copy in rd_amcache, and
 * the generation in the metapage tells whether the copy is still right.
 *
 * A slab that has pages never changes in the directory, so a writer that finds
 * its slab in an old copy need not look at the metapage.  A reader must: it
 * refreshes the copy once per scan, after the snapshot was taken.  Every slab
 * that a row of the snapshot is in is then in the copy, because whoever makes
 * a slab puts it into the directory before writing a bit.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_DIRECTORY_H
#define BF_INDEX_DIRECTORY_H

#include "postgres.h"

#include "access/transam.h"
#include "utils/rel.h"

#include "index/file/slab.h"

typedef struct BfDirectory
{
	uint32		generation;
	uint32		columns;
	uint32		groups;
	uint32		slabs;			/* number of the newest slab */
	FullTransactionId horizon;	/* see BfMeta */
	BfSlab		slab[FLEXIBLE_ARRAY_MEMBER];
} BfDirectory;

/* The slab of a column of a group, 0 <= column < columns. */
static inline const BfSlab *
bf_directory_slab(const BfDirectory *directory, uint32 group, uint32 column)
{
	return &directory->slab[(Size) group * directory->columns + column];
}

/* Marks that a page of the table is in no group yet. */
#define BF_NO_GROUP		PG_UINT32_MAX

/*
 * The backend's copy of the directory, or if refresh is set the newest state.
 * It lives in the relcache, and only until the next time that the backend may
 * receive invalidations, as when it locks a relation.
 */
extern const BfDirectory *bf_directory(Relation index, bool refresh);

/* The group that has the page, or BF_NO_GROUP. */
extern uint32 bf_directory_find(const BfDirectory *directory, BlockNumber heap_page);

/*
 * Put a group, one slab for each column, into the directory: at its end, or in
 * the place of the same group with fewer slabs.  Writes WAL if the index has
 * WAL.  The caller holds the extension lock of the index; bf_directory() must
 * be called again.
 */
extern void bf_directory_put(Relation index, uint32 group, const BfSlab *slabs,
							 uint32 newest_slab);

/*
 * Write the directory of an index that is being built, after its slabs: the
 * slabs of all groups, and the horizon.  Writes no WAL.
 */
extern void bf_directory_create(Relation index, const BfSlab *slabs, uint32 groups,
								uint32 newest_slab, FullTransactionId horizon);

/* Forget the backend's copy. */
extern void bf_directory_forget(Relation index);

#endif							/* BF_INDEX_DIRECTORY_H */
