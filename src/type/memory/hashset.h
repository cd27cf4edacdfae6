/* hashset.h: declarations of hashset.c */
#ifndef BF_HASHSET_H
#define BF_HASHSET_H

#include "core/block.h"
#include "type/memory/hashlog.h"

/*
 * A table with open addressing and linear probing.  Hashes are uniform, so the
 * home of a hash is its place in the range of all hashes.  Thus the table is
 * nearly sorted at any time, growing and reading in order go through memory
 * once, and a sorted list is inserted at the speed of memory.
 *
 * A list of hashes in a text that a user wrote need not be uniform.  If too
 * many hashes have homes in one place, homes are scattered by a random key
 * (scatter_key) instead, and reading in order sorts.
 *
 * Why not simplehash.h: it requires 16 bytes per entry, can only double its
 * size, and has no order.
 *
 * A set that was read from a list stays one, without homes: few hashes are merged
 * into it, since to add one to a stored filter and store that again needs no
 * table.  It becomes a table when more are inserted.
 */
typedef struct BfHashSet
{
	MemoryContext mcxt;			/* where slots live */
	uint64_t   *slots;			/* zero: free; of a list, ascending and in use */
	uint32_t	nhomes;			/* homes are 0 .. nhomes - 1; none: a list, or a log */
	uint32_t	nslots;			/* homes, and room for the last homes' runs */
	uint32_t	nused;			/* slots in use */
	bool		has_zero;		/* the hash 0, which no slot can hold */
	uint64_t	scatter_key;	/* zero: homes are in order */
	bool		may_log;		/* become a log instead of a large table */
	uint8_t		nmerged;		/* how often hashes were merged into the list */
	BfHashLog  *log;			/* if not NULL, contains all hashes */
} BfHashSet;

/*
 * Make an empty set.  A set that is only added to, and read when it is
 * complete, should be made for gathering: if it is too large for the cache it
 * becomes a log, which is sorted again by each read between additions.
 */
extern void bf_hashset_init(BfHashSet *set, MemoryContext mcxt);
extern void bf_hashset_init_gathering(BfHashSet *set, MemoryContext mcxt);
extern void bf_hashset_free(BfHashSet *set);

/*
 * Make an initialized, empty set a copy of another set.  Whether it was made
 * for gathering does not change.
 */
extern void bf_hashset_copy(BfHashSet *set, const BfHashSet *from);

/* Make an initialized, empty set a list of hashes, ascending and little-endian. */
extern void bf_hashset_read_list(BfHashSet *set, const uint8_t *list, uint32_t count);

/* Insert hashes, in any order and with repetitions. */
extern void bf_hashset_insert(BfHashSet *set, const uint64_t *hashes, int n);

extern bool bf_hashset_contains(const BfHashSet *set, uint64_t hash);

/* Write all hashes in ascending order, little-endian, at dst. */
extern void bf_hashset_read_sorted(const BfHashSet *set, uint8_t *dst);

/*
 * The number of hashes; and a lower bound of it, which takes no work and is
 * exact for a table.
 */
static inline uint64_t
bf_hashset_count(const BfHashSet *set)
{
	if (set->log != NULL)
		return bf_hashlog_count(set->log);
	return (uint64_t) set->nused + set->has_zero;
}

static inline uint64_t
bf_hashset_counted(const BfHashSet *set)
{
	if (set->log != NULL)
		return bf_hashlog_counted(set->log);
	return (uint64_t) set->nused + set->has_zero;
}

/*
 * Reads all hashes of a set, a batch at a time, in nearly ascending order
 * unless the set is scattered.  The set must not change meanwhile.
 */
#define BF_SCAN_BATCH	32

typedef struct BfHashSetScan
{
	const BfHashSet *set;
	uint32_t	next_slot;
	bool		zero_pending;
	BfHashLogScan log;
	const uint64_t *logged;		/* rest of the hashes last read from the log */
	int			nlogged;
} BfHashSetScan;

extern void bf_hashset_scan_begin(BfHashSetScan *scan, const BfHashSet *set);

/* The next hashes, at most BF_SCAN_BATCH; none at the end. */
extern int	bf_hashset_scan_next(BfHashSetScan *scan, uint64_t *hashes);

#endif							/* BF_HASHSET_H */
