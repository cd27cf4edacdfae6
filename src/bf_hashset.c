/*-------------------------------------------------------------------------
 *
 * bf_hashset.c
 *		An exact set of 64-bit hashes that can be read out in order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/pg_prng.h"
#include "miscadmin.h"

#include "bf_hashset.h"

/* A set starts so small that a filter of a few values fits in 1 kB. */
#define MIN_HOMES		16

/*
 * Fill at most 4 of 5 slots and grow by half: 10 to 15 bytes per hash, and
 * about 13 slots, two cache lines, per insertion just before growing
 * (Knuth, TAOCP vol. 3, 6.4, theorem K).
 */
#define MAX_FILL(homes)	((homes) / 5 * 4)
#define GROW(homes)		((homes) + (homes) / 2)

/*
 * Slots behind the last home, so that a run need not wrap around to the
 * start, which would break the order.  The longest run expected in a table of
 * 2^27 slots at four fifths is about 18.7 / 0.023 = 810 slots long (the
 * logarithm of the size over fill - 1 - ln fill).
 */
#define MAX_RUN			1024
#define OVERFLOW_SLOTS(homes)	Min((homes) / 4 + 8, MAX_RUN)

/*
 * Where runs are too long even in a table this empty, it is no accident:
 * scatter.
 */
#define SUSPICIOUS_FILL(homes)	((homes) / 4)

/* How many hashes are looked up in memory at the same time. */
#define PREFETCH_BATCH	32

static inline uint32_t
home_slot(const BfHashSet *set, uint64_t hash)
{
	if (unlikely(set->scatter_key != 0))
	{
		/* multiply, fold, multiply: depends on all bits of key and hash */
		hash = (hash ^ set->scatter_key) * BF_ROUND1_MULTIPLIER;
		hash = (hash ^ (hash >> 32)) * BF_ROUND2_MULTIPLIER;
	}
	return bf_block_index(hash, set->nhomes);
}

static void
allocate_slots(BfHashSet *set, uint32_t nhomes)
{
	set->nhomes = nhomes;
	set->nslots = nhomes + OVERFLOW_SLOTS(nhomes);
	set->nused = 0;
	set->slots = MemoryContextAllocExtended(set->mcxt,
											(Size) set->nslots * sizeof(uint64_t),
											MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

void
bf_hashset_init(BfHashSet *set, MemoryContext mcxt)
{
	set->mcxt = mcxt;
	set->has_zero = false;
	set->scatter_key = 0;
	allocate_slots(set, MIN_HOMES);
}

void
bf_hashset_free(BfHashSet *set)
{
	pfree(set->slots);
	memset(set, 0, sizeof(*set));
}

/*
 * Put a hash that is not zero into its place.  Returns false if its run is
 * too long.
 */
static inline bool
insert_slot(BfHashSet *set, uint64_t hash)
{
	uint32_t	slot = home_slot(set, hash);
	uint32_t	end = Min(slot + MAX_RUN, set->nslots);

	for (; slot < end; slot++)
	{
		if (set->slots[slot] == hash)
			return true;
		if (set->slots[slot] == 0)
		{
			set->slots[slot] = hash;
			set->nused++;
			return true;
		}
	}
	return false;
}

/* Fill an empty table from another one. */
static bool
insert_slots(BfHashSet *set, const BfHashSet *from)
{
	uint32_t	i;

	for (i = 0; i < from->nslots; i++)
		if (from->slots[i] != 0 && !insert_slot(set, from->slots[i]))
			return false;
	return true;
}

/*
 * Move everything into a table of at least the given size in which no run is
 * too long.  Until that is complete the old table stays as it is, so that an
 * error on the way does no harm.
 */
static void
rebuild(BfHashSet *set, uint32_t nhomes)
{
	BfHashSet	fresh = *set;

	allocate_slots(&fresh, nhomes);
	while (!insert_slots(&fresh, set))
	{
		pfree(fresh.slots);
		CHECK_FOR_INTERRUPTS();
		if (set->nused <= SUSPICIOUS_FILL(nhomes))
			fresh.scatter_key = pg_prng_uint64(&pg_global_prng_state) | 1;
		else
			nhomes = GROW(nhomes);
		allocate_slots(&fresh, nhomes);
	}
	pfree(set->slots);
	*set = fresh;
}

void
bf_hashset_reserve(BfHashSet *set, uint64_t count)
{
	uint32_t	nhomes = set->nhomes;

	while (MAX_FILL(nhomes) < count)
		nhomes = GROW(nhomes);
	if (nhomes != set->nhomes)
		rebuild(set, nhomes);
}

void
bf_hashset_insert(BfHashSet *set, const uint64_t *hashes, int n)
{
	int			i;

	while (n > 0)
	{
		int			batch = Min(n, PREFETCH_BATCH);

		bf_hashset_reserve(set, (uint64_t) set->nused + batch);
		for (i = 0; i < batch; i++)
			BF_PREFETCH(&set->slots[home_slot(set, hashes[i])]);
		for (i = 0; i < batch; i++)
		{
			if (unlikely(hashes[i] == 0))
				set->has_zero = true;
			else
				while (!insert_slot(set, hashes[i]))
					rebuild(set, GROW(set->nhomes));
		}
		hashes += batch;
		n -= batch;
	}
}

bool
bf_hashset_contains(const BfHashSet *set, uint64_t hash)
{
	uint32_t	slot;
	uint32_t	end;

	if (hash == 0)
		return set->has_zero;
	slot = home_slot(set, hash);
	end = Min(slot + MAX_RUN, set->nslots);
	for (; slot < end && set->slots[slot] != 0; slot++)
		if (set->slots[slot] == hash)
			return true;
	return false;
}

static int
compare_hashes(const void *a, const void *b)
{
	uint64_t	left = *(const uint64_t *) a;
	uint64_t	right = *(const uint64_t *) b;

	return (left > right) - (left < right);
}

/*
 * Sort a table that was scattered: rare, so an ordinary sort of a copy.
 */
static void
read_scattered(const BfHashSet *set, uint8_t *dst)
{
	uint64_t	count = bf_hashset_count(set);
	uint64_t   *copy = MemoryContextAllocHuge(CurrentMemoryContext,
											  count * sizeof(uint64_t));
	uint64_t	n = 0;
	uint64_t	i;

	BF_HASHSET_FOREACH(set, hash, copy[n++] = hash);
	qsort(copy, n, sizeof(uint64_t), compare_hashes);
	for (i = 0; i < n; i++)
		bf_store_u64(dst + 8 * i, copy[i]);
	pfree(copy);
}

void
bf_hashset_read_sorted(const BfHashSet *set, uint8_t *dst)
{
	uint8_t    *end = dst;

	if (set->scatter_key != 0)
	{
		read_scattered(set, dst);
		return;
	}

	/*
	 * Out of order are only neighbours within a run: an insertion sort on the
	 * way moves each hash by a few places.
	 */
	BF_HASHSET_FOREACH(set, hash,
					   {
						   uint8_t    *place = end;

						   for (; place > dst && bf_load_u64(place - 8) > hash; place -= 8)
							   memcpy(place, place - 8, 8);
						   bf_store_u64(place, hash);
						   end += 8;
					   });
}
