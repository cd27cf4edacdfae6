/*-------------------------------------------------------------------------
 *
 * known.c
 *		What the second pass of CREATE INDEX CONCURRENTLY knows to be in the index.
 *
 * That pass inserts all rows again, in the order of the table's pages, and nearly all
 * are there.  To look at a row's pages takes three times as long as all else that the
 * pass does with it.  So it copies the slabs of a group when it comes to its first row,
 * and looks into the copies.  A bit that is set in a copy is set in the index: bits
 * are only ever set, and pages are given away only by VACUUM, which waits for the lock
 * of CREATE INDEX CONCURRENTLY.  A bit that is not has perhaps been set since: then
 * the row is inserted as any other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/memutils.h"

#include "index/write/known.h"

struct BfKnown
{
	MemoryContext context;		/* of the copies */
	uint32		group;			/* or BF_NO_GROUP */
	BfSlab		slabs[INDEX_MAX_KEYS];
	char	   *pages[INDEX_MAX_KEYS];	/* or NULL */
};

BfKnown *
bf_known_begin(Relation index, IndexInfo *info)
{
	BfKnown    *known;

	if (!info->ii_Concurrent || index->rd_index->indisvalid)
		return NULL;
	known = MemoryContextAllocZero(info->ii_Context, sizeof(BfKnown));
	known->context = AllocSetContextCreate(info->ii_Context, "copy of a group",
										   ALLOCSET_DEFAULT_SIZES);
	known->group = BF_NO_GROUP;
	return known;
}

/* Returns NULL if the pages have been given away. */
static char *
copy_pages(MemoryContext context, Relation index, const BfSlab *slab, uint32 generation)
{
	uint64		count = bf_slab_pages(slab);
	char	   *pages = MemoryContextAllocHuge(context, count * BLCKSZ);
	uint64		i;

	for (i = 0; i < count; i++)
	{
		Buffer		buffer;

		CHECK_FOR_INTERRUPTS();
		buffer = bf_slab_read(index, (BlockNumber) (slab->first_page + i), slab, generation,
							  BUFFER_LOCK_SHARE);
		if (!BufferIsValid(buffer))
			return NULL;
		memcpy(pages + i * BLCKSZ, BufferGetPage(buffer), BLCKSZ);
		UnlockReleaseBuffer(buffer);
	}
	return pages;
}

/* As many columns as there is memory for. */
static void
copy_group(BfKnown *known, Relation index, const BfDirectory *directory, uint32 group)
{
	uint64		room = (uint64) maintenance_work_mem * 1024;
	uint32		column;

	MemoryContextReset(known->context);
	known->group = group;
	for (column = 0; column < directory->columns; column++)
	{
		const BfSlab *slab = bf_directory_slab(directory, group, column);
		uint64		size = bf_slab_exists(slab) ? bf_slab_pages(slab) * BLCKSZ : 0;

		known->slabs[column] = *slab;
		known->pages[column] = size > 0 && size <= room ?
			copy_pages(known->context, index, slab, directory->generation) : NULL;
		if (known->pages[column] != NULL)
			room -= size;
	}
}

static bool
contains(const BfKnown *known, uint32 column, const BfTarget *target)
{
	BlockNumber page = bf_target_page(target) - known->slabs[column].first_page;

	return bf_place_contains(known->pages[column] + (Size) page * BLCKSZ,
							 &target->values[0].place, target->set, target->values[0].hash,
							 target->k);
}

bool
bf_known_has(BfKnown *known, Relation index, const BfDirectory *directory, uint32 group,
			 uint32 column, const BfTarget *targets)
{
	if (known->group == BF_NO_GROUP || known->group < group)
		copy_group(known, index, directory, group);
	/* another slab than was copied, if the group had none */
	if (known->group != group || known->pages[column] == NULL ||
		known->slabs[column].number != bf_directory_slab(directory, group, column)->number)
		return false;
	return contains(known, column, &targets[0]) && contains(known, column, &targets[1]);
}
