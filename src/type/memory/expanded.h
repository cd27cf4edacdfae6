/* expanded.h: declarations of expanded.c */
#ifndef BF_EXPANDED_H
#define BF_EXPANDED_H

#include "type/hashing/compatible.h"
#include "type/hashing/element.h"
#include "type/memory/object.h"

/* Called when the library is loaded; the second one once for each type. */
extern void bf_expanded_init(void);
extern void bf_expanded_set_methods(BfFilterType type, const BfTypeMethods *methods);

/*
 * A new object with the values of a filter of the type, in the current
 * context.  The caller may change the object.  The filter itself never
 * changes, not even if it is a read-write expanded object.
 */
extern BfExpanded *bf_expanded_derive(BfFilterType type, Datum filter);

/*
 * States of aggregates, in a context that all of them share: a new state
 * without values, for which only the header's parameters are used, and a copy.
 */
extern BfExpanded *bf_state_create(const BfHeader *parameters, MemoryContext states);
extern BfExpanded *bf_state_copy(BfFilterType type, Datum filter, MemoryContext states);

/* The object of the type that an expanded datum points to. */
static inline BfExpanded *
bf_expanded_get(BfFilterType type, Datum filter)
{
	varatt_expanded pointer;
	BfExpanded *expanded;

	/* DatumGetEOHP(), in line */
	memcpy(&pointer, VARDATA_EXTERNAL(DatumGetPointer(filter)), sizeof(pointer));
	expanded = (BfExpanded *) pointer.eohptr;
	if (unlikely(expanded->magic != BF_EXPANDED_MAGIC + (int) type))
		elog(ERROR, "expanded object is no %s", bf_filter_type_name(type));
	return expanded;
}

/*
 * Apply all pending hashes.  The header's count is then exact, except for an
 * unsized filter: there it may be too small until the filter is settled.
 */
extern void bf_expanded_flush(BfExpanded *filter);
extern void bf_expanded_settle(BfExpanded *filter);

/* Raise 54000 if an unsized filter holds more than bf_max_exact_hashes. */
extern void bf_expanded_check_limit(BfExpanded *filter);

/* Make room for one more pending change. */
extern void bf_expanded_make_room(BfExpanded *filter);

/* Prefetch the cache line of a hash. */
static inline void
bf_expanded_prefetch(const BfExpanded *filter, uint64_t hash)
{
	BF_PREFETCH(filter->prefetch_base +
				((size_t) bf_block_index(hash, filter->prefetch_range) << filter->prefetch_shift));
}

/*
 * Add the hash of a value whose family the filter accepts.
 *
 * A full buffer is emptied by the next call, not by the call that fills it: if
 * emptying fails, for example for want of memory, pending hashes remain
 * pending.
 */
static inline void
bf_expanded_add(BfExpanded *filter, uint64_t hash)
{
	if (unlikely(filter->npending == filter->max_pending))
		bf_expanded_make_room(filter);
	bf_expanded_prefetch(filter, hash);
	filter->pending[filter->npending++] = hash;
}

/*
 * Add a hash to a counting filter, or remove it, so many times.  To be
 * removed, its count must be at least as high, or stuck.
 */
static inline void
bf_expanded_change(BfExpanded *filter, uint64_t hash, int times)
{
	const uint8_t *block;

	if (unlikely(filter->npending == filter->max_pending))
		bf_expanded_make_room(filter);
	block = filter->prefetch_base +
		((size_t) bf_block_index(hash, filter->prefetch_range) << filter->prefetch_shift);
	bf_counter_block_prefetch(block);
	filter->changes[filter->npending / BF_CHANGE_WORDS] = (BfChange) {hash, times, 0};
	filter->npending += BF_CHANGE_WORDS;
}

/* The hash's count in the filter's list, without pending changes. */
extern int	bf_expanded_count_in_list(const BfExpanded *filter, uint64_t hash);

/* Write the list as it is stored.  No change may be pending. */
extern void bf_expanded_write_list(const BfExpanded *filter, uint8_t *list);

/*
 * Prepare the filter for values of the element type: raise an error if it
 * contains values of another type, and record the type with the first value.
 */
extern void bf_expanded_adopt(BfExpanded *filter, const BfElement *element);

static inline void
bf_expanded_accept(BfExpanded *filter, const BfElement *element)
{
	bf_require_accepts(&filter->header, element);
	if (unlikely(filter->header.family == BF_FAMILY_NONE))
		bf_expanded_adopt(filter, element);
}

/*
 * For changes of the whole filter, in this order: give the object a header,
 * with a copy of the header's name; give it a body that no other object
 * shares; give that body empty blocks, besides its list; free the list after
 * its hashes have been added to the blocks.
 */
extern void bf_expanded_set_header(BfExpanded *filter, BfHeader header);
extern void bf_expanded_unshare(BfExpanded *filter);
extern void bf_expanded_begin_blocks(BfExpanded *filter);
extern void bf_expanded_end_blocks(BfExpanded *filter);

/*
 * Record where the next hashes' cache lines are.  Call this whenever that may
 * have changed; with a stale address a prefetch is only useless.
 */
extern void bf_expanded_aim_prefetch(BfExpanded *filter);

#endif							/* BF_EXPANDED_H */
