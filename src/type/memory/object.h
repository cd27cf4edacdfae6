/*-------------------------------------------------------------------------
 *
 * object.h
 *		The head and the body of a filter in memory.
 *
 * Declared here for expanded.c, which says what they are for, and lifetime.c,
 * which says how long they live.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_OBJECT_H
#define BF_OBJECT_H

#include "utils/expandeddatum.h"

#include "compat.h"
#include "core/format.h"
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

#endif							/* BF_OBJECT_H */
