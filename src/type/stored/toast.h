/* toast.h: declarations of toast.c */
#ifndef BF_TOAST_H
#define BF_TOAST_H

#include "access/detoast.h"
#include "access/heaptoast.h"

#include "compat.h"
#include "core/format.h"

/*
 * The start of a filter, which is always read together: the header with the
 * longest name.  It is within the first chunk of a TOAST table if pages have 8
 * kB or more, which is the server's default.
 */
#define BF_HEADER_SLICE		(BF_HEADER_BYTES + BF_MAX_NAME)

/*
 * A filter that is read from end to end is read in pieces of 256 chunks, 0.5
 * MB.  Pieces between an eighth and the whole of that take the same time;
 * pieces four times as large are slower, since they do not stay in the
 * processor's cache (measured).  The larger the pieces, the less often the
 * index is searched.
 */
#define BF_TOAST_PIECE		((Size) 256 * TOAST_MAX_CHUNK_SIZE)

/*
 * Is the datum a pointer to a TOAST table in which the filter is stored
 * uncompressed?  Then parts of it can be read.  (Of a compressed filter,
 * everything before the end of the part would have to be read.)
 */
extern bool bf_toast_has_parts(const struct varlena *datum);

/* The length of the filter's payload, known without reading anything. */
extern Size bf_toast_payload_length(const struct varlena *pointer);

/*
 * A part of the filter's payload, cut at the payload's end, palloc'd as a
 * varlena.
 */
extern struct varlena *bf_toast_slice(const struct varlena *pointer, Size offset, Size len);

/*
 * Read the whole filter into a chunk of memory in the context, which the
 * caller must free.  Returns the payload.  Its blocks start on a cache line's
 * boundary unless the filter is stored compressed or has an own-hash type's
 * name.
 */
extern const uint8_t *bf_toast_load(const struct varlena *pointer, MemoryContext mcxt,
									void **chunk);

#endif							/* BF_TOAST_H */
