/*-------------------------------------------------------------------------
 *
 * rebuild.h
 *		Rebuilding groups of an index that are worn, beside writers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_REBUILD_H
#define BF_INDEX_REBUILD_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

typedef struct BfRebuilt
{
	uint32		groups;			/* of the index */
	uint32		rebuilt;		/* of these */
	uint32		covers;			/* that were made */
	double		items;			/* that the filter of a table was made for, or 0 */
	BlockNumber given_up;		/* pages of slabs that were replaced */
	BlockNumber free;			/* pages of no slab, afterwards */
} BfRebuilt;

/*
 * Rebuild all groups whose false positive rate has doubled since they were
 * new, and make the covers that are due, as far as that is possible; warns of what is
 * not.  The caller is the only one who does so: it holds ShareUpdateExclusiveLock on the
 * table, as VACUUM does, and acts for the table's owner.  It can attempt something, and
 * catches errors of the index as a whole.
 */
extern BfRebuilt bf_rebuild_worn_groups(Relation index, Relation heap,
										BufferAccessStrategy strategy);

#endif							/* BF_INDEX_REBUILD_H */
