/*-------------------------------------------------------------------------
 *
 * table_insert.c
 *		Inserting into the filter of a table.
 *
 * A row sets bits in one block.  They are set before the row's transaction can
 * commit, and never cleared: so who sees the row finds its bits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

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

/* Set the bits of a hash, if they are missing: values are repeated. */
static void
add_hash(Relation index, uint64 hash)
{
	const BfTableFilter *filter = bf_table_filter(index);
	BfBits		bits = {.place = bf_table_place(filter, hash),.hash = hash};
	BfTarget	target = {.values = &bits,.count = 1,.slab = BF_TABLE_SLAB,.k = filter->k};

	target.buffer = bf_table_page_read(index, bits.place.page, filter);
	target.missing = !bf_target_is_set(&target);
	LockBuffer(target.buffer, BUFFER_LOCK_UNLOCK);
	/* nobody gives pages of the filter away */
	if (target.missing && !bf_set_bits(index, &target, 1))
		bf_page_damaged(index, bits.place.page, "The page is not one of the filter any more.");
	ReleaseBuffer(target.buffer);
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
	add_hash(index, hash);
}
