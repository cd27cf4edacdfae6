/*-------------------------------------------------------------------------
 *
 * toast.h
 *		Filters stored out of line: read whole or in parts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_TOAST_H
#define BF_TOAST_H

#include "postgres.h"

#include "access/detoast.h"
#include "access/heaptoast.h"

#include "compat.h"
#include "core/format.h"

/*
 * The start of a filter that is always read together: the header with the
 * longest name.  It is within the first chunk of a TOAST table where pages have
 * 8 kB or more, as they have unless the server is built otherwise.
 */
#define BF_HEADER_SLICE		(BF_HEADER_BYTES + BF_MAX_NAME)

/*
 * What a filter is read by that is read from end to end: 256 chunks, 0.5 MB.
 * Between an eighth and the whole of that the time is the same, four times as
 * much is slower since it does not stay in the processor's cache (measured);
 * and the larger, the less often the index is searched.
 */
#define BF_TOAST_PIECE		((Size) 256 * TOAST_MAX_CHUNK_SIZE)

/*
 * Is the datum a pointer to a TOAST table behind which a filter is stored as
 * it is, so that parts of it can be read?  (Of a compressed one all up to the
 * end of the part would have to be.)
 */
extern bool bf_toast_has_parts(const struct varlena *datum);

/* The length of the filter's payload, without fetching anything. */
extern Size bf_toast_payload_length(const struct varlena *pointer);

/*
 * A part of the filter's payload, or what there is of it before the payload's
 * end, palloc'd as a varlena.
 */
extern struct varlena *bf_toast_slice(const struct varlena *pointer, Size offset, Size len);

/*
 * The whole filter, in a chunk of memory of the context's that is to be
 * freed.  Returns the payload, whose blocks start on a cache line's boundary
 * unless the filter is stored compressed or has an own-hash type's name.
 */
extern const uint8_t *bf_toast_load(const struct varlena *pointer, MemoryContext mcxt,
									void **chunk);

#endif							/* BF_TOAST_H */
