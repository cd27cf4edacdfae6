/*-------------------------------------------------------------------------
 *
 * shared.h
 *		Filters in shared memory: that of a Parallel Hash, which its participants
 *		build together, and copies of what the leader has built alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_SHARED_H
#define BF_JOIN_SHARED_H

#include "postgres.h"

#include "joins/execution/filter.h"
#include "joins/execution/gather.h"

/* Hashes that a participant gathers before it adds them, 64 kB. */
#define BF_JOIN_MERGE_BATCH		16384

/*
 * The size of a filter for that many rows, as estimated, in blocks and bits
 * per key, with room for many more; no blocks if there is no memory for it.
 */
extern void bf_join_shared_choose_size(double rows, int participants, uint32 *nblocks, int *k);

/*
 * The bytes of shared memory that it takes, with the keys of so many columns for
 * skipping, of each of the participants.
 */
extern Size bf_join_shared_bytes(uint32 nblocks, int nkeys, int participants);

/* Make an empty one in shared memory. */
extern void bf_join_shared_init(BfJoinShared *shared, uint32 nblocks, int k, int nkeys,
								int participants);

/* Empty it, before workers are launched for another scan. */
extern void bf_join_shared_clear(BfJoinShared *shared);

/* Have a process's filter be the shared one; without blocks until it is complete. */
extern void bf_join_shared_attach(BfJoinShared *shared, BfJoinFilter *filter);

/*
 * Copy a complete filter of this process, and its keys, to an empty one that was
 * made for one participant.  False: there is no room for it, and it stays empty,
 * which is never complete.
 */
extern bool bf_join_shared_copy(BfJoinShared *shared, const BfJoinFilter *filter);

/* And no more: its memory is about to go. */
extern void bf_join_shared_detach(BfJoinFilter *filter);

/*
 * What a participant does when it asks for its first row, when it has to
 * leave keys out, when it has gathered some hashes, which are freed (false:
 * there are too many), and when its part of the input has ended.
 */
extern void bf_join_shared_start(BfJoinShared *shared);
extern void bf_join_shared_give_up(BfJoinShared *shared);
extern bool bf_join_shared_merge(BfJoinShared *shared, BfJoinGather *gather);
extern void bf_join_shared_end(BfJoinShared *shared);

/*
 * A participant's keys for skipping, before its part ends; and those of all, once
 * they are complete: adds them to the process's filter.
 */
extern void bf_join_shared_write_keys(BfJoinShared *shared, BfKeySet **keys, int nkeys);
extern void bf_join_shared_read_keys(BfJoinFilter *filter);

/* Were there too many keys, or is there no memory for them? */
extern bool bf_join_shared_is_given_up(BfJoinShared *shared);

/* What a probe asks: are all keys in it? */
extern bool bf_join_shared_is_complete(BfJoinShared *shared);

/*
 * Give a process's filter, if it has none, the blocks of the shared filter, which
 * is complete: these, or a copy that is no larger than its keys require.  None if
 * there were too many keys.
 */
extern void bf_join_shared_open(BfJoinFilter *filter);

#endif							/* BF_JOIN_SHARED_H */
