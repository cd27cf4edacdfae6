/*-------------------------------------------------------------------------
 *
 * bulk.c
 *		Filters outside the server: many hashes added to a list at a time.
 *
 * They are sorted and merged with the list, which takes less time than to find a
 * place in it for each.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "internal.h"

/*
 * A merge moves the whole list.  It pays if there is a new hash for so many of
 * the list's.
 */
#define LIST_PER_HASH	16

/* A byte of the hashes is sorted at a time. */
#define DIGITS			8
#define DIGIT_VALUES	256

static unsigned
digit_of(uint64_t hash, int digit)
{
	return hash >> (8 * digit) & (DIGIT_VALUES - 1);
}

/* Sort by that digit, keeping the order of hashes whose digit is the same. */
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

/* The number of digits is even, and so the hashes end where they were. */
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

/* Write hashes that are in order, each once.  Returns their number. */
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
	/* the list has room for all hashes, and is not written yet */
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
