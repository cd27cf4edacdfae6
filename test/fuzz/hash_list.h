/*-------------------------------------------------------------------------
 *
 * hash_list.h
 *		What sets of hashes are held against: an ascending list without
 *		repetitions, from malloc().
 *
 *-------------------------------------------------------------------------
 */
#ifndef HASH_LIST_H
#define HASH_LIST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int
compare_hashes(const void *a, const void *b)
{
	uint64_t	left = *(const uint64_t *) a;
	uint64_t	right = *(const uint64_t *) b;

	return (left > right) - (left < right);
}

/* Adds n hashes to a list of count; returns how many it has then. */
static size_t
list_add(uint64_t **list, size_t count, const uint64_t *hashes, size_t n)
{
	size_t		all = count + n;
	size_t		kept = 0;
	size_t		i;

	if (n == 0)
		return count;
	*list = realloc(*list, all * sizeof(uint64_t));
	memcpy(*list + count, hashes, n * sizeof(uint64_t));
	qsort(*list, all, sizeof(uint64_t), compare_hashes);
	for (i = 0; i < all; i++)
		if (kept == 0 || (*list)[i] != (*list)[kept - 1])
			(*list)[kept++] = (*list)[i];
	return kept;
}

static bool
list_contains(const uint64_t *list, size_t count, uint64_t hash)
{
	return count > 0 && bsearch(&hash, list, count, sizeof(uint64_t), compare_hashes) != NULL;
}

#endif							/* HASH_LIST_H */
