/*-------------------------------------------------------------------------
 *
 * search.c
 *		Testing a value against a filter out of line by reading parts of the
 *		filter.
 *
 * If the filter has blocks, only the block of the hash is read.  A list is in
 * order, and its hashes are evenly spread.  So the hash predicts its place to
 * within the square root of the length, and the hashes found there predict it
 * better: two or three reads are enough, where bisection would require as many
 * as the length has bits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "core/data.h"
#include "type/stored/search.h"

/*
 * Hashes of a list that are read together: about as many as fit in a chunk.
 * Fewer would still be in two chunks in most cases.
 */
#define LIST_WINDOW		256

static int
count_in_block(const BfCacheRef *ref, const struct varlena *pointer, const BfHeader *header,
			   uint64_t hash)
{
	Size		bytes = bf_block_bytes(header->type);
	Size		offset = bf_header_length(header) + bf_block_index(hash, header->blocks) * bytes;
	struct varlena *part = bf_cache_slice(ref, pointer, offset, bytes);
	const uint8_t *block = (const uint8_t *) VARDATA_ANY(part);
	int			result = header->type == BF_COUNTING ?
		bf_counter_block_count(block, hash, header->hashes) :
		bf_block_contains(block, hash, header->hashes);

	pfree(part);
	return result;
}

/* The part of a list that contains the hash if the list does. */
typedef struct ListRange
{
	uint64_t	low;
	uint64_t	high;			/* exclusive */
	uint64_t	above;			/* the hash before the range, or 0 */
	uint64_t	below;			/* the hash after it, or the largest possible */
} ListRange;

/* The start of the window in which to look for the hash. */
static uint64_t
guess_window(const ListRange *range, uint64_t hash)
{
	uint64_t	n = range->high - range->low;
	double		position = (double) (hash - range->above) / ((double) (range->below - range->above) + 1);
	uint64_t	middle = (uint64_t) (position * (double) n);

	if (n <= LIST_WINDOW)
		return range->low;
	middle -= Min(middle, LIST_WINDOW / 2);
	return range->low + Min(middle, n - LIST_WINDOW);
}

/*
 * Search the hashes of a window: either the hash is found, and *place is set,
 * or the range shrinks; it becomes empty if the hash is not in the list.
 */
static bool
search_window(ListRange *range, uint64_t start, uint64_t n, const uint8_t *hashes, uint64_t hash,
			  uint64_t *place)
{
	uint64_t	first = bf_load_u64(hashes);
	uint64_t	last = bf_load_u64(hashes + 8 * (n - 1));

	if (hash < first)
	{
		range->high = start;
		range->below = first;
		return false;
	}
	if (hash > last)
	{
		range->low = start + n;
		range->above = last;
		return false;
	}
	range->low = range->high;
	if (!bf_list_find(hashes, n, hash, place))
		return false;
	*place += start;
	return true;
}

/* The count of the hash at this place of a list. */
static int
count_in_place(const BfCacheRef *ref, const struct varlena *pointer, const BfHeader *header,
			   uint64_t place)
{
	struct varlena *part;
	int			result;

	if (header->type == BF_PLAIN)
		return 1;
	part = bf_cache_slice(ref, pointer, bf_header_length(header) + 8 * header->count + place, 1);
	result = *(const uint8_t *) VARDATA_ANY(part);
	pfree(part);
	return result;
}

/*
 * If hashes are not evenly spread, because somebody chose them, many reads may
 * be required.  Then the list is loaded at some point.
 */
static int
count_in_list(BfCacheRef *ref, const struct varlena *pointer, const BfHeader *header, uint64_t hash)
{
	ListRange	range = {0, header->count, 0, PG_UINT64_MAX};
	Size		list = bf_header_length(header);
	bool		found = false;
	uint64_t	place = 0;

	while (range.low < range.high && !found)
	{
		uint64_t	start = guess_window(&range, hash);
		uint64_t	n = Min(range.high - start, LIST_WINDOW);
		const uint8_t *payload = bf_cache_payload(ref, pointer);
		struct varlena *window;

		if (payload != NULL)
			return bf_data_count(header, payload + list, hash);
		window = bf_cache_slice(ref, pointer, list + 8 * start, 8 * n);
		found = search_window(&range, start, n, (const uint8_t *) VARDATA_ANY(window), hash,
							  &place);
		pfree(window);
	}
	return found ? count_in_place(ref, pointer, header, place) : 0;
}

int
bf_parts_count(BfCacheRef *ref, const struct varlena *pointer, const BfHeader *header,
			   uint64_t hash)
{
	if (header->representation == BF_DENSE)
		return count_in_block(ref, pointer, header, hash);
	return count_in_list(ref, pointer, header, hash);
}
