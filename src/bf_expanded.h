/*-------------------------------------------------------------------------
 *
 * bf_expanded.h
 *		A filter in memory, to be added to: an expanded object.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EXPANDED_H
#define BF_EXPANDED_H

#include "postgres.h"
#include "utils/expandeddatum.h"

#include "bf_compat.h"
#include "bf_format.h"
#include "bf_hash.h"
#include "bf_hashset.h"
#include "bf_view.h"

/*
 * Hashes are gathered and applied 32 at a time, while the cache lines they
 * will need are already on their way: so a cache miss overlaps with the
 * executor's work on the next rows.
 */
#define BF_PENDING	32

/*
 * The bits or hashes of one or several objects; see bf_expanded.c.
 */
typedef struct BfBody
{
	MemoryContext mcxt;			/* where this and all below live */
	int			references;		/* number of objects that own it */
	uint8_t    *blocks;			/* dense: on a cache line's boundary ... */
	void	   *chunk;			/* ... within this allocation */
	BfHashSet	set;			/* sparse and unsized */
} BfBody;

typedef struct BfExpanded
{
	ExpandedObjectHeader hdr;
	int			magic;			/* BF_EXPANDED_MAGIC */
	BfHeader	header;			/* count is right once flushed */
	BfBody	   *body;
	uint8_t    *prefetch_base;	/* the body's blocks or slots, their number, */
	uint32_t	prefetch_range; /* and the logarithm of their size */
	int			prefetch_shift;
	int			npending;		/* hashes added, but not applied to the body */
	int			max_pending;
	uint64_t   *pending;
	uint64_t	pending_space[BF_PENDING];
	bool		body_is_top_level;	/* the body is no child of our context */
	bool		release_registered;
	MemoryContextCallback release;	/* lets go of a top-level body */
} BfExpanded;

#define BF_EXPANDED_MAGIC	0x626c6f6d

/* Most hashes that an unsized filter may hold (GUC). */
extern int	bf_max_exact_hashes;

/*
 * A filter to add values to: the object itself if the datum is a read-write
 * expanded object, otherwise a new one in a child of the parent context,
 * which shares the body of a read-only one.
 */
extern BfExpanded *bf_expanded_writable(Datum filter, MemoryContext parent);

/*
 * The filter itself, as a function's result.  A read-only object becomes a
 * read-write one, which PL/pgSQL can take over as it is.
 */
extern Datum bf_expanded_unchanged(Datum filter, MemoryContext parent);

/*
 * The same for an aggregate's state, in a context that all states share: a
 * new one without values, of which only the header's parameters are used; a
 * copy; one to be changed.
 */
extern BfExpanded *bf_state_create(const BfHeader *parameters, MemoryContext states);
extern BfExpanded *bf_state_copy(Datum filter, MemoryContext states);
extern BfExpanded *bf_state_writable(Datum filter, MemoryContext states);

/* The object that an expanded datum points to. */
static inline BfExpanded *
bf_expanded_get(Datum filter)
{
	varatt_expanded pointer;
	BfExpanded *expanded;

	/* DatumGetEOHP(), in line */
	memcpy(&pointer, VARDATA_EXTERNAL(DatumGetPointer(filter)), sizeof(pointer));
	expanded = (BfExpanded *) pointer.eohptr;
	if (unlikely(expanded->magic != BF_EXPANDED_MAGIC))
		elog(ERROR, "expanded object is no bloomfilter");
	return expanded;
}

/* Apply all pending hashes. */
extern void bf_expanded_flush(BfExpanded *filter);

/* Raise 54000 if an unsized filter holds more than bf_max_exact_hashes. */
extern void bf_expanded_check_limit(const BfExpanded *filter);

/* Make room for one more pending hash. */
extern void bf_expanded_make_room(BfExpanded *filter);

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
	BF_PREFETCH(filter->prefetch_base +
				((size_t) bf_block_index(hash, filter->prefetch_range) << filter->prefetch_shift));
	filter->pending[filter->npending++] = hash;
}

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

/* Make the filter the union or intersection of itself and another one. */
extern void bf_expanded_union(BfExpanded *filter, const BfView *other);
extern void bf_expanded_intersect(BfExpanded *filter, const BfView *other);

#endif							/* BF_EXPANDED_H */
