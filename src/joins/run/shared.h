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

#include "postgres.h"

#include "joins/run/filter.h"
#include "joins/run/gather.h"

/* Number of hashes that a participant gathers before it adds them, 64 kB. */
#define BF_JOIN_MERGE_BATCH		16384

/*
 * The size of a filter for an estimated number of rows, in blocks and bits per
 * key, with room for many more; no blocks if there is not enough memory.
 */
extern void bf_join_shared_choose_size(double rows, int participants, uint32 *nblocks, int *k);

/*
 * The bytes of shared memory of a filter, including, for each participant, the
 * keys of this many columns for skipping.
 */
extern Size bf_join_shared_bytes(uint32 nblocks, int nkeys, int participants);

/* Make an empty filter in shared memory. */
extern void bf_join_shared_init(BfJoinShared *shared, uint32 nblocks, int k, int nkeys,
								int participants);

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
extern bool bf_join_shared_merge(BfJoinShared *shared, BfJoinGather *gather);
extern void bf_join_shared_end(BfJoinShared *shared);

/*
 * Write a participant's keys for skipping, before its part ends; and, once all
 * keys are complete, add the keys of all participants to the process's filter.
 */
extern void bf_join_shared_write_keys(BfJoinShared *shared, BfKeySet **keys, int nkeys);
extern void bf_join_shared_read_keys(BfJoinFilter *filter);

/* Were there too many keys, or not enough memory for them? */
extern bool bf_join_shared_is_given_up(BfJoinShared *shared);

/* Are all keys in the filter?  Called by probes. */
extern bool bf_join_shared_is_complete(BfJoinShared *shared);

/*
 * Give a process's filter, if it has no blocks, the blocks of the shared
 * filter, which must be complete: the blocks themselves, or a copy that is
 * only as large as its keys require.  It gets none if there were too many
 * keys.
 */
extern void bf_join_shared_open(BfJoinFilter *filter);

#endif							/* BF_JOIN_SHARED_H */
