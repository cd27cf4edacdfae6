/*-------------------------------------------------------------------------
 *
 * params.c
 *		A user's parameters, checked and turned into a filter's header.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "compat.h"
#include "core/sizing.h"
#include "core/text.h"
#include "type/sql/params.h"

/* The conditions are written so that a NaN fails, here and below. */
static void
require_rate(double rate)
{
	char		smallest[BF_NUMBER_ROOM];
	char		given[BF_NUMBER_ROOM];

	if (rate >= BF_MIN_RATE && rate < 1)
		return;
	bf_number_write(BF_MIN_RATE, smallest);
	bf_number_write(rate, given);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("false positive rate must be at least %s and less than 1, not %s",
					smallest, given),
			 errhint("A rate of 1 %% is 0.01.")));
}

/*
 * Checked before the rate: if both were given in the wrong order, both are
 * wrong.
 */
static void
require_items(double expected_items)
{
	char		given[BF_NUMBER_ROOM];

	if (expected_items >= 1)
		return;
	bf_number_write(expected_items, given);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("expected number of items must be at least 1, not %s", given),
			 errhint("%s", bf_items_hint(expected_items))));
}

void
bf_unsized_header(BfHeader *header, double rate, int64_t seed)
{
	require_rate(rate);
	memset(header, 0, sizeof(*header));
	header->representation = BF_UNSIZED;
	header->rate = rate;
	header->seed = seed;
}

/*
 * Sizes that were recently chosen; the index is the capacity modulo their
 * number.  Filters for many groups usually have the same few sizes, and
 * choosing a size takes up to half a millisecond at the lowest rates.
 */
#define RECENT_SIZES	256

typedef struct RecentSize
{
	double		capacity;		/* 0: none */
	double		rate;
	uint32_t	blocks;
	int			hashes;
} RecentSize;

static bool
choose_size(double capacity, double rate, uint32_t *blocks, int *hashes)
{
	static RecentSize recent[RECENT_SIZES];
	RecentSize *size = &recent[(int) fmod(capacity, RECENT_SIZES)];

	if (size->capacity != capacity || size->rate != rate)
	{
		if (!bf_choose_size(capacity, rate, blocks, hashes))
			return false;
		*size = (RecentSize) {capacity, rate, *blocks, *hashes};
	}
	*blocks = size->blocks;
	*hashes = size->hashes;
	return true;
}

BF_NORETURN static void
report_too_large(BfFilterType type, double expected_items, double rate)
{
	char		items[BF_NUMBER_ROOM];
	char		given[BF_NUMBER_ROOM];

	bf_number_write(expected_items, items);
	bf_number_write(rate, given);
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("%s for %s items at a false positive rate of %s is too large",
					bf_filter_type_name(type), items, given),
			 errdetail("A filter takes at most 2^32 bits (512 MB), which is enough for %.0f items at this rate.",
					   bf_max_capacity(rate, bf_max_blocks(type))),
			 errhint("Give fewer items or a higher rate, or split the set over several filters with bloom_shard.")));
}

void
bf_sized_header(BfFilterType type, BfHeader *header, double expected_items, double rate,
				int64_t seed)
{
	require_items(expected_items);
	bf_unsized_header(header, rate, seed);
	header->type = type;
	expected_items = ceil(expected_items);
	if (!isfinite(expected_items) ||
		!choose_size(expected_items, rate, &header->blocks, &header->hashes) ||
		header->blocks > bf_max_blocks(type))
		report_too_large(type, expected_items, rate);
	header->capacity = (uint64_t) expected_items;
	header->representation = BF_SPARSE;
}
