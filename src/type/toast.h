/*-------------------------------------------------------------------------
 *
 * toast.h
 *		Filters stored out of line: read in parts, and kept when they come
 *		again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_TOAST_H
#define BF_TOAST_H

#include "postgres.h"

#include "compat.h"
#include "core/format.h"

typedef struct BfToastCache BfToastCache;

/*
 * The start of a filter that is always read together: the header with the
 * longest name.  It is within the first chunk of a TOAST table.
 */
#define BF_HEADER_SLICE		(BF_HEADER_BYTES + BF_MAX_NAME)

/* An empty cache for a call site, in its memory context. */
extern BfToastCache *bf_toast_cache_create(MemoryContext mcxt);

/*
 * The whole filter behind a pointer to a TOAST table, valid until the next
 * call.  NULL if it has not come often enough to be worth loading, unless
 * must_load.
 */
extern struct varlena *bf_toast_cache_get(BfToastCache *cache, struct varlena *pointer,
										  bool must_load);

/* The whole filter, valid until the next call, without remembering it. */
extern struct varlena *bf_toast_cache_pass(BfToastCache *cache, struct varlena *pointer);

/* The length of the filter's payload, without fetching anything. */
extern Size bf_toast_payload_length(struct varlena *pointer);

/* A part of the filter's payload, palloc'd as a varlena. */
extern struct varlena *bf_toast_slice(struct varlena *pointer, Size offset, Size len);

#endif							/* BF_TOAST_H */
