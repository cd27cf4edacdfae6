/* cache.h: declarations of cache.c */
#ifndef BF_STORED_CACHE_H
#define BF_STORED_CACHE_H

#include "lib/ilist.h"
#include "storage/proc.h"

#include "type/stored/toast.h"

/* What is kept of a filter. */
typedef enum BfCacheList
{
	BF_CACHE_SEEN,				/* only what reading parts has cost */
	BF_CACHE_LOADED,			/* the whole filter */
	BF_CACHE_OVERSIZED			/* the whole filter, larger than work_mem */
} BfCacheList;

#define BF_CACHE_NLISTS		3

/*
 * A filter that was seen.  Only cache.c changes it, except for last_use.
 */
typedef struct BfCacheEntry
{
	struct varatt_external pointer; /* the key */
	const uint8_t *payload;		/* NULL unless loaded */
	uint64		last_use;		/* bf_cache_clock at the payload's last use */
	BfCacheList list;
	dlist_node	node;			/* in its list */
	void	   *chunk;			/* what the payload was allocated as */
	Size		bytes;			/* what the entry takes */
	Size		paid;			/* what reading parts has cost, in chunks */
	uint64		since;			/* time from which that is counted: when first
								 * seen (0: now), or when last to be loaded */
	dlist_node	query_node;		/* in the list of the query it is kept for */
} BfCacheEntry;

/*
 * What a call site remembers: the cache entry of the last stored filter it
 * saw.  Zeroed at first.
 */
typedef struct BfCacheRef
{
	BfCacheEntry *entry;
	uint64		generation;		/* 0: none */
} BfCacheRef;

/*
 * The generation changes whenever an entry or a loaded filter is removed.
 * Entries are valid only while this horizon is the process's xmin; see
 * cache.c.
 */
extern uint64 bf_cache_generation;
extern TransactionId bf_cache_horizon;

/*
 * A clock that advances whenever a filter is to be loaded or is seen for the
 * first time.
 */
extern uint64 bf_cache_clock;

/* Does the entry that the call site remembers still exist? */
static inline bool
bf_cache_is_current(const BfCacheRef *ref)
{
	return ref->generation == bf_cache_generation;
}

/* Is it the entry of the filter behind the pointer? */
static inline bool
bf_cache_is_same(const BfCacheRef *ref, const struct varlena *pointer)
{
	return bf_cache_is_current(ref) && bf_cache_horizon == MyProc->xmin &&
		memcmp(&ref->entry->pointer, VARDATA_EXTERNAL(pointer),
			   sizeof(struct varatt_external)) == 0;
}

/* Find or create the entry of the filter behind a pointer to a TOAST table. */
extern void bf_cache_find(BfCacheRef *ref, const struct varlena *pointer);

/*
 * The payload of the filter that the call site refers to; NULL if reading
 * parts is cheaper now.  The payload is valid until a function that is not
 * ours, or the next function here, is called: anything else may then happen in
 * this process.
 */
extern const uint8_t *bf_cache_get(BfCacheRef *ref, const struct varlena *pointer);

/* bf_cache_get(), without a call if the filter is loaded. */
static inline const uint8_t *
bf_cache_payload(BfCacheRef *ref, const struct varlena *pointer)
{
	if (likely(bf_cache_is_current(ref) && ref->entry->payload != NULL))
	{
		ref->entry->last_use = bf_cache_clock;
		return ref->entry->payload;
	}
	return bf_cache_get(ref, pointer);
}

/* bf_toast_slice(); adds its cost to what has been paid for the filter. */
extern struct varlena *bf_cache_slice(const BfCacheRef *ref, const struct varlena *pointer,
									  Size offset, Size len);

#endif							/* BF_STORED_CACHE_H */
