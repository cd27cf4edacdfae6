/*-------------------------------------------------------------------------
 *
 * changes.c
 *		A counting filter in memory: how values come in and go out.
 *
 * It is an expanded object as that of a bloomfilter, with heads that share
 * bodies and hold changes that are pending; type/expanded.c tells why.  A list
 * is a map of hashes to counts.  A change is two words, the hash and how often
 * it is added, or removed if that is negative.
 *
 * To apply a change twice would be wrong.  So each is counted when it is done,
 * and nothing in it fails half way: what needs memory comes first.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "counting/changes.h"
#include "counting/count_map.h"
#include "type/flat.h"

/* Words of a change. */
#define CHANGE_WORDS	2

/*
 * As many words of changes may be pending when they are gone through for what
 * they do to one hash: twice a buffer.  With more, applying them is cheaper.
 */
#define MAX_REPLAYED	(2 * BF_PENDING)

/* Changes whose blocks are fetched at the same time: a full buffer of them. */
#define PREFETCH_BATCH	(BF_PENDING / CHANGE_WORDS)

static inline int
times_of(const uint64_t *change)
{
	return (int) (int64_t) change[1];
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

/* Instead of the empty map, so that it need not grow. */
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
	{
		if (counts[i] < 1 || counts[i] > BF_MAX_COUNT)
			bf_report_corrupt("count of a hash out of range");
		bf_count_map_add(filter->body->counts, bf_load_u64(list + 8 * i), counts[i]);
	}
	if (filter->body->counts->used != count)
		bf_report_corrupt("hashes are not in ascending order");
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
change_block(uint8_t *block, uint64_t hash, int k, int times)
{
	if (times > 0)
		bf_counter_block_add(block, hash, k, times);
	else
		bf_counter_block_remove(block, hash, k, -times);
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
 * Apply the next change to a list.  Returns false if it has to become counters
 * first.
 */
static bool
change_list(BfExpanded *filter, uint64_t hash, int times)
{
	BfCountMap *map = filter->body->counts;

	if (times < 0)
		bf_count_map_remove(map, hash, -times);
	else if (map->used == filter->header.blocks && bf_count_map_count(map, hash) == 0)
		return false;
	else
		bf_count_map_add(map, hash, times);
	filter->header.count = map->used;
	return true;
}

/* Apply some changes to counters. */
static void
change_blocks(BfExpanded *filter, const uint64_t *changes, int n)
{
	int			i;

	for (i = 0; i < n; i++)
		bf_counter_block_prefetch(block_of(filter, changes[i * CHANGE_WORDS]));
	for (i = 0; i < n; i++, changes += CHANGE_WORDS)
		change_block(block_of(filter, changes[0]), changes[0], filter->header.hashes,
					 times_of(changes));
}

static void
apply(BfExpanded *filter)
{
	Assert(!bf_is_shared(filter));
	while (filter->napplied < filter->npending)
	{
		const uint64_t *change = filter->pending + filter->napplied;
		int			n = 1;

		CHECK_FOR_INTERRUPTS();
		if (filter->header.representation != BF_DENSE)
		{
			if (!change_list(filter, change[0], times_of(change)))
			{
				bf_counting_densify(filter);
				continue;
			}
		}
		else
		{
			n = Min((filter->npending - filter->napplied) / CHANGE_WORDS, PREFETCH_BATCH);
			change_blocks(filter, change, n);
		}
		filter->napplied += n * CHANGE_WORDS;
	}
}

/* What the pending changes make of the hash's count in a list. */
static int
replay_on_list(const BfExpanded *filter, uint64_t hash)
{
	int			count = count_in_list(filter->body, hash);
	int			i;

	for (i = filter->napplied; i < filter->npending; i += CHANGE_WORDS)
	{
		int			times = times_of(filter->pending + i);

		if (filter->pending[i] != hash)
			continue;
		count = times > 0 ? bf_add_counts(count, times) : bf_subtract_counts(count, -times);
	}
	return count;
}

/* What they make of it among counters: tried on a copy of its block. */
static int
replay_on_block(const BfExpanded *filter, uint64_t hash)
{
	const BfHeader *header = &filter->header;
	uint8_t		block[BF_COUNTER_BLOCK_BYTES];
	int			i;

	memcpy(block, block_of(filter, hash), sizeof(block));
	for (i = filter->napplied; i < filter->npending; i += CHANGE_WORDS)
	{
		uint64_t	other = filter->pending[i];

		if (bf_block_index(other, header->blocks) == bf_block_index(hash, header->blocks))
			change_block(block, other, header->hashes, times_of(filter->pending + i));
	}
	return bf_counter_block_count(block, hash, header->hashes);
}

/*
 * May the pending changes make counters of a list?  They would count more for
 * a hash than the list does: so they are applied first, or else an answer would
 * depend on whether they have been.
 */
static bool
may_outgrow_list(const BfExpanded *filter)
{
	return filter->header.representation != BF_DENSE &&
		filter->header.count + (filter->npending - filter->napplied) / CHANGE_WORDS >
		filter->header.blocks;
}

int
bf_counting_count(BfExpanded *filter, uint64_t hash)
{
	if (filter->npending - filter->napplied > MAX_REPLAYED || may_outgrow_list(filter))
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
