/*-------------------------------------------------------------------------
 *
 * expanded.h
 *		A filter in memory, to which values can be added: an expanded object.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EXPANDED_H
#define BF_EXPANDED_H

#include "postgres.h"
#include "utils/expandeddatum.h"

#include "compat.h"
#include "core/format.h"
#include "type/hashing/compatible.h"
#include "type/hashing/element.h"
#include "type/memory/hashset.h"

/*
 * Hashes are collected and applied 32 at a time.  The cache line of each is
 * prefetched when it is added, so that cache misses overlap with the
 * executor's work on the next rows.
 */
#define BF_PENDING	32

/* The bits, counters or hashes of one or more objects; see expanded.c. */
typedef struct BfBody
{
	MemoryContext mcxt;			/* context of the body and all below */
	int			references;		/* number of objects that own the body */
	uint8_t    *blocks;			/* dense: on a cache line's boundary ... */
	void	   *chunk;			/* ... within this allocation */
	BfHashSet	set;			/* sparse and unsized */
	struct BfCountMap *counts;	/* a counting filter's list */
} BfBody;

/* A pending change of a counting filter. */
typedef struct BfChange
{
	uint64_t	hash;
	int32_t		times;			/* how often it is added; negative: removed */
	int32_t		unused;			/* makes it two words on every machine */
} BfChange;

/* The size of a change in words, the unit of npending. */
#define BF_CHANGE_WORDS		((int) (sizeof(BfChange) / sizeof(uint64_t)))

StaticAssertDecl(BF_PENDING % BF_CHANGE_WORDS == 0, "a full buffer ends within a change");

typedef struct BfExpanded
{
	ExpandedObjectHeader hdr;
	int			magic;			/* BF_EXPANDED_MAGIC */
	const struct BfTypeMethods *type_methods;
	MemoryContext mcxt;			/* context of this struct */
	BfHeader	header;			/* count is exact once settled */
	BfBody	   *body;
	uint8_t    *prefetch_base;	/* the body's blocks or slots */
	uint32_t	prefetch_range; /* their number */
	int			prefetch_shift; /* the logarithm of their size */
	int			npending;		/* words of pending changes */
	int			napplied;		/* words of these applied before an error */
	int			max_pending;
	union
	{
		uint64_t   *pending;	/* hashes to be added */
		BfChange   *changes;	/* a counting filter's changes */
	};
	uint64_t	pending_space[BF_PENDING];
	/* not for states: keeps the object alive, see lifetime.c */
	MemoryContext home;
	MemoryContextCallback home_gone;
	MemoryContextCallback taker_gone;
} BfExpanded;

/* The magic is this plus the type. */
#define BF_EXPANDED_MAGIC	0x626c6f6d

/*
 * What differs between the types of filters: the lists in bodies, and how
 * pending changes are applied.
 */
typedef struct BfTypeMethods
{
	/* give a body an empty list; fill it from another body's; free it */
	void		(*init_list) (const BfExpanded *filter, BfBody *body);
	void		(*copy_list) (BfBody *body, const BfBody *from);
	void		(*free_list) (BfBody *body);
	/* fill an empty list from a stored one; write a list as it is stored */
	void		(*read_list) (BfExpanded *filter, const uint8_t *list, uint64_t count);
	void		(*write_list) (const BfBody *body, uint8_t *list);
	/* the count of a hash in the list; the bytes that the list takes */
	int			(*count_in_list) (const BfBody *body, uint64_t hash);
	Size		(*list_bytes) (const BfBody *body);
	/*
	 * Apply the pending changes from napplied on to a body that is not shared.
	 * A change that must not be applied twice is counted in napplied as soon
	 * as it is applied, in case of an error later.
	 */
	void		(*apply) (BfExpanded *filter);
} BfTypeMethods;

/* Called when the library is loaded; the second one once for each type. */
extern void bf_expanded_init(void);
extern void bf_expanded_set_methods(BfFilterType type, const BfTypeMethods *methods);

/*
 * A new object with the values of a filter of the type, in the current
 * context.  The caller may change the object.  The filter itself never
 * changes, not even if it is a read-write expanded object.
 */
extern BfExpanded *bf_expanded_derive_as(BfFilterType type, Datum filter);

/*
 * States of aggregates, in a context that all of them share: a new state
 * without values, for which only the header's parameters are used, and a copy.
 */
extern BfExpanded *bf_state_create(const BfHeader *parameters, MemoryContext states);
extern BfExpanded *bf_state_copy_as(BfFilterType type, Datum filter, MemoryContext states);

/* The same for a bloomfilter. */
static inline BfExpanded *
bf_expanded_derive(Datum filter)
{
	return bf_expanded_derive_as(BF_PLAIN, filter);
}

static inline BfExpanded *
bf_state_copy(Datum filter, MemoryContext states)
{
	return bf_state_copy_as(BF_PLAIN, filter, states);
}

/*
 * Is the object an aggregate's state?  A state lives in the context for states
 * and shares nothing.
 */
static inline bool
bf_is_state(const BfExpanded *filter)
{
	return filter->mcxt == filter->hdr.eoh_context;
}

/* Do several objects own the body?  Then it must not change. */
static inline bool
bf_is_shared(const BfExpanded *filter)
{
	Assert(filter->body->references > 0);
	Assert(filter->body->references == 1 || !bf_is_state(filter));
	return filter->body->references > 1;
}

/* The object of the type that an expanded datum points to. */
static inline BfExpanded *
bf_expanded_get_as(BfFilterType type, Datum filter)
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

static inline BfExpanded *
bf_expanded_get(Datum filter)
{
	return bf_expanded_get_as(BF_PLAIN, filter);
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
