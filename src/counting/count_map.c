/*-------------------------------------------------------------------------
 *
 * count_map.c
 *		A map of 64-bit hashes to counts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/pg_prng.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "counting/count_map.h"

/* The smallest table; a map of a few values then takes 0.2 kB. */
#define MIN_LOG2_SLOTS	4

/* Largest number of used slots: linear probing becomes slow beyond it. */
#define MAX_USED(slots)	((slots) / 4 * 3)

#define SLOT_BYTES		(sizeof(uint64_t) + 1)

static inline uint32_t
slots_of(const BfCountMap *map)
{
	return UINT32_C(1) << map->log2_slots;
}

/*
 * The slot of a hash if it is free.  The key is random, so that nobody can
 * write a list of hashes, in text form, that all have the same home.
 */
static inline uint32_t
home_of(const BfCountMap *map, uint64_t hash)
{
	return (uint32_t) (((hash ^ hash >> 32) * map->key) >> (64 - map->log2_slots));
}

/*
 * The slot of the hash; if the map does not contain it, the free slot for it.
 */
static inline uint32_t
find_slot(const BfCountMap *map, uint64_t hash)
{
	uint32_t	mask = slots_of(map) - 1;
	uint32_t	slot = home_of(map, hash);

	while (map->counts[slot] != 0 && map->hashes[slot] != hash)
		slot = (slot + 1) & mask;
	return slot;
}

/* Allocate new slots for the map, all of them free. */
static void
allocate_slots(BfCountMap *map, int log2_slots)
{
	Size		slots = (Size) 1 << log2_slots;
	uint64_t   *chunk = MemoryContextAllocExtended(map->mcxt, slots * SLOT_BYTES,
												   MCXT_ALLOC_HUGE);

	map->hashes = chunk;
	map->counts = (uint8_t *) (chunk + slots);
	map->log2_slots = log2_slots;
	memset(map->counts, 0, slots);
}

static void
grow(BfCountMap *map)
{
	BfCountMap	old = *map;
	uint32_t	place = 0;
	uint64_t	hash;
	int			count;

	allocate_slots(map, old.log2_slots + 1);
	while (bf_count_map_next(&old, &place, &hash, &count))
	{
		uint32_t	slot = find_slot(map, hash);

		map->hashes[slot] = hash;
		map->counts[slot] = (uint8_t) count;
	}
	pfree(old.hashes);
}

BfCountMap *
bf_count_map_create(MemoryContext mcxt, uint32_t expected)
{
	BfCountMap *map = MemoryContextAllocZero(mcxt, sizeof(BfCountMap));
	int			log2_slots = MIN_LOG2_SLOTS;

	while (MAX_USED(UINT32_C(1) << log2_slots) < expected)
		log2_slots++;
	map->mcxt = mcxt;
	map->key = pg_prng_uint64(&pg_global_prng_state) | 1;
	allocate_slots(map, log2_slots);
	return map;
}

void
bf_count_map_free(BfCountMap *map)
{
	pfree(map->hashes);
	pfree(map);
}

Size
bf_count_map_bytes(const BfCountMap *map)
{
	return slots_of(map) * SLOT_BYTES;
}

int
bf_count_map_count(const BfCountMap *map, uint64_t hash)
{
	return map->counts[find_slot(map, hash)];
}

void
bf_count_map_add(BfCountMap *map, uint64_t hash, int times)
{
	uint32_t	slot = find_slot(map, hash);

	if (map->counts[slot] == 0)
	{
		if (map->used == MAX_USED(slots_of(map)))
		{
			grow(map);
			slot = find_slot(map, hash);
		}
		map->hashes[slot] = hash;
		map->used++;
	}
	map->counts[slot] = (uint8_t) bf_add_counts(map->counts[slot], times);
}

/*
 * Free a slot.  Later hashes of the run that are not in their home move up:
 * there must not be a free slot between a hash and its home.
 */
static void
free_slot(BfCountMap *map, uint32_t slot)
{
	uint32_t	mask = slots_of(map) - 1;
	uint32_t	next = slot;

	for (;;)
	{
		next = (next + 1) & mask;
		if (map->counts[next] == 0)
			break;
		/* is the free slot between this hash's home and its slot? */
		if (((next - home_of(map, map->hashes[next])) & mask) >= ((next - slot) & mask))
		{
			map->hashes[slot] = map->hashes[next];
			map->counts[slot] = map->counts[next];
			slot = next;
		}
	}
	map->counts[slot] = 0;
	map->used--;
}

void
bf_count_map_remove(BfCountMap *map, uint64_t hash, int times)
{
	uint32_t	slot = find_slot(map, hash);
	int			count = map->counts[slot];

	if (count == 0 || !bf_may_subtract_count(count, times))
		elog(ERROR, "hash to be removed %d times is %d times in the list", times, count);
	count = bf_subtract_counts(count, times);
	if (count == 0)
		free_slot(map, slot);
	else
		map->counts[slot] = (uint8_t) count;
}

bool
bf_count_map_next(const BfCountMap *map, uint32_t *place, uint64_t *hash, int *count)
{
	uint32_t	slot = *place;

	while (slot < slots_of(map) && map->counts[slot] == 0)
		slot++;
	*place = slot + 1;
	if (slot == slots_of(map))
		return false;
	*hash = map->hashes[slot];
	*count = map->counts[slot];
	return true;
}

/* ---------- in order ---------- */

typedef struct Entry
{
	uint64_t	hash;
	int			count;
} Entry;

static int
compare_entries(const void *a, const void *b)
{
	uint64_t	left = ((const Entry *) a)->hash;
	uint64_t	right = ((const Entry *) b)->hash;

	return (left > right) - (left < right);
}

/*
 * Average number of entries per part of the range of hashes.  Hashes are
 * uniform: entries are distributed over the parts, and only sorted within each
 * part.
 */
#define ENTRIES_PER_PART	4

/*
 * Write the entries in the order of the parts.  ends[] gets the end of each
 * part.
 */
static void
distribute(const BfCountMap *map, Entry *entries, uint32_t *ends, uint32_t parts)
{
	uint32_t	place = 0;
	uint32_t	before = 0;
	uint32_t	i;
	Entry		entry;

	memset(ends, 0, parts * sizeof(uint32_t));
	while (bf_count_map_next(map, &place, &entry.hash, &entry.count))
		ends[bf_block_index(entry.hash, parts)]++;
	/* each part's start, which the second loop advances to its end */
	for (i = 0; i < parts; i++)
	{
		uint32_t	size = ends[i];

		ends[i] = before;
		before += size;
	}
	place = 0;
	while (bf_count_map_next(map, &place, &entry.hash, &entry.count))
		entries[ends[bf_block_index(entry.hash, parts)]++] = entry;
}

void
bf_count_map_read_sorted(const BfCountMap *map, uint8_t *list)
{
	uint32_t	parts = map->used / ENTRIES_PER_PART + 1;
	Entry	   *entries = palloc_extended(Max(map->used, 1) * sizeof(Entry), MCXT_ALLOC_HUGE);
	uint32_t   *ends = palloc(parts * sizeof(uint32_t));
	uint8_t    *counts = list + sizeof(uint64_t) * map->used;
	uint32_t	start = 0;
	uint32_t	i;

	distribute(map, entries, ends, parts);
	for (i = 0; i < parts; start = ends[i++])
		qsort(entries + start, ends[i] - start, sizeof(Entry), compare_entries);
	for (i = 0; i < map->used; i++)
	{
		bf_store_u64(list + sizeof(uint64_t) * i, entries[i].hash);
		counts[i] = (uint8_t) entries[i].count;
	}
	pfree(ends);
	pfree(entries);
}
