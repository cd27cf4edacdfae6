/*-------------------------------------------------------------------------
 *
 * insert.c
 *		Inserting into the filters of ranges.
 *
 * A row sets bits in one block of each level, for each of its columns that is
 * not NULL, or for each of the keys there; of the third level where its group has a
 * cover, which the last group never has then (groups.c).  Bits are only ever set, so
 * nothing has to be done at once: columns and levels need not be atomic, and the bits
 * of a row whose transaction aborts may stay.
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
#include "index/file/keys.h"
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
	target->buffer = bf_slab_read(index, bf_target_page(target), slab, generation,
								  BUFFER_LOCK_SHARE);
	if (!BufferIsValid(target->buffer))
		return false;
	target->missing = !bf_target_is_set(target);
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
	target->buffer = ReadBuffer(index, bf_target_page(target));
	target->missing = true;
}

/*
 * Set the bits of targets, in the order of page numbers, as everyone does: no
 * deadlocks.  Their pins are released.  Returns false if a page was given away.
 */
static bool
set_and_release(BfTarget *targets, int count, Relation index, const BfSlab *slab,
				uint32 generation)
{
	bool		result = bf_set_bits(index, targets, count);
	int			i;

	for (i = 0; i < count; i++)
	{
		ReleaseBuffer(targets[i].buffer);
		/* given away, or damaged, which raises an error */
		if (!result && look(&targets[i], index, slab, generation))
			ReleaseBuffer(targets[i].buffer);
	}
	return result;
}

/* Where a heap page is in a slab. */
static uint32
range_of(const BfSlab *slab, BlockNumber heap_page)
{
	return (heap_page - slab->first_heap_page) / bf_range_pages(slab);
}

static uint32
set_of(const BfSlab *slab, BlockNumber heap_page)
{
	return (heap_page - slab->first_heap_page) % bf_range_pages(slab) / slab->set_pages;
}

/* The bits of the value in the first two levels. */
static void
aim(BfTarget *targets, BfBits *bits, const BfSlab *slab, BlockNumber heap_page, uint64 hash)
{
	uint32		range = range_of(slab, heap_page);
	uint64		second = bf_second_level_hash(hash);

	bits[0].place = bf_first_level_place(slab, hash);
	bits[0].hash = hash;
	bits[1].place = bf_second_level_place(slab, range, second);
	bits[1].hash = second;
	targets[0].values = &bits[0];
	targets[0].count = 1;
	targets[0].set = range;
	targets[0].k = slab->k;
	targets[1].values = &bits[1];
	targets[1].count = 1;
	targets[1].set = set_of(slab, heap_page);
	targets[1].k = slab->set_k;
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
	BfBits		bits[2];

	aim(targets, bits, slab, heap_page, hash);
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
	return set_and_release(targets, 2, index, slab, generation);
}

/*
 * Set the bits of many values in a level, page by page: most of the keys of a row
 * are frequent, and there.  The model has the slab's set and k.  *is_new tells whether
 * any were missing.  Returns false if a page was given away.
 */
static bool
insert_bits(Relation index, const BfSlab *slab, uint32 generation, const BfTarget *model,
			bool *is_new)
{
	BfTarget	targets[BF_MAX_TARGETS];
	int			missing = 0;
	int			first;
	int			last;

	for (first = 0; first < model->count; first = last)
	{
		BfTarget   *target = &targets[missing];

		CHECK_FOR_INTERRUPTS();
		*target = *model;
		target->values = model->values + first;
		for (last = first + 1; last < model->count; last++)
			if (model->values[last].place.page != bf_target_page(target))
				break;
		target->count = last - first;
		if (!look(target, index, slab, generation))
		{
			while (missing > 0)
				ReleaseBuffer(targets[--missing].buffer);
			return false;
		}
		if (!target->missing)
			ReleaseBuffer(target->buffer);
		else if (++missing == BF_MAX_TARGETS)
		{
			*is_new = true;
			if (!set_and_release(targets, missing, index, slab, generation))
				return false;
			missing = 0;
		}
	}
	*is_new |= missing > 0;
	return missing == 0 || set_and_release(targets, missing, index, slab, generation);
}

/* The same in the two levels of a slab. */
static bool
insert_keys(Relation index, const BfSlab *slab, uint32 generation, BlockNumber heap_page,
			const uint64 *hashes, int count)
{
	Size		size = (Size) count * sizeof(BfBits);
	BfBits	   *bits = MemoryContextAllocHuge(CurrentMemoryContext, size);
	uint64	   *second = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(uint64));
	uint32		range = range_of(slab, heap_page);
	BfTarget	model = {.values = bits,.count = count,.set = range,.k = slab->k};
	bool		is_new = false;
	bool		result;
	int			i;

	for (i = 0; i < count; i++)
	{
		bits[i].place = bf_first_level_place(slab, hashes[i]);
		bits[i].hash = hashes[i];
		second[i] = bf_second_level_hash(hashes[i]);
	}
	result = insert_bits(index, slab, generation, &model, &is_new);
	if (result)
	{
		model.count = bf_sort_hashes(second, count);
		model.set = set_of(slab, heap_page);
		model.k = slab->set_k;
		for (i = 0; i < model.count; i++)
		{
			bits[i].place = bf_second_level_place(slab, range, second[i]);
			bits[i].hash = second[i];
		}
		result = insert_bits(index, slab, generation, &model, &is_new);
	}
	pfree(second);
	pfree(bits);
	return result;
}

/*
 * Set the bits of values of a group in its cover, where it is that member.  *is_new
 * tells whether any were missing.  Returns false if a page was given away.
 */
static bool
insert_into_cover(Relation index, const BfSlab *cover, uint32 generation, uint32 member,
				  const uint64 *hashes, int count, bool *is_new)
{
	BfBits		one;
	BfBits	   *bits = count == 1 ? &one :
		MemoryContextAllocHuge(CurrentMemoryContext, (Size) count * sizeof(BfBits));
	BfTarget	model = {.values = bits,.count = count,.set = member,.k = cover->k};
	bool		result;
	int			i;

	for (i = 0; i < count; i++)
	{
		bits[i].place = bf_cover_place(cover, hashes[i]);
		bits[i].hash = bf_third_level_hash(hashes[i]);
	}
	result = insert_bits(index, cover, generation, &model, is_new);
	if (bits != &one)
		pfree(bits);
	return result;
}

/* Set the bits of a column's hashes in a slab. */
static bool
insert_hashes(Relation index, const BfSlab *slab, uint32 generation, BlockNumber heap_page,
			  const uint64 *hashes, int count, bool is_new)
{
	if (count == 1)
		return insert_value(index, slab, generation, heap_page, hashes[0], is_new);
	return insert_keys(index, slab, generation, heap_page, hashes, count);
}

/* Has the slab all of these values of this page, without a look at it? */
static bool
are_known(BfKnown *known, Relation index, const BfDirectory *directory, uint32 group,
		  uint32 column, BlockNumber heap_page, const uint64 *hashes, int count)
{
	const BfSlab *slab = bf_directory_slab(directory, group, column);
	BfTarget	targets[2];
	BfBits		bits[2];
	int			i;

	for (i = 0; known != NULL && i < count; i++)
	{
		aim(targets, bits, slab, heap_page, hashes[i]);
		if (!bf_known_has(known, index, directory, group, column, targets))
			return false;
	}
	return known != NULL;
}

/*
 * By the backend's copy of the directory.  Returns false if it has to be done
 * again.
 */
static bool
insert_row(InsertState *state, Relation index, Relation heap, IndexInfo *info,
		   BlockNumber heap_page, const BfRowHashes *row)
{
	uint32		group;
	const BfDirectory *directory = bf_group_for_insert(index, heap, info, heap_page, row, &group);
	uint32		generation = directory->generation;
	uint32		column;

	for (column = 0; column < directory->columns; column++)
	{
		uint32		member;
		uint32		next_member;
		const BfSlab *cover = bf_directory_cover_of(directory, group, column, &member);
		const BfSlab *next_cover = bf_directory_successor_of_cover(directory, group, column, &next_member);
		const BfSlab *successor = bf_directory_successor(directory, group, column);
		const uint64 *hashes = row->hashes[column];
		int			count = row->counts[column];
		bool		is_new = false;

		if (count == 0)
			continue;
		if (cover != NULL &&
			!insert_into_cover(index, cover, generation, member, hashes, count, &is_new))
			return false;
		if (next_cover != NULL &&
			!insert_into_cover(index, next_cover, generation, next_member, hashes, count, &is_new))
			return false;
		if (!are_known(state->known, index, directory, group, column, heap_page, hashes, count) &&
			!insert_hashes(index, bf_directory_slab(directory, group, column), generation,
						   heap_page, hashes, count, is_new))
			return false;
		if (successor != NULL &&
			!insert_hashes(index, successor, generation, heap_page, hashes, count, is_new))
			return false;
	}
	return bf_meta_is_current(index, generation);
}

void
bf_index_insert(Relation index, const Datum *values, const bool *isnull, ItemPointer tid,
				Relation heap, IndexInfo *info)
{
	InsertState *state = insert_state(index, info);
	MemoryContext old_context = MemoryContextSwitchTo(state->row_context);
	BfRowHashes row;

	/* first, because the functions may do anything */
	if (bf_row_hashes(&row, index, values, isnull))
		while (!insert_row(state, index, heap, info, ItemPointerGetBlockNumber(tid), &row))
		{
			CHECK_FOR_INTERRUPTS();
			bf_directory(index, true);
		}
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(state->row_context);
}
