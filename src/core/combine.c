/*-------------------------------------------------------------------------
 *
 * combine.c
 *		Which filters can be combined, and the header of the result.
 *
 *-------------------------------------------------------------------------
 */
#include "core/combine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

bool
bf_names_equal(const BfHeader *a, const BfHeader *b)
{
	return a->name_len == b->name_len &&
		(a->name_len == 0 || memcmp(a->name, b->name, a->name_len) == 0);
}

bool
bf_families_combine(const BfHeader *a, const BfHeader *b)
{
	if (a->family == BF_FAMILY_NONE || b->family == BF_FAMILY_NONE)
		return true;
	return a->family == b->family && a->environment == b->environment && bf_names_equal(a, b);
}

/* An unsized filter's blocks and hashes are zero. */
bool
bf_parameters_combine(const BfHeader *a, const BfHeader *b)
{
	return a->seed == b->seed && a->blocks == b->blocks && a->hashes == b->hashes;
}

bool
bf_combinable(const BfHeader *a, const BfHeader *b)
{
	return bf_families_combine(a, b) && bf_parameters_combine(a, b);
}

void
bf_combine_headers(BfHeader *a, const BfHeader *b)
{
	if (a->family == BF_FAMILY_NONE)
	{
		a->family = b->family;
		a->environment = b->environment;
		a->name = b->name;
		a->name_len = b->name_len;
	}
	if (a->capacity < b->capacity)
		a->capacity = b->capacity;
	if (a->rate > b->rate)
		a->rate = b->rate;
}

void
bf_parameters_describe(const BfHeader *header, char dst[BF_PARAMETERS_ROOM])
{
	char		rate[BF_NUMBER_ROOM];

	bf_number_write(header->rate, rate);
	if (header->representation == BF_UNSIZED)
		snprintf(dst, BF_PARAMETERS_ROOM, "no size yet, seed %" PRId64, header->seed);
	else
		snprintf(dst, BF_PARAMETERS_ROOM,
				 "%" PRIu32 " %s, %d %s, seed %" PRId64
				 " (expected_items %" PRIu64 ", false_positive_rate %s)",
				 header->blocks, header->blocks == 1 ? "block" : "blocks",
				 header->hashes, header->hashes == 1 ? "hash" : "hashes",
				 header->seed, header->capacity, rate);
}

const char *
bf_parameters_hint(const BfHeader *a, const BfHeader *b)
{
	if (a->seed == b->seed && a->blocks != b->blocks)
		return "bloom_agg(value) sizes each filter for its own values. Filters that are to be combined need the same expected_items, false_positive_rate and seed.";
	return "Create both with the same expected_items, false_positive_rate and seed.";
}
