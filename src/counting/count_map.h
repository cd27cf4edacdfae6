/* count_map.h: declarations of count_map.c */
#ifndef BF_COUNT_MAP_H
#define BF_COUNT_MAP_H

#include "core/counters.h"

/*
 * A table with open addressing and linear probing.
 *
 * Why not hashset.h, the set of bloomfilters: it cannot remove a hash.  Why
 * not simplehash.h: an error while it grows, for want of memory, leaves it
 * inconsistent, and a filter in memory outlives the error.
 */
typedef struct BfCountMap
{
	MemoryContext mcxt;			/* context of the map and all below */
	uint64_t   *hashes;			/* slots; followed by counts in one chunk */
	uint8_t    *counts;			/* zero: the slot is free */
	uint64_t	key;			/* odd and random: scatters the hashes */
	int			log2_slots;
	uint32_t	used;
} BfCountMap;

/* Create an empty map with room for "expected" hashes; free a map. */
extern BfCountMap *bf_count_map_create(MemoryContext mcxt, uint32_t expected);
extern void bf_count_map_free(BfCountMap *map);

/* Bytes of memory that the map takes. */
extern Size bf_count_map_bytes(const BfCountMap *map);

/* The count of the hash; 0 if the map does not contain it. */
extern int	bf_count_map_count(const BfCountMap *map, uint64_t hash);

/*
 * Raise the hash's count by "times", up to BF_MAX_COUNT, or lower it by
 * "times".  To be lowered, the count must be at least "times", or stuck.  If
 * there is no memory, nothing changes.
 */
extern void bf_count_map_add(BfCountMap *map, uint64_t hash, int times);
extern void bf_count_map_remove(BfCountMap *map, uint64_t hash, int times);

/*
 * The next hash and its count, in no particular order; false at the end.
 * *place must be zero before the first call.
 */
extern bool bf_count_map_next(const BfCountMap *map, uint32_t *place, uint64_t *hash, int *count);

/* Write all hashes in ascending order, little-endian, and then all counts. */
extern void bf_count_map_read_sorted(const BfCountMap *map, uint8_t *list);

#endif							/* BF_COUNT_MAP_H */
