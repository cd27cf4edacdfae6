/*-------------------------------------------------------------------------
 *
 * count_map.h
 *		64-bit hashes and how often each of them is there.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_COUNT_MAP_H
#define BF_COUNT_MAP_H

#include "postgres.h"

#include "core/counters.h"

/*
 * A table with open addressing and linear probing.
 *
 * Why not the set of bloomfilters, hashset.h: nothing ever goes out of that.
 * Why not simplehash.h: while it grows an error, for want of memory, leaves it
 * inconsistent, and a filter in memory outlives the error.
 */
typedef struct BfCountMap
{
	MemoryContext mcxt;			/* where this and all below live */
	uint64_t   *hashes;			/* slots; counts is behind them in one chunk */
	uint8_t    *counts;			/* zero: the slot is free */
	uint64_t	key;			/* odd and random: scatters the hashes */
	int			log2_slots;
	uint32_t	used;
} BfCountMap;

/* An empty one, with room for so many; free it. */
extern BfCountMap *bf_count_map_create(MemoryContext mcxt, uint32_t expected);
extern void bf_count_map_free(BfCountMap *map);

/* What it takes, in bytes. */
extern Size bf_count_map_bytes(const BfCountMap *map);

/* How often is the hash there? */
extern int	bf_count_map_count(const BfCountMap *map, uint64_t hash);

/*
 * Add the hash so many times, up to BF_MAX_COUNT, or remove it, for which it
 * must be there so often or be stuck.  If there is no memory for it, nothing
 * changes.
 */
extern void bf_count_map_add(BfCountMap *map, uint64_t hash, int times);
extern void bf_count_map_remove(BfCountMap *map, uint64_t hash, int times);

/*
 * The next hash and its count, in no order; false at the end.  The place is
 * zero at first.
 */
extern bool bf_count_map_next(const BfCountMap *map, uint32_t *place, uint64_t *hash, int *count);

/*
 * Write all hashes in ascending order, little-endian, and behind them their
 * counts.
 */
extern void bf_count_map_read_sorted(const BfCountMap *map, uint8_t *list);

#endif							/* BF_COUNT_MAP_H */
