/*-------------------------------------------------------------------------
 *
 * covers.c
 *		The third level of an index that is being built.
 *
 * The hashes of a group are in memory when it ends, so the table is read once.  A
 * cover gets its pages, sized from its first group, when that ends.  If that group
 * has no values of a column, there is no cover of the column; if it has far fewer than
 * the others, the cover is bad.  VACUUM mends both (upkeep/cover.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/bufmgr.h"

#include "index/file/directory.h"
#include "index/file/sizes.h"
#include "index/write/covers.h"
#include "index/write/space.h"

void
bf_covers_init(BfCovers *covers, Relation index)
{
	memset(covers, 0, sizeof(BfCovers));
	covers->index = index;
	covers->columns = RelationGetNumberOfAttributes(index);
}

/* The slabs of the row that is being filled. */
static BfSlab *
open_row(const BfCovers *covers)
{
	return covers->slabs + (Size) covers->count * covers->columns;
}

/* Begin a row of covers, if the table has room for its groups. */
static void
begin_row(BfCovers *covers, const BfSlab *first, const double *values, uint64 heap_pages,
		  uint32 *newest_slab)
{
	uint64		group_pages = bf_group_end(first) - first->first_heap_page;
	Size		size = (Size) (covers->count + 1) * covers->columns * sizeof(BfSlab);
	uint32		column;

	covers->is_open = covers->count < bf_directory_max_covers(covers->columns) &&
		first->first_heap_page + BF_COVER_GROUPS * group_pages <= heap_pages;
	if (!covers->is_open)
		return;
	covers->slabs = covers->slabs == NULL ? palloc(size) : repalloc(covers->slabs, size);
	for (column = 0; column < covers->columns; column++)
	{
		BfSlab	   *slab = &open_row(covers)[column];

		memset(slab, 0, sizeof(BfSlab));
		slab->first_heap_page = first->first_heap_page;
		if (values[column] <= 0)
			continue;
		slab->number = ++*newest_slab;
		bf_cover_set_size(slab, values[column]);
		slab->first_page = RelationGetNumberOfBlocks(covers->index);
		bf_space_append(covers->index, slab, NULL);
	}
}

void
bf_covers_add_group(BfCovers *covers, uint32 group, const BfSlab *slabs,
					const BfGathered *gathered, const double *values, uint64 heap_pages,
					uint32 *newest_slab)
{
	uint32		column;

	/* rows are made in their order: none after one that was not made */
	if (group == covers->count * BF_COVER_GROUPS)
		begin_row(covers, &slabs[0], values, heap_pages, newest_slab);
	if (!covers->is_open)
		return;
	for (column = 0; column < covers->columns; column++)
		if (bf_slab_exists(&open_row(covers)[column]) && gathered[column].count > 0)
			bf_gather_cover(&gathered[column], covers->index, &open_row(covers)[column], group);
	if (group % BF_COVER_GROUPS == BF_COVER_GROUPS - 1)
	{
		covers->count++;
		covers->is_open = false;
	}
}
