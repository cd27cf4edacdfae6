/*-------------------------------------------------------------------------
 *
 * params.c
 *		A user's parameters, checked and turned into a filter's header.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "core/sizing.h"
#include "type/sql/params.h"

/* The conditions are written so that a NaN fails. */
static void
require_rate(double rate)
{
	if (!(rate >= BF_MIN_RATE && rate < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("false positive rate must be at least %g and less than 1, not %g",
						BF_MIN_RATE, rate),
				 errhint("A rate of 1 %% is 0.01.")));
}

/*
 * Checked before the rate: if both were given in the wrong order, both are
 * wrong.
 */
static void
require_items(double expected_items)
{
	if (!(expected_items >= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("expected number of items must be at least 1, not %g",
						expected_items),
				 expected_items > 0 ?
				 errhint("The number of values comes first, then the false positive rate: (1000, 0.01).") : 0));
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

void
bf_sized_header_as(BfFilterType type, BfHeader *header, double expected_items, double rate,
				   int64_t seed)
{
	uint32_t	max_blocks = bf_max_blocks(type);

	require_items(expected_items);
	bf_unsized_header(header, rate, seed);
	header->type = type;
	expected_items = ceil(expected_items);
	if (!isfinite(expected_items) ||
		!choose_size(expected_items, rate, &header->blocks, &header->hashes) ||
		header->blocks > max_blocks)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s for %.15g items at a false positive rate of %g is too large",
						bf_filter_type_name(type), expected_items, rate),
				 errdetail("A filter takes at most 2^32 bits (512 MB), which is enough for %.0f items at this rate.",
						   bf_max_capacity(rate, max_blocks)),
				 errhint("Give fewer items or a higher rate, or split the set over several filters with bloom_shard.")));
	header->capacity = (uint64_t) expected_items;
	header->representation = BF_SPARSE;
}
