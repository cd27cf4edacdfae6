/*-------------------------------------------------------------------------
 *
 * insert.c
 *		Inserting into a filter index: aminsert.
 *
 * A row sets bits in one block of each level, for each of its columns that is
 * not NULL.  Bits are only ever set, so nothing has to be done at once: columns
 * and levels need not be atomic, and the bits of a row whose transaction aborts
 * may stay.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "index/file/hash.h"
#include "index/write/bits.h"
#include "index/write/groups.h"
#include "index/write/insert.h"

/* Values are repeated: a share lock suffices to see that nothing is to be done. */
static void
look(BfTarget *target, Relation index, const BfSlab *slab)
{
	target->buffer = bf_page_read(index, target->place.page, BF_PAGE_SLAB, slab->number,
								  BUFFER_LOCK_SHARE);
	target->missing = !bf_place_contains(BufferGetPage(target->buffer), &target->place,
										 target->set, target->hash, target->k);
	LockBuffer(target->buffer, BUFFER_LOCK_UNLOCK);
}

static void
insert_value(Relation index, const BfSlab *slab, BlockNumber heap_page, uint64 hash)
{
	uint32		page = heap_page - slab->first_heap_page;
	uint32		range = page / bf_range_pages(slab);
	BfTarget	targets[2];

	targets[0].place = bf_first_level_place(slab, hash);
	targets[0].set = range;
	targets[0].hash = hash;
	targets[0].k = slab->k;
	targets[1].hash = bf_second_level_hash(hash);
	targets[1].place = bf_second_level_place(slab, range, targets[1].hash);
	targets[1].set = page % bf_range_pages(slab) / slab->set_pages;
	targets[1].k = slab->set_k;
	look(&targets[0], index, slab);
	look(&targets[1], index, slab);
	/* in the order of page numbers, as everyone does: no deadlocks */
	if (targets[0].missing || targets[1].missing)
		bf_set_bits(index, targets, 2);
	ReleaseBuffer(targets[0].buffer);
	ReleaseBuffer(targets[1].buffer);
}

/* Returns false if the row has only NULLs. */
static bool
hash_row(Relation index, const Datum *values, const bool *isnull, uint64 *hashes)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "row of a filter index",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old_context = MemoryContextSwitchTo(context);
	bool		result = false;
	int			column;

	for (column = 0; column < RelationGetNumberOfAttributes(index); column++)
	{
		if (isnull[column])
			continue;
		hashes[column] = bf_index_hash(index, column, values[column]);
		result = true;
	}
	MemoryContextSwitchTo(old_context);
	MemoryContextDelete(context);
	return result;
}

bool
bf_index_insert(Relation index, Datum *values, bool *isnull, ItemPointer tid, Relation heap,
				IndexUniqueCheck unique pg_attribute_unused(),
				bool unchanged pg_attribute_unused(), IndexInfo *info)
{
	BlockNumber heap_page = ItemPointerGetBlockNumber(tid);
	uint64		hashes[INDEX_MAX_KEYS];
	BfSlab		slabs[INDEX_MAX_KEYS];
	const BfDirectory *directory;
	uint32		group;
	uint32		column;
	uint32		columns = RelationGetNumberOfAttributes(index);

	/* first, because the functions may do anything */
	if (!hash_row(index, values, isnull, hashes))
		return false;
	directory = bf_group_for_insert(index, heap, info, heap_page, isnull, &group);
	for (column = 0; column < columns; column++)
		slabs[column] = *bf_directory_slab(directory, group, column);
	for (column = 0; column < columns; column++)
		if (!isnull[column])
			insert_value(index, &slabs[column], heap_page, hashes[column]);
	return false;
}
