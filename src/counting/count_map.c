/*-------------------------------------------------------------------------
 *
 * count_map.c
 *		64-bit hashes and how often each of them is there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/pg_prng.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "counting/count_map.h"

/* The smallest table; with these a map of a few values takes 0.2 kB. */
#define MIN_LOG2_SLOTS	4

/* What of the slots may be used: linear probing slows down beyond. */
#define MAX_USED(slots)	((slots) / 4 * 3)

#define SLOT_BYTES		(sizeof(uint64_t) + 1)

static inline uint32_t
slots_of(const BfCountMap *map)
{
	return UINT32_C(1) << map->log2_slots;
}

/*
 * Where a hash should be.  The key is secret, so that nobody can make a list of
 * hashes, as text, that all want the same place.
 */
static inline uint32_t
home_of(const BfCountMap *map, uint64_t hash)
{
	return (uint32_t) (((hash ^ hash >> 32) * map->key) >> (64 - map->log2_slots));
}

/* The slot that the hash is in, or the free one where it would be put. */
static inline uint32_t
find_slot(const BfCountMap *map, uint64_t hash)
{
	uint32_t	mask = slots_of(map) - 1;
	uint32_t	slot = home_of(map, hash);

	while (map->counts[slot] != 0 && map->hashes[slot] != hash)
		slot = (slot + 1) & mask;
	return slot;
}

/* Give it other slots, all of them free. */
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
 * Free a slot.  Those behind it that are not where they should be move up, so
 * that no free slot comes before one that is looked for.
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
		/* is the free slot between its home and where it is? */
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
 * Hashes are uniform: they are put into as many parts of their range as there
 * are entries divided by this, and only within those sorted.
 */
#define ENTRIES_PER_PART	4

/* Put the entries into the order of the parts; ends[] is where each ends. */
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
	/* where each begins, which moves on to its end */
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
