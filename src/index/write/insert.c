/*-------------------------------------------------------------------------
 *
 * insert.c
 *		Inserting into the filters of ranges.
 *
 * A row sets bits in one block of each level, for each of its columns that is
 * not NULL; of the third level where its group has a cover.  Bits are only ever set, so nothing has to be done at once: columns
 * and levels need not be atomic, and the bits of a row whose transaction aborts
 * may stay.
 *
 * All this is done by the backend's copy of the directory.  If there is a newer
 * one when it is done, it is done again: rebuild.c says why.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/file/hash.h"
#include "index/write/bits.h"
#include "index/write/groups.h"
#include "index/write/insert.h"
#include "index/write/known.h"

/* What the rows of a statement share, in ii_AmCache. */
typedef struct InsertState
{
	MemoryContext row_context;	/* reset for each row */
	BfKnown    *known;
} InsertState;

static InsertState *
insert_state(Relation index, IndexInfo *info)
{
	InsertState *state = info->ii_AmCache;

	if (state == NULL)
	{
		state = MemoryContextAlloc(info->ii_Context, sizeof(InsertState));
		state->row_context = AllocSetContextCreate(info->ii_Context, "row of a filter index",
												   ALLOCSET_DEFAULT_SIZES);
		state->known = bf_known_begin(index, info);
		info->ii_AmCache = state;
	}
	return state;
}

/*
 * Values are repeated: a share lock suffices to see that nothing is to be done.
 * Returns false, without a pin, if the page was given away.
 */
static bool
look(BfTarget *target, Relation index, const BfSlab *slab, uint32 generation)
{
	target->slab = slab->number;
	target->buffer = bf_slab_read(index, target->place.page, slab, generation, BUFFER_LOCK_SHARE);
	if (!BufferIsValid(target->buffer))
		return false;
	target->missing = !bf_place_contains(BufferGetPage(target->buffer), &target->place,
										 target->set, target->hash, target->k);
	LockBuffer(target->buffer, BUFFER_LOCK_UNLOCK);
	return true;
}

/*
 * The page of a value that must be missing.  Setting its bits looks again, and
 * at the page.  Rows are appended, so all writers change one page of the second
 * level: each lock less lets them wait less.
 */
static void
pin(BfTarget *target, Relation index, const BfSlab *slab)
{
	target->slab = slab->number;
	target->buffer = ReadBuffer(index, target->place.page);
	target->missing = true;
}

/* The bits of the value in the first two levels. */
static void
aim(BfTarget *targets, const BfSlab *slab, BlockNumber heap_page, uint64 hash)
{
	uint32		page = heap_page - slab->first_heap_page;
	uint32		range = page / bf_range_pages(slab);

	targets[0].place = bf_first_level_place(slab, hash);
	targets[0].set = range;
	targets[0].hash = hash;
	targets[0].k = slab->k;
	targets[1].hash = bf_second_level_hash(hash);
	targets[1].place = bf_second_level_place(slab, range, targets[1].hash);
	targets[1].set = page % bf_range_pages(slab) / slab->set_pages;
	targets[1].k = slab->set_k;
}

/*
 * Set the bits of a value of a group in its cover.  *is_new tells whether any were
 * missing.  Returns false if the page was given away.
 */
static bool
insert_into_cover(Relation index, const BfSlab *cover, uint32 generation, uint32 group,
				  uint64 hash, bool *is_new)
{
	BfTarget	target = {.place = bf_cover_place(cover, hash),.set = group % BF_COVER_GROUPS};
	bool		result;

	target.hash = bf_third_level_hash(hash);
	target.k = cover->k;
	if (!look(&target, index, cover, generation))
		return false;
	*is_new = target.missing;
	result = !target.missing || bf_set_bits(index, &target, 1);
	ReleaseBuffer(target.buffer);
	/* given away, or damaged, which raises an error */
	if (!result && look(&target, index, cover, generation))
		ReleaseBuffer(target.buffer);
	return result;
}

/*
 * Set the bits of a value in a slab, where they are probably missing if it is_new.
 * Returns false if the slab, or a part of it, was given away.
 */
static bool
insert_value(Relation index, const BfSlab *slab, uint32 generation, BlockNumber heap_page,
			 uint64 hash, bool is_new)
{
	BfTarget	targets[2];
	bool		result;

	aim(targets, slab, heap_page, hash);
	if (is_new)
		pin(&targets[0], index, slab);
	else if (!look(&targets[0], index, slab, generation))
		return false;
	/* what the range does not have, the set does not have: no need to look */
	if (targets[0].missing)
		pin(&targets[1], index, slab);
	else if (!look(&targets[1], index, slab, generation))
	{
		ReleaseBuffer(targets[0].buffer);
		return false;
	}
	/* in the order of page numbers, as everyone does: no deadlocks */
	result = (!targets[0].missing && !targets[1].missing) || bf_set_bits(index, targets, 2);
	ReleaseBuffer(targets[1].buffer);
	/* given away, or damaged, which raises an error */
	if (!result && look(&targets[1], index, slab, generation))
		ReleaseBuffer(targets[1].buffer);
	ReleaseBuffer(targets[0].buffer);
	return result;
}

/* Has the slab a value of this page, without a look at it? */
static bool
is_known(BfKnown *known, Relation index, const BfDirectory *directory, uint32 group,
		 uint32 column, BlockNumber heap_page, uint64 hash)
{
	const BfSlab *slab = bf_directory_slab(directory, group, column);
	BfTarget	targets[2];

	if (known == NULL)
		return false;
	aim(targets, slab, heap_page, hash);
	return bf_known_has(known, index, directory, group, column, targets);
}

/* Returns false if the row has only NULLs. */
static bool
hash_row(InsertState *state, Relation index, const Datum *values, const bool *isnull,
		 uint64 *hashes)
{
	MemoryContext old_context = MemoryContextSwitchTo(state->row_context);
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
	MemoryContextReset(state->row_context);
	return result;
}

/*
 * By the backend's copy of the directory.  Returns false if it has to be done
 * again.
 */
static bool
insert_row(InsertState *state, Relation index, Relation heap, IndexInfo *info,
		   BlockNumber heap_page, const bool *isnull, const uint64 *hashes)
{
	uint32		group;
	const BfDirectory *directory = bf_group_for_insert(index, heap, info, heap_page, isnull,
													   &group);
	uint32		column;

	for (column = 0; column < directory->columns; column++)
	{
		const BfSlab *cover = bf_directory_cover_of(directory, group, column);
		const BfSlab *next_cover = bf_directory_successor_of_cover(directory, group, column);
		const BfSlab *successor = bf_directory_successor(directory, group, column);
		bool		is_new = false;

		if (isnull[column])
			continue;
		if (cover != NULL &&
			!insert_into_cover(index, cover, directory->generation, group, hashes[column], &is_new))
			return false;
		if (next_cover != NULL &&
			!insert_into_cover(index, next_cover, directory->generation, group, hashes[column],
							   &is_new))
			return false;
		if (!is_known(state->known, index, directory, group, column, heap_page, hashes[column]) &&
			!insert_value(index, bf_directory_slab(directory, group, column),
						  directory->generation, heap_page, hashes[column], is_new))
			return false;
		if (successor != NULL &&
			!insert_value(index, successor, directory->generation, heap_page, hashes[column],
						  is_new))
			return false;
	}
	return bf_directory_is_current(index, directory->generation);
}

void
bf_index_insert(Relation index, const Datum *values, const bool *isnull, ItemPointer tid,
				Relation heap, IndexInfo *info)
{
	InsertState *state = insert_state(index, info);
	BlockNumber heap_page = ItemPointerGetBlockNumber(tid);
	uint64		hashes[INDEX_MAX_KEYS];

	/* first, because the functions may do anything */
	if (!hash_row(state, index, values, isnull, hashes))
		return;
	while (!insert_row(state, index, heap, info, heap_page, isnull, hashes))
	{
		CHECK_FOR_INTERRUPTS();
		bf_directory(index, true);
	}
}
