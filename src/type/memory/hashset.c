/*-------------------------------------------------------------------------
 *
 * hashset.c
 *		An exact set of 64-bit hashes that can be read out in order.
 *
 * The set is a table up to the size of a cache, and beyond if it is read while
 * it grows; otherwise a log, see hashlog.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/pg_prng.h"
#include "miscadmin.h"

#include "core/sorted.h"
#include "type/memory/arrays.h"
#include "type/memory/hashset.h"

#define ST_SORT sort_hashes
#define ST_ELEMENT_TYPE uint64_t
#define ST_COMPARE(a, b) ((*(a) > *(b)) - (*(a) < *(b)))
#define ST_CHECK_FOR_INTERRUPTS
#define ST_SCOPE static
#define ST_DEFINE
#include "lib/sort_template.h"

/* The smallest table, so that a filter of a few values fits in 1 kB. */
#define MIN_HOMES		16

/*
 * Fill at most 4 of 5 slots and grow by half: 10 to 15 bytes per hash, 25 with
 * the old table while growing.  Just before growing, an insertion visits about
 * 13 slots, two cache lines (Knuth, TAOCP vol. 3, 6.4, theorem K).
 */
#define MAX_FILL(homes)	((homes) / 5 * 4)
#define GROW(homes)		((homes) + (homes) / 2)

/*
 * Slots after the last home: a run there must not continue at the start, which
 * would break the order.  The longest run expected in a table of 2^27 slots,
 * four fifths full, is about 18.7 / 0.023 = 810 slots (the logarithm of the
 * size over fill - 1 - ln fill).  Fuzzers use less.
 */
#ifndef BF_SET_MAX_RUN
#define BF_SET_MAX_RUN	1024
#endif
#define OVERFLOW_SLOTS(homes)	Min((homes) / 4 + 8, BF_SET_MAX_RUN)

/*
 * A run that is too long in a table with no more hashes than this is no
 * accident: homes are then scattered.
 */
#define SUSPICIOUS_FILL(homes)	((homes) / 4)

/* Number of hashes whose homes are prefetched together. */
#define PREFETCH_BATCH	32

/*
 * Tables of up to 512 kB are assumed to be in the second-level cache.  For
 * larger sets a log is faster (bench/hashset.c).  Fuzzers use less.
 */
#ifndef BF_SET_CACHED_HOMES
#define BF_SET_CACHED_HOMES	65536
#endif

/*
 * A list that hashes were so often merged into becomes a table, which takes as
 * long as ten to twenty merges.
 */
#define MOST_MERGES		4

static inline uint32_t
home_slot(const BfHashSet *set, uint64_t hash)
{
	if (unlikely(set->scatter_key != 0))
	{
		/*
		 * multiply, fold, multiply: the result depends on all bits of key and
		 * hash
		 */
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
	set->slots = bf_allocate_array(set->mcxt, (Size) set->nslots * sizeof(uint64_t));
}

/* Slots that the caller fills. */
static uint64_t *
allocate_unset_slots(const BfHashSet *set, uint32_t nslots)
{
	return bf_allocate_unset_array(set->mcxt, Max((Size) nslots * sizeof(uint64_t), 1));
}

void
bf_hashset_init(BfHashSet *set, MemoryContext mcxt)
{
	memset(set, 0, sizeof(*set));
	set->mcxt = mcxt;
	allocate_slots(set, MIN_HOMES);
}

void
bf_hashset_init_gathering(BfHashSet *set, MemoryContext mcxt)
{
	bf_hashset_init(set, mcxt);
	set->may_log = true;
}

void
bf_hashset_free(BfHashSet *set)
{
	if (set->log != NULL)
		bf_hashlog_free(set->log);
	if (set->slots != NULL)
		pfree(set->slots);
	memset(set, 0, sizeof(*set));
}

/* Insert a hash that is not zero.  Returns false if its run is too long. */
static inline bool
insert_slot(BfHashSet *set, uint64_t hash)
{
	uint32_t	slot = home_slot(set, hash);
	uint32_t	end = Min(slot + BF_SET_MAX_RUN, set->nslots);

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

void
bf_hashset_scan_begin(BfHashSetScan *scan, const BfHashSet *set)
{
	memset(scan, 0, sizeof(*scan));
	scan->set = set;
	scan->zero_pending = set->has_zero;
	if (set->log != NULL)
		bf_hashlog_scan_begin(&scan->log, set->log);
}

/* The next hashes of a log, at most BF_SCAN_BATCH. */
static int
scan_next_logged(BfHashSetScan *scan, uint64_t *hashes)
{
	int			n;

	if (scan->nlogged == 0)
		scan->logged = bf_hashlog_scan_next(&scan->log, &scan->nlogged);
	if (scan->nlogged == 0)
		return 0;
	n = Min(scan->nlogged, BF_SCAN_BATCH);
	memcpy(hashes, scan->logged, n * sizeof(uint64_t));
	scan->logged += n;
	scan->nlogged -= n;
	return n;
}

int
bf_hashset_scan_next(BfHashSetScan *scan, uint64_t *hashes)
{
	const BfHashSet *set = scan->set;
	int			n = 0;

	if (set->log != NULL)
		return scan_next_logged(scan, hashes);
	if (scan->zero_pending)
	{
		hashes[n++] = 0;
		scan->zero_pending = false;
		return n;
	}
	while (n == 0 && scan->next_slot < set->nslots)
	{
		uint32_t	end = Min(scan->next_slot + BF_SCAN_BATCH, set->nslots);

		/* no branch: it would be mispredicted at every free slot */
		for (; scan->next_slot < end; scan->next_slot++)
		{
			hashes[n] = set->slots[scan->next_slot];
			n += hashes[n] != 0;
		}
	}
	return n;
}

/* A random key that is not zero. */
static uint64_t
new_scatter_key(void)
{
	return pg_prng_uint64(&pg_global_prng_state) | 1;
}

/*
 * Fill an empty table from another table.
 *
 * An ordered table is read nearly in order.  So most hashes can be put after
 * the last one without a search: at their home if that is further on, or at
 * the end of the last run if they belong to it.  Returns false if a run is too
 * long.
 */
static bool
insert_all(BfHashSet *set, const BfHashSet *from)
{
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	uint32_t	run_start = 0;
	uint32_t	run_end = 0;
	int			n;
	int			i;

	bf_hashset_scan_begin(&scan, from);
	scan.zero_pending = false;
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
		{
			uint32_t	home = home_slot(set, hashes[i]);

			if (unlikely(home < run_start || set->scatter_key != 0))
			{
				if (!insert_slot(set, hashes[i]))
					return false;
				/*
				 * in an ordered table, that may have used the slot at run_end
				 */
				while (run_end < set->nslots && set->slots[run_end] != 0)
					run_end++;
				continue;
			}
			run_start = home >= run_end ? home : run_start;
			run_end = Max(home, run_end);
			if (unlikely(run_end - home >= BF_SET_MAX_RUN || run_end >= set->nslots))
				return false;
			set->slots[run_end++] = hashes[i];
			set->nused++;
		}
	}
	return true;
}

/*
 * Move all hashes to a table of at least the given size in which no run is too
 * long; if a key is given, homes are scattered by it.  The old table remains
 * until the new one is complete, so that an error on the way does no harm.
 */
static void
rebuild(BfHashSet *set, uint32_t nhomes, uint64_t scatter_key)
{
	BfHashSet	fresh = *set;

	fresh.scatter_key = scatter_key;
	allocate_slots(&fresh, nhomes);
	while (!insert_all(&fresh, set))
	{
		pfree(fresh.slots);
		CHECK_FOR_INTERRUPTS();
		if (set->nused <= SUSPICIOUS_FILL(nhomes))
			fresh.scatter_key = new_scatter_key();
		else
			nhomes = GROW(nhomes);
		allocate_slots(&fresh, nhomes);
	}
	pfree(set->slots);
	*set = fresh;
}

/* Make room for a hash whose run is too long. */
static void
relieve(BfHashSet *set)
{
	if (set->nused <= SUSPICIOUS_FILL(set->nhomes))
		rebuild(set, set->nhomes, new_scatter_key());
	else
		rebuild(set, GROW(set->nhomes), set->scatter_key);
}

/*
 * Turn the table into a log with room for so many hashes.  The table remains
 * until the log is complete.
 */
static void
become_log(BfHashSet *set, uint64_t count)
{
	BfHashLog  *log = bf_hashlog_create(set->mcxt, count);
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	int			n;

	bf_hashset_scan_begin(&scan, set);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
		bf_hashlog_append(log, hashes, n);
	pfree(set->slots);
	set->slots = NULL;
	set->nhomes = 0;
	set->nslots = 0;
	set->nused = 0;
	set->has_zero = false;
	set->scatter_key = 0;
	set->log = log;
}

/* Make room for this many hashes in total. */
static void
reserve(BfHashSet *set, uint64_t count)
{
	uint32_t	nhomes = Max(set->nhomes, MIN_HOMES);

	if (set->log != NULL)
		return;
	while (MAX_FILL(nhomes) < count)
		nhomes = GROW(nhomes);
	if (nhomes == set->nhomes)
		return;
	if (set->may_log && nhomes > BF_SET_CACHED_HOMES)
		become_log(set, count);
	else
		rebuild(set, nhomes, set->scatter_key);
}

/* Prefetch the homes of the hashes, of at most PREFETCH_BATCH. */
static void
prefetch_homes(const BfHashSet *set, const uint64_t *hashes, int n)
{
	int			i;

	n = Min(n, PREFETCH_BATCH);
	for (i = 0; i < n; i++)
		BF_PREFETCH(&set->slots[home_slot(set, hashes[i])]);
}

static void
insert_batch(BfHashSet *set, const uint64_t *hashes, int n)
{
	int			i;

	for (i = 0; i < n; i++)
	{
		if (unlikely(hashes[i] == 0))
			set->has_zero = true;
		else
			while (!insert_slot(set, hashes[i]))
				relieve(set);
	}
}

/* ---------- lists ---------- */

static inline bool
is_list(const BfHashSet *set)
{
	return set->nhomes == 0 && set->log == NULL;
}

/* Make the slots, which are ascending, those of a list. */
static void
set_list(BfHashSet *set, uint64_t *slots, uint32_t n)
{
	pfree(set->slots);
	set->slots = slots;
	set->nslots = set->nused = n;
	set->nhomes = 0;
}

void
bf_hashset_read_list(BfHashSet *set, const uint8_t *list, uint32_t count)
{
	uint64_t   *slots = allocate_unset_slots(set, count);
	uint32_t	i;

	for (i = 0; i < count; i++)
		slots[i] = bf_load_u64(list + 8 * (Size) i);
	/* no slot holds zero, which would be the first */
	set->has_zero = count > 0 && slots[0] == 0;
	if (set->has_zero)
		memmove(slots, slots + 1, --count * sizeof(uint64_t));
	set_list(set, slots, count);
}

/* Of the hashes, those that the set does not have, ascending; returns their number. */
static int
new_hashes(BfHashSet *set, const uint64_t *hashes, int n, uint64_t *result)
{
	int			nnew = 0;
	int			i;

	for (i = 0; i < n; i++)
		if (hashes[i] == 0)
			set->has_zero = true;
		else if (!bf_hashset_contains(set, hashes[i]))
			result[nnew++] = hashes[i];
	sort_hashes(result, nnew);
	n = nnew;
	nnew = 0;
	for (i = 0; i < n; i++)
		if (i == 0 || result[i] != result[i - 1])
			result[nnew++] = result[i];
	return nnew;
}

/* Merge at most PREFETCH_BATCH hashes into the list. */
static void
merge(BfHashSet *set, const uint64_t *hashes, int n)
{
	uint64_t	added[PREFETCH_BATCH];
	int			nadded = new_hashes(set, hashes, n, added);
	uint64_t   *slots;
	uint32_t	from = 0;
	int			i;

	if (nadded == 0)
		return;
	slots = allocate_unset_slots(set, set->nused + nadded);
	for (i = 0; i < nadded; i++)
	{
		uint32_t	place = from + bf_count_below(set->slots + from, set->nused - from, added[i]);

		memcpy(slots + from + i, set->slots + from, (place - from) * sizeof(uint64_t));
		slots[place + i] = added[i];
		from = place;
	}
	memcpy(slots + from + nadded, set->slots + from, (set->nused - from) * sizeof(uint64_t));
	set_list(set, slots, set->nused + nadded);
	set->nmerged++;
}

void
bf_hashset_insert(BfHashSet *set, const uint64_t *hashes, int n)
{
	if (is_list(set) && n <= PREFETCH_BATCH && set->nmerged < MOST_MERGES)
	{
		merge(set, hashes, n);
		return;
	}
	if (set->log == NULL)
		prefetch_homes(set, hashes, n);
	while (n > 0)
	{
		int			batch = Min(n, PREFETCH_BATCH);

		reserve(set, (uint64_t) set->nused + batch);
		if (set->log != NULL)
		{
			bf_hashlog_append(set->log, hashes, n);
			return;
		}
		prefetch_homes(set, hashes + batch, n - batch);
		insert_batch(set, hashes, batch);
		hashes += batch;
		n -= batch;
	}
}

/* Insert all hashes of another set. */
static void
insert_set(BfHashSet *set, const BfHashSet *from)
{
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	int			n;

	reserve(set, bf_hashset_count(from));
	bf_hashset_scan_begin(&scan, from);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		bf_hashset_insert(set, hashes, n);
	}
}

void
bf_hashset_copy(BfHashSet *set, const BfHashSet *from)
{
	BfHashSet	copy = *from;

	if (from->log != NULL)
	{
		insert_set(set, from);
		return;
	}
	copy.mcxt = set->mcxt;
	copy.may_log = set->may_log;
	copy.slots = allocate_unset_slots(set, from->nslots);
	memcpy(copy.slots, from->slots, (Size) from->nslots * sizeof(uint64_t));
	bf_hashset_free(set);
	*set = copy;
}

bool
bf_hashset_contains(const BfHashSet *set, uint64_t hash)
{
	uint32_t	slot;
	uint32_t	end;

	if (set->log != NULL)
		return bf_hashlog_contains(set->log, hash);
	if (hash == 0)
		return set->has_zero;
	if (is_list(set))
	{
		slot = bf_count_below(set->slots, set->nslots, hash);
		return slot < set->nslots && set->slots[slot] == hash;
	}
	slot = home_slot(set, hash);
	end = Min(slot + BF_SET_MAX_RUN, set->nslots);
	for (; slot < end && set->slots[slot] != 0; slot++)
		if (set->slots[slot] == hash)
			return true;
	return false;
}

static void
write_list(const BfHashSet *set, uint8_t *dst)
{
	uint32_t	i;

	if (set->has_zero)
	{
		bf_store_u64(dst, 0);
		dst += 8;
	}
	for (i = 0; i < set->nused; i++)
		bf_store_u64(dst + 8 * (Size) i, set->slots[i]);
}

/* Read a scattered table in order.  This is rare, so a copy is sorted. */
static void
read_scattered(const BfHashSet *set, uint8_t *dst)
{
	uint64_t	count = bf_hashset_count(set);
	uint64_t   *copy = MemoryContextAllocHuge(CurrentMemoryContext,
											  count * sizeof(uint64_t));
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	uint64_t	n = 0;
	uint64_t	i;
	int			batch;

	bf_hashset_scan_begin(&scan, set);
	while ((batch = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		memcpy(copy + n, hashes, batch * sizeof(uint64_t));
		n += batch;
	}
	sort_hashes(copy, n);
	for (i = 0; i < n; i++)
		bf_store_u64(dst + 8 * i, copy[i]);
	pfree(copy);
}

void
bf_hashset_read_sorted(const BfHashSet *set, uint8_t *dst)
{
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	uint8_t    *end = dst;
	int			n;
	int			i;

	if (is_list(set))
	{
		write_list(set, dst);
		return;
	}
	if (set->scatter_key != 0)
	{
		read_scattered(set, dst);
		return;
	}

	/*
	 * Only neighbours within a run of the table can be out of order: an
	 * insertion sort moves each hash by a few places.
	 */
	bf_hashset_scan_begin(&scan, set);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
		{
			uint8_t    *place = end;

			for (; place > dst && bf_load_u64(place - 8) > hashes[i]; place -= 8)
				memcpy(place, place - 8, 8);
			bf_store_u64(place, hashes[i]);
			end += 8;
		}
	}
}
