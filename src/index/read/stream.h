/*-------------------------------------------------------------------------
 *
 * stream.h
 *		Reading pages of an index that are known in advance, with prefetching.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_STREAM_H
#define BF_INDEX_STREAM_H

#include "storage/bufmgr.h"
#include "utils/rel.h"

/* The next page to be read, or InvalidBlockNumber after the last. */
typedef BlockNumber (*BfNextPage) (void *state);

typedef struct BfStream BfStream;

/*
 * The stream asks for pages before they are read: the state must be the
 * stream's own.  It must read no pages itself.
 */
extern BfStream *bf_stream_begin(Relation index, BfNextPage next, void *state);

/* The buffer of the next page, pinned; InvalidBuffer after the last. */
extern Buffer bf_stream_next(BfStream *stream);

extern void bf_stream_end(BfStream *stream);

#endif							/* BF_INDEX_STREAM_H */
