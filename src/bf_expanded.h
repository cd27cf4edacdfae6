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
 * Hashes are gathered and applied 32 at a time, so that the cache misses of
 * one batch overlap: 3 times as fast from 16 MB up (measured).
 */
#define BF_PENDING	32

typedef struct BfExpanded
{
	ExpandedObjectHeader hdr;
	int			magic;			/* BF_EXPANDED_MAGIC */
	int			npending;
	BfHeader	header;			/* count is right once flushed */
	uint8_t    *blocks;			/* dense: on a cache line's boundary ... */
	void	   *chunk;			/* ... within this allocation */
	BfHashSet	set;			/* sparse and unsized */
	uint64_t	pending[BF_PENDING];	/* added, not applied yet */
} BfExpanded;

#define BF_EXPANDED_MAGIC	0x626c6f6d

/* Most hashes that an unsized filter may hold (GUC). */
extern int	bf_max_exact_hashes;

/* A new filter without values; only the header's parameters are used. */
extern BfExpanded *bf_expanded_create(const BfHeader *parameters, MemoryContext parent);

/* A copy of the filter, to be modified. */
extern BfExpanded *bf_expanded_copy(Datum filter, MemoryContext parent);

/*
 * The filter itself if the datum is a read-write expanded object, and a copy
 * in the parent context if not.
 */
extern BfExpanded *bf_expanded_writable(Datum filter, MemoryContext parent);

/* The object that an expanded datum points to. */
extern BfExpanded *bf_expanded_get(Datum filter);

/* Apply all pending hashes. */
extern void bf_expanded_flush(BfExpanded *filter);

/*
 * Add one hash of a value whose family the filter accepts.
 *
 * A full buffer is emptied by the next call, not by the one that fills it: if
 * that fails, for want of memory say, what is pending stays pending.
 */
static inline void
bf_expanded_add(BfExpanded *filter, uint64_t hash)
{
	if (filter->npending == BF_PENDING)
		bf_expanded_flush(filter);
	filter->pending[filter->npending++] = hash;
}

/*
 * Prepare for values of the element type: record it if they are the first,
 * raise an error if the filter holds others.
 */
extern void bf_expanded_accept(BfExpanded *filter, const BfElement *element);

/* Make the filter the union or intersection of itself and another one. */
extern void bf_expanded_union(BfExpanded *filter, const BfView *other);
extern void bf_expanded_intersect(BfExpanded *filter, const BfView *other);

#endif							/* BF_EXPANDED_H */
