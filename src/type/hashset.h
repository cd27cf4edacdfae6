/*-------------------------------------------------------------------------
 *
 * hashset.h
 *		An exact set of 64-bit hashes that can be read out in order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_HASHSET_H
#define BF_HASHSET_H

#include "postgres.h"

#include "core/block.h"
#include "type/hashlog.h"

/*
 * A table with open addressing and linear probing.  Hashes are uniform, so a hash's home
 * is simply its place in the range of all hashes: the table is nearly sorted
 * at any time, growing and reading out in order run through memory once, and
 * a sorted list is inserted at the speed of memory.
 *
 * Nothing guarantees that a list of hashes read from a user's text is
 * uniform.  If too many land in one place, homes are scattered by a random
 * key (scatter_key) instead, and reading out sorts.
 *
 * Why not simplehash.h: that needs 16 bytes per entry, can only double, and
 * has no order.
 */
typedef struct BfHashSet
{
	MemoryContext mcxt;			/* where slots live */
	uint64_t   *slots;			/* zero: free */
	uint32_t	nhomes;			/* homes are 0 .. nhomes - 1 */
	uint32_t	nslots;			/* homes, and room for the last ones' runs */
	uint32_t	nused;			/* slots in use */
	bool		has_zero;		/* the hash 0, which no slot can hold */
	uint64_t	scatter_key;	/* zero: homes are in order */
	bool		may_log;		/* a log is better than a large table */
	BfHashLog  *log;			/* NULL, or holds everything instead */
} BfHashSet;

/*
 * Make an empty set.  One that is only added to, and read when it is
 * complete, should be made for gathering: once it is too large for the cache
 * it is a log, and reading it in between sorts it each time.
 */
extern void bf_hashset_init(BfHashSet *set, MemoryContext mcxt);
extern void bf_hashset_init_gathering(BfHashSet *set, MemoryContext mcxt);
extern void bf_hashset_free(BfHashSet *set);

/*
 * Make an initialized, empty set a copy of another one; it stays made for
 * gathering, or not.
 */
extern void bf_hashset_copy(BfHashSet *set, const BfHashSet *from);

/* Make room for this many hashes in all, at once. */
extern void bf_hashset_reserve(BfHashSet *set, uint64_t count);

/* Insert hashes, in any order, with repetitions. */
extern void bf_hashset_insert(BfHashSet *set, const uint64_t *hashes, int n);

extern bool bf_hashset_contains(const BfHashSet *set, uint64_t hash);

/* Write all hashes in ascending order, little-endian, at dst. */
extern void bf_hashset_read_sorted(const BfHashSet *set, uint8_t *dst);

/*
 * The number of hashes; and a number that it is not below, which is known
 * without work and is the same for a table.
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
 * Reading all hashes of a set, a batch at a time; nearly in ascending order
 * unless it is scattered.  The set must not be changed meanwhile.
 */
#define BF_SCAN_BATCH	32

typedef struct BfHashSetScan
{
	const BfHashSet *set;
	uint32_t	next_slot;
	bool		zero_pending;
	BfHashLogScan log;
	const uint64_t *logged;		/* of the log's last hashes, those to come */
	int			nlogged;
} BfHashSetScan;

extern void bf_hashset_scan_begin(BfHashSetScan *scan, const BfHashSet *set);

/* The next hashes, at most BF_SCAN_BATCH; none at the end. */
extern int	bf_hashset_scan_next(BfHashSetScan *scan, uint64_t *hashes);

#endif							/* BF_HASHSET_H */
