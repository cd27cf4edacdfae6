/*-------------------------------------------------------------------------
 *
 * table_insert.c
 *		Inserting into the filter of a table.
 *
 * A row sets bits in one block.  They are set before the row's transaction can
 * commit, and never cleared: so who sees the row finds its bits.
 *
 * While VACUUM makes the filter anew they are set in both filters, by the backend's
 * copy of the metapage.  If there is a newer state when that is done, it is done
 * again: rebuild.c says why.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "index/file/table_hash.h"
#include "index/write/bits.h"
#include "index/write/table_insert.h"

/* What the rows of a statement share, in ii_AmCache. */
typedef struct InsertState
{
	BfTableHasher hasher;
	MemoryContext row_context;	/* reset for each row */
} InsertState;

static InsertState *
insert_state(IndexInfo *info)
{
	InsertState *state = info->ii_AmCache;

	if (state == NULL)
	{
		state = MemoryContextAllocZero(info->ii_Context, sizeof(InsertState));
		state->hasher.mcxt = info->ii_Context;
		state->row_context = AllocSetContextCreate(info->ii_Context, "row of a filter index",
												   ALLOCSET_SMALL_SIZES);
		info->ii_AmCache = state;
	}
	return state;
}

/*
 * Set the bits of a hash in a slab, if they are missing: values are repeated.  Returns
 * false if the page has been given away.
 */
static bool
add_to_slab(Relation index, const BfTableFilter *filter, const BfSlab *slab, uint64 hash)
{
	BfBits		bits = {.place = bf_first_level_place(slab, hash),.hash = hash};
	BfTarget	target = {.values = &bits,.count = 1,.slab = slab->number,.k = slab->k};
	bool		result;

	target.buffer = bf_table_page_read(index, bits.place.page, filter, slab);
	if (!BufferIsValid(target.buffer))
		return false;
	target.missing = !bf_target_is_set(&target);
	LockBuffer(target.buffer, BUFFER_LOCK_UNLOCK);
	result = !target.missing || bf_set_bits(index, &target, 1);
	ReleaseBuffer(target.buffer);
	return result;
}

/*
 * Set the bits of a hash by the backend's copy of the metapage.  Returns false if it
 * has to be done again by a newer one.
 */
static bool
add_hash(Relation index, uint64 hash)
{
	const BfTableFilter *filter = bf_table_filter(index, false);

	return add_to_slab(index, filter, &filter->meta.slab, hash) &&
		(!bf_slab_exists(&filter->meta.successor) ||
		 add_to_slab(index, filter, &filter->meta.successor, hash)) &&
		bf_meta_is_current(index, filter->meta.generation);
}

void
bf_table_insert(Relation index, const Datum *values, const bool *isnull, IndexInfo *info)
{
	InsertState *state;
	MemoryContext old_context;
	uint64		hash;

	if (isnull[0])
		return;
	state = insert_state(info);
	old_context = MemoryContextSwitchTo(state->row_context);
	hash = bf_table_hash(&state->hasher, index, values[0]);
	MemoryContextSwitchTo(old_context);
	MemoryContextReset(state->row_context);
	while (!add_hash(index, hash))
	{
		CHECK_FOR_INTERRUPTS();
		bf_table_filter(index, true);
	}
}
