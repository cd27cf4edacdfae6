/*-------------------------------------------------------------------------
 *
 * shared.h
 *		Filters in shared memory: that of a Parallel Hash, which its
 *		participants build together, and copies of filters that the leader has
 *		built alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SHARED_H
#define BF_JOIN_SHARED_H

#include "joins/run/filter.h"
#include "joins/run/hash_buffer.h"

/* Number of hashes that a participant gathers before it adds them, 64 kB. */
#define BF_JOIN_MERGE_BATCH		16384

/* What a filter in shared memory has room for. */
typedef struct BfJoinSharedSize
{
	uint32		nblocks;
	int			k;				/* bits per key */
	int			nkeys;			/* columns by which a scan skips; 0: none */
	int			participants;	/* each has room for the keys of these columns */
} BfJoinSharedSize;

/*
 * The size of a filter for an estimated number of rows, with room for many
 * more; no blocks if there is not enough memory.
 */
extern BfJoinSharedSize bf_join_shared_choose_size(double rows, int nkeys, int participants);

/* The bytes of shared memory of such a filter. */
extern Size bf_join_shared_bytes(BfJoinSharedSize size);

/* Make an empty filter in shared memory. */
extern void bf_join_shared_init(BfJoinShared *shared, BfJoinSharedSize size);

/* Empty the filter, before workers are launched for another scan. */
extern void bf_join_shared_clear(BfJoinShared *shared);

/*
 * Make a process's filter refer to the shared filter; it has no blocks until
 * the shared filter is complete.
 */
extern void bf_join_shared_attach(BfJoinShared *shared, BfJoinFilter *filter);

/*
 * Copy a complete filter of this process, and its keys, to an empty filter
 * that was made for one participant.  False: it does not fit; the copy stays
 * empty and never becomes complete.
 */
extern bool bf_join_shared_copy(BfJoinShared *shared, const BfJoinFilter *filter);

/* Undo bf_join_shared_attach(): the shared memory is about to be freed. */
extern void bf_join_shared_detach(BfJoinFilter *filter);

/*
 * What a participant calls: when it asks for its first row; when it has to
 * leave keys out; when it has gathered some hashes, which are freed (false:
 * there are too many); and when its part of the input has ended.
 */
extern void bf_join_shared_start(BfJoinShared *shared);
extern void bf_join_shared_give_up(BfJoinShared *shared);
extern bool bf_join_shared_merge(BfJoinShared *shared, BfHashBuffer *buffer);
extern void bf_join_shared_end(BfJoinShared *shared);

/*
 * Write a participant's keys for skipping, before its part ends; and add the
 * keys of all participants to the process's filter, if it does not have them
 * yet.  The shared filter must be complete for that.
 */
extern void bf_join_shared_write_keys(BfJoinShared *shared, BfKeySet **keys);
extern void bf_join_shared_read_keys(BfJoinFilter *filter);

/* Were there too many keys, or not enough memory for them? */
extern bool bf_join_shared_is_given_up(BfJoinShared *shared);

/* Are all keys in the filter, or was it given up? */
extern bool bf_join_shared_is_complete(BfJoinShared *shared);

/*
 * Give a process's filter, if it has no blocks, the blocks of the shared
 * filter, which must be complete: the blocks themselves, or a copy that is
 * only as large as its keys require.  It gets none if there were too many
 * keys.
 */
extern void bf_join_shared_open(BfJoinFilter *filter);

#endif							/* BF_JOIN_SHARED_H */
