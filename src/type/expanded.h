/*-------------------------------------------------------------------------
 *
 * expanded.h
 *		A filter in memory, to be added to: an expanded object.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EXPANDED_H
#define BF_EXPANDED_H

#include "postgres.h"
#include "utils/expandeddatum.h"

#include "compat.h"
#include "core/format.h"
#include "type/compatible.h"
#include "type/element.h"
#include "type/hashset.h"

/*
 * Hashes are gathered and applied 32 at a time, while the cache lines they
 * will need are already on their way: so a cache miss overlaps with the
 * executor's work on the next rows.
 */
#define BF_PENDING	32

/*
 * The bits, counters or hashes of one or several objects; see expanded.c.
 */
typedef struct BfBody
{
	MemoryContext mcxt;			/* where this and all below live */
	int			references;		/* number of objects that own it */
	uint8_t    *blocks;			/* dense: on a cache line's boundary ... */
	void	   *chunk;			/* ... within this allocation */
	BfHashSet	set;			/* sparse and unsized */
	struct BfCountMap *counts;	/* the same of a counting filter */
} BfBody;

/* A pending change of a counting filter. */
typedef struct BfChange
{
	uint64_t	hash;
	int32_t		times;			/* how often it is added; negative: removed */
	int32_t		unused;			/* so that it has two words everywhere */
} BfChange;

/* What it takes, in the words in which npending counts. */
#define BF_CHANGE_WORDS		((int) (sizeof(BfChange) / sizeof(uint64_t)))

StaticAssertDecl(BF_PENDING % BF_CHANGE_WORDS == 0, "a full buffer ends within a change");

typedef struct BfExpanded
{
	ExpandedObjectHeader hdr;
	int			magic;			/* BF_EXPANDED_MAGIC */
	const struct BfTypeMethods *type_methods;
	MemoryContext mcxt;			/* where this lives */
	BfHeader	header;			/* count is right once settled */
	BfBody	   *body;
	uint8_t    *prefetch_base;	/* the body's blocks or slots, their number, */
	uint32_t	prefetch_range; /* and the logarithm of their size */
	int			prefetch_shift;
	int			npending;		/* words of changes, not applied to the body */
	int			napplied;		/* of these, but for an error */
	int			max_pending;
	union
	{
		uint64_t   *pending;	/* hashes to be added */
		BfChange   *changes;	/* the same of a counting filter */
	};
	uint64_t	pending_space[BF_PENDING];
	/* not of states: what keeps it alive beside hdr.eoh_context, see lifetime.c */
	MemoryContext home;
	MemoryContextCallback home_gone;
	MemoryContextCallback taker_gone;
} BfExpanded;

/* Plus the type. */
#define BF_EXPANDED_MAGIC	0x626c6f6d

/*
 * What every type of filters does in its own way: the lists in bodies, and
 * applying the changes that are pending.
 */
typedef struct BfTypeMethods
{
	/* give a body an empty list; make that a copy of another one; free it */
	void		(*init_list) (const BfExpanded *filter, BfBody *body);
	void		(*copy_list) (BfBody *body, const BfBody *from);
	void		(*free_list) (BfBody *body);
	/* fill an empty list from a stored one, and the other way round */
	void		(*read_list) (BfExpanded *filter, const uint8_t *list, uint64_t count);
	void		(*write_list) (const BfBody *body, uint8_t *list);
	/* how often is the hash in the list, and what does the list take */
	int			(*count_in_list) (const BfBody *body, uint64_t hash);
	Size		(*list_bytes) (const BfBody *body);
	/*
	 * Apply what is pending from napplied on, to a body that is not shared.
	 * What must not be applied twice is counted there, in case of an error.
	 */
	void		(*apply) (BfExpanded *filter);
} BfTypeMethods;

/* To be called when the library is loaded; the latter once for each type. */
extern void bf_expanded_init(void);
extern void bf_expanded_set_methods(BfFilterType type, const BfTypeMethods *methods);

/*
 * A new object with the values of a filter of the type, in the current context:
 * to be changed, which the filter itself never is, not even if it is a
 * read-write expanded object.
 */
extern BfExpanded *bf_expanded_derive_as(BfFilterType type, Datum filter);

/*
 * Aggregates' states, in a context that all of them share: a new one without
 * values, of which only the header's parameters are used, and a copy.
 */
extern BfExpanded *bf_state_create(const BfHeader *parameters, MemoryContext states);
extern BfExpanded *bf_state_copy_as(BfFilterType type, Datum filter, MemoryContext states);

/* Both, of a bloomfilter. */
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

/* Is it one of those?  They live in their context, and share nothing. */
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
 * Apply all pending hashes.  The header's count is right then, except that of
 * an unsized filter: it may be too small until the filter is settled.
 */
extern void bf_expanded_flush(BfExpanded *filter);
extern void bf_expanded_settle(BfExpanded *filter);

/* Raise 54000 if an unsized filter holds more than bf_max_exact_hashes. */
extern void bf_expanded_check_limit(BfExpanded *filter);

/* Make room for one more pending change. */
extern void bf_expanded_make_room(BfExpanded *filter);

/* Fetch the cache line that a hash will need. */
static inline void
bf_expanded_prefetch(const BfExpanded *filter, uint64_t hash)
{
	BF_PREFETCH(filter->prefetch_base +
				((size_t) bf_block_index(hash, filter->prefetch_range) << filter->prefetch_shift));
}

/*
 * Add one hash of a value whose family the filter accepts.
 *
 * A full buffer is emptied by the next call, not by the one that fills it: if
 * that fails, for want of memory say, what is pending stays pending.
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
 * Add one hash to a counting filter, or remove it, so many times.  To be removed
 * it must be in there so often, or be stuck.
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

/* How often is the hash in the list of the filter, what is pending aside? */
extern int	bf_expanded_count_in_list(const BfExpanded *filter, uint64_t hash);

/* Write the list as it is stored, when nothing is pending. */
extern void bf_expanded_write_list(const BfExpanded *filter, uint8_t *list);

/*
 * Prepare for values of the element type: raise an error if the filter holds
 * others, record the type if they are the first.
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
 * For changes of the whole filter: give the object a header, and a copy of
 * the name that this points to; give it a body that no other one shares, and
 * that one blocks without anything set, beside its list; drop the list, now
 * that its hashes are in the blocks.
 */
extern void bf_expanded_set_header(BfExpanded *filter, BfHeader header);
extern void bf_expanded_unshare(BfExpanded *filter);
extern void bf_expanded_begin_blocks(BfExpanded *filter);
extern void bf_expanded_end_blocks(BfExpanded *filter);

/*
 * Note where the next hashes' cache lines are.  To be called whenever that
 * may have changed; a stale address is no worse than a wasted prefetch.
 */
extern void bf_expanded_aim_prefetch(BfExpanded *filter);

#endif							/* BF_EXPANDED_H */
