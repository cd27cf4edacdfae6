/*-------------------------------------------------------------------------
 *
 * bulk.c
 *		Filters outside the server: adding many hashes to a list at a time.
 *
 * The hashes are sorted and merged with the list, which is faster than finding
 * the place of each hash in the list.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "internal.h"

/*
 * A merge moves the whole list.  It is faster if there is at least one new
 * hash for so many hashes of the list.
 */
#define LIST_PER_HASH	16

/* One byte of the hashes is sorted at a time. */
#define DIGITS			8
#define DIGIT_VALUES	256

static unsigned
digit_of(uint64_t hash, int digit)
{
	return hash >> (8 * digit) & (DIGIT_VALUES - 1);
}

/* Sort by one digit; hashes with the same digit keep their order. */
static void
sort_by_digit(const uint64_t *from, uint64_t *to, size_t n, int digit)
{
	size_t		next[DIGIT_VALUES] = {0};
	size_t		place = 0;
	size_t		i;

	for (i = 0; i < n; i++)
		next[digit_of(from[i], digit)]++;
	for (i = 0; i < DIGIT_VALUES; i++)
	{
		size_t		count = next[i];

		next[i] = place;
		place += count;
	}
	for (i = 0; i < n; i++)
		to[next[digit_of(from[i], digit)]++] = from[i];
}

/* The number of digits is even, so the sorted hashes end up in "hashes". */
static void
sort_hashes(uint64_t *hashes, uint64_t *scratch, size_t n)
{
	int			digit;

	for (digit = 0; digit < DIGITS; digit += 2)
	{
		sort_by_digit(hashes, scratch, n, digit);
		sort_by_digit(scratch, hashes, n, digit + 1);
	}
}

/* Write hashes that are in order without repetitions.  Returns their number. */
static uint64_t
write_list(const uint64_t *hashes, size_t n, uint8_t *list)
{
	uint64_t	count = 0;
	size_t		i;

	for (i = 0; i < n; i++)
		if (i == 0 || hashes[i] != hashes[i - 1])
			bf_store_u64(list + 8 * count++, hashes[i]);
	return count;
}

static bool
merge_hashes(BfFilter *filter, uint64_t *hashes, size_t n, BfError *error)
{
	BfFilter	list = {.header = filter->header};
	BfStorage	storage;
	bool		merged;

	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, n * sizeof(*hashes), error))
		return false;
	/* the list has room for all hashes: sort there, before it is written */
	sort_hashes(hashes, (uint64_t *) (void *) storage.data, n);
	list.data = storage.data;
	list.header.count = write_list(hashes, n, storage.data);
	merged = bf_filter_unite(filter, &list, error);
	free(storage.allocated);
	return merged;
}

bool
bf_filter_add_many(BfFilter *filter, uint64_t *hashes, int n, BfError *error)
{
	if (filter->header.representation == BF_DENSE ||
		(uint64_t) n < bf_filter_count(filter) / LIST_PER_HASH)
		return bf_filter_add_hashes(filter, hashes, n, error);
	return merge_hashes(filter, hashes, (size_t) n, error);
}
