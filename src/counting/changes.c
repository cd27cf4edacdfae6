/*-------------------------------------------------------------------------
 *
 * changes.c
 *		A counting filter in memory: adding and removing values.
 *
 * The filter is an expanded object like a bloomfilter, with heads that share
 * bodies and hold pending changes; type/memory/expanded.c explains why.  Its
 * list is a map of hashes to counts.
 *
 * A change must not be applied twice.  So each change is counted as soon as it
 * is applied, and a change that fails has changed nothing: it allocates memory
 * before it modifies anything.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "counting/changes.h"
#include "counting/count_map.h"

/* Number of changes whose blocks are prefetched together: a full buffer. */
#define PREFETCH_BATCH	(BF_PENDING / BF_CHANGE_WORDS)

/*
 * bf_counting_count() goes through the pending changes for the effect on one
 * hash if there are at most so many, twice a buffer.  If there are more,
 * applying them is cheaper.
 */
#define MAX_REPLAYED	(2 * PREFETCH_BATCH)

/* ---------- pending changes ---------- */

/* How many of the pending changes are not applied yet? */
static inline int
changes_left(const BfExpanded *filter)
{
	return (filter->npending - filter->napplied) / BF_CHANGE_WORDS;
}

/*
 * The change after this one.  If it is NULL, the first change that is not
 * applied yet.  Returns NULL after the last change.
 */
static inline const BfChange *
next_change(const BfExpanded *filter, const BfChange *change)
{
	const BfChange *end = filter->changes + filter->npending / BF_CHANGE_WORDS;

	change = change == NULL ? filter->changes + filter->napplied / BF_CHANGE_WORDS : change + 1;
	return change < end ? change : NULL;
}

/* Count n more changes as applied, so that they are not applied again. */
static inline void
mark_applied(BfExpanded *filter, int n)
{
	Assert(n <= changes_left(filter));
	filter->napplied += n * BF_CHANGE_WORDS;
}

/* ---------- lists ---------- */

static void
init_list(const BfExpanded *filter, BfBody *body)
{
	(void) filter;
	body->counts = bf_count_map_create(body->mcxt, 0);
}

static void
free_list(BfBody *body)
{
	if (body->counts != NULL)
		bf_count_map_free(body->counts);
	body->counts = NULL;
}

/* Replace the empty map by a larger one, which then does not have to grow. */
static void
reserve(BfBody *body, uint32_t count)
{
	BfCountMap *map = bf_count_map_create(body->mcxt, count);

	free_list(body);
	body->counts = map;
}

static void
copy_list(BfBody *body, const BfBody *from)
{
	uint32_t	place = 0;
	uint64_t	hash;
	int			count;

	reserve(body, from->counts->used);
	while (bf_count_map_next(from->counts, &place, &hash, &count))
		bf_count_map_add(body->counts, hash, count);
}

static void
read_list(BfExpanded *filter, const uint8_t *list, uint64_t count)
{
	const uint8_t *counts = list + 8 * count;
	uint64_t	i;

	reserve(filter->body, (uint32_t) count);
	for (i = 0; i < count; i++)
		bf_count_map_add(filter->body->counts, bf_load_u64(list + 8 * i), counts[i]);
	filter->header.count = count;
}

static void
write_list(const BfBody *body, uint8_t *list)
{
	bf_count_map_read_sorted(body->counts, list);
}

static int
count_in_list(const BfBody *body, uint64_t hash)
{
	return bf_count_map_count(body->counts, hash);
}

static Size
list_bytes(const BfBody *body)
{
	return bf_count_map_bytes(body->counts);
}

/* ---------- changes ---------- */

static void
change_block(uint8_t *block, int k, const BfChange *change)
{
	if (change->times > 0)
		bf_counter_block_add(block, change->hash, k, change->times);
	else
		bf_counter_block_remove(block, change->hash, k, -change->times);
}

static inline uint8_t *
block_of(const BfExpanded *filter, uint64_t hash)
{
	return filter->body->blocks + bf_counter_block_offset(hash, filter->header.blocks);
}

void
bf_counting_densify(BfExpanded *filter)
{
	uint32_t	place = 0;
	uint64_t	hash;
	int			count;

	bf_expanded_begin_blocks(filter);
	while (bf_count_map_next(filter->body->counts, &place, &hash, &count))
		bf_counter_block_add(block_of(filter, hash), hash, filter->header.hashes, count);
	bf_expanded_end_blocks(filter);
}

/*
 * Apply a change to a list.  Returns false if the list is full and must become
 * counters first.
 */
static bool
change_list(BfExpanded *filter, const BfChange *change)
{
	BfCountMap *map = filter->body->counts;

	if (change->times < 0)
		bf_count_map_remove(map, change->hash, -change->times);
	else if (map->used == filter->header.blocks && bf_count_map_count(map, change->hash) == 0)
		return false;
	else
		bf_count_map_add(map, change->hash, change->times);
	filter->header.count = map->used;
	return true;
}

static void
apply_to_list(BfExpanded *filter)
{
	const BfChange *change;

	while ((change = next_change(filter, NULL)) != NULL)
	{
		CHECK_FOR_INTERRUPTS();
		if (!change_list(filter, change))
		{
			bf_counting_densify(filter);
			return;
		}
		mark_applied(filter, 1);
	}
}

static void
apply_to_blocks(BfExpanded *filter)
{
	const BfChange *change;

	while ((change = next_change(filter, NULL)) != NULL)
	{
		int			n = Min(changes_left(filter), PREFETCH_BATCH);
		int			i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
			bf_counter_block_prefetch(block_of(filter, change[i].hash));
		for (i = 0; i < n; i++)
			change_block(block_of(filter, change[i].hash), filter->header.hashes, change + i);
		mark_applied(filter, n);
	}
}

static void
apply(BfExpanded *filter)
{
	Assert(!bf_is_shared(filter));
	if (filter->header.representation != BF_DENSE)
		apply_to_list(filter);
	/* also if the list has just become counters */
	if (filter->header.representation == BF_DENSE)
		apply_to_blocks(filter);
}

/* The hash's count in a list after the pending changes. */
static int
replay_on_list(const BfExpanded *filter, uint64_t hash)
{
	int			count = count_in_list(filter->body, hash);
	const BfChange *change = NULL;

	while ((change = next_change(filter, change)) != NULL)
	{
		if (change->hash != hash)
			continue;
		count = change->times > 0 ? bf_add_counts(count, change->times) :
			bf_subtract_counts(count, -change->times);
	}
	return count;
}

/*
 * The hash's count in counters after the pending changes, which are applied to
 * a copy of its block.
 */
static int
replay_on_block(const BfExpanded *filter, uint64_t hash)
{
	const BfHeader *header = &filter->header;
	uint32_t	index = bf_block_index(hash, header->blocks);
	uint8_t		block[BF_COUNTER_BLOCK_BYTES];
	const BfChange *change = NULL;

	memcpy(block, block_of(filter, hash), sizeof(block));
	while ((change = next_change(filter, change)) != NULL)
	{
		if (bf_block_index(change->hash, header->blocks) == index)
			change_block(block, header->hashes, change);
	}
	return bf_counter_block_count(block, hash, header->hashes);
}

/*
 * May the list become counters when the pending changes are applied?  Counters
 * may count more for a hash than the list does.  Such changes are applied
 * first: otherwise the answer would depend on whether they have been applied.
 */
static bool
may_outgrow_list(const BfExpanded *filter)
{
	return filter->header.representation != BF_DENSE &&
		filter->header.count + changes_left(filter) > filter->header.blocks;
}

int
bf_counting_count(BfExpanded *filter, uint64_t hash)
{
	if (changes_left(filter) > MAX_REPLAYED || may_outgrow_list(filter))
		bf_expanded_flush(filter);
	if (filter->header.representation != BF_DENSE)
		return replay_on_list(filter, hash);
	return replay_on_block(filter, hash);
}

void
bf_counting_init(void)
{
	static const BfTypeMethods methods = {
		init_list, copy_list, free_list, read_list, write_list, count_in_list, list_bytes,
		apply
	};

	bf_expanded_set_methods(BF_COUNTING, &methods);
}
