/*-------------------------------------------------------------------------
 *
 * toast_search.c
 *		Testing a filter out of line by reading parts of it.
 *
 * Of blocks it takes the one that the hash belongs to.  A list is in order,
 * and hashes are spread evenly, so that the value of one tells its place to
 * within the square root of their number, and the hashes found there tell it
 * better: two or three looks are enough, where bisection would take as many
 * as the number has bits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "core/data.h"
#include "type/toast_search.h"

/*
 * Hashes of a list that are read at once: about as many as are in a chunk.
 * Fewer would mostly be in as many chunks, two.
 */
#define LIST_WINDOW		256

static bool
block_contains(const BfCacheRef *ref, const struct varlena *pointer, const BfHeader *header,
			   uint64_t hash)
{
	Size		offset = bf_header_length(header) + bf_block_offset(hash, header->blocks);
	struct varlena *block = bf_cache_slice(ref, pointer, offset, BF_BLOCK_BYTES);
	bool		result = bf_block_contains((const uint8_t *) VARDATA_ANY(block), hash,
										   header->hashes);

	pfree(block);
	return result;
}

/* The part of a list in which a hash must be if it is there. */
typedef struct ListRange
{
	uint64_t	low;
	uint64_t	high;			/* exclusive */
	uint64_t	above;			/* the hash before, or the least possible one */
	uint64_t	below;			/* the hash behind, or the greatest */
} ListRange;

/* Where to look for it. */
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
 * Look at the hashes of a window: either the one is found, or not, or the
 * range shrinks.
 */
static bool
search_window(ListRange *range, uint64_t start, uint64_t n, const uint8_t *hashes, uint64_t hash)
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
	return bf_list_contains(hashes, n, hash);
}

/*
 * If the hashes are not spread evenly, since somebody chose them, it may take
 * many looks; then the list is loaded.
 */
static bool
list_contains(BfCacheRef *ref, const struct varlena *pointer, const BfHeader *header, uint64_t hash)
{
	ListRange	range = {0, header->count, 0, PG_UINT64_MAX};
	Size		list = bf_header_length(header);
	bool		found = false;

	while (range.low < range.high && !found)
	{
		uint64_t	start = guess_window(&range, hash);
		uint64_t	n = Min(range.high - start, LIST_WINDOW);
		const uint8_t *payload = bf_cache_payload(ref, pointer);
		struct varlena *window;

		if (payload != NULL)
			return bf_list_contains(payload + list, header->count, hash);
		window = bf_cache_slice(ref, pointer, list + 8 * start, 8 * n);
		found = search_window(&range, start, n, (const uint8_t *) VARDATA_ANY(window), hash);
		pfree(window);
	}
	return found;
}

bool
bf_parts_contain(BfCacheRef *ref, const struct varlena *pointer, const BfHeader *header,
				 uint64_t hash)
{
	if (header->representation == BF_DENSE)
		return block_contains(ref, pointer, header, hash);
	return list_contains(ref, pointer, header, hash);
}
