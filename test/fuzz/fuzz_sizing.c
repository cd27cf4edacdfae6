/*-------------------------------------------------------------------------
 *
 * fuzz_sizing.c
 *		The mathematics of filters: what must hold whatever the numbers.
 *
 * The input is a capacity and a rate as any binary64 patterns, a number of
 * blocks, k, and a number of set bits.  Numbers outside what the callers let
 * through (type/sql/params.c) are brought into it: a capacity may be infinite.
 *
 * Rates are sums of terms that nearly cancel, so two of them are compared
 * with a slack.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>

#include "core/block.h"
#include "core/sizing.h"
#include "fuzz.h"

/* What rounding may do to a rate: far below the lowest one to be asked for. */
#define SLACK	1e-10

/* No filter is asked to hold more: 2^53. */
#define MAX_CAPACITY	9007199254740992.0

static double
take_double(FuzzInput *input)
{
	uint64_t	bits = fuzz_take(input, 8);
	double		value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Any capacity that a filter can be asked for. */
static double
take_capacity(FuzzInput *input)
{
	double		n = fabs(take_double(input));

	return n >= 1 ? ceil(n) : 1;
}

/*
 * Any rate that a filter can be asked for: what is none becomes one by its
 * pattern's bits.
 */
static double
take_rate(FuzzInput *input)
{
	double		rate = take_double(input);

	if (rate >= BF_MIN_RATE && rate < 1)
		return rate;
	rate = fabs(rate);
	rate = isfinite(rate) ? rate - floor(rate) : 0;
	return rate >= BF_MIN_RATE ? rate : BF_MIN_RATE;
}

/* Between 0 and 1, rising with the values and falling with the blocks. */
static void
check_rate(double n, uint32_t blocks, int k)
{
	double		rate = bf_expected_rate(n, blocks, k);

	REQUIRE(rate >= 0 && rate <= 1);
	REQUIRE(bf_expected_rate(n, blocks, k) == rate);
	REQUIRE(bf_expected_rate(0, blocks, k) <= SLACK);
	REQUIRE(bf_expected_rate(n + 1, blocks, k) >= rate - SLACK);
	REQUIRE(bf_expected_rate(2 * n, blocks, k) >= rate - SLACK);
	if (blocks < BF_MAX_BLOCKS)
		REQUIRE(bf_expected_rate(n, blocks + 1, k) <= rate + SLACK);
	REQUIRE(bf_expected_rate(n, BF_MAX_BLOCKS, k) <= rate + SLACK);
}

/* A size keeps the rate, and no smaller one does. */
static void
check_size(double n, double rate)
{
	uint32_t	blocks = 0;
	uint32_t	more_blocks = 0;
	int			k = 0;
	int			other;

	if (!bf_choose_size(n, rate, &blocks, &k))
	{
		/* the largest filter has 512 bits for each of so many */
		REQUIRE(n > BF_MAX_BLOCKS);
		REQUIRE(!bf_choose_size(n + n / 1e6, rate, &more_blocks, &other));
		return;
	}
	REQUIRE(blocks >= 1 && blocks <= BF_MAX_BLOCKS);
	REQUIRE(k >= 1 && k <= BF_MAX_HASHES);
	REQUIRE(bf_expected_rate(n, blocks, k) <= rate);
	if (blocks > 1)
		REQUIRE(bf_expected_rate(n, blocks - 1, k) > rate);

	/* k = 8 is worth one part in a hundred, so that sizes may fall by it */
	if (bf_choose_size(n + 1, rate, &more_blocks, &other))
		REQUIRE(more_blocks * 1.01 >= blocks);
	if (bf_choose_size(n, rate / 2 >= BF_MIN_RATE ? rate / 2 : rate, &more_blocks, &other))
		REQUIRE(more_blocks * 1.01 >= blocks);
}

/* The capacity that fits does, and the next one does not. */
static void
check_max_capacity(double rate)
{
	double		n = bf_max_capacity(rate, BF_MAX_BLOCKS);
	uint32_t	blocks;
	int			k;

	REQUIRE(n >= 1 && n == floor(n));
	REQUIRE(bf_choose_size(n, rate, &blocks, &k));
	REQUIRE(!bf_choose_size(n + 1, rate, &blocks, &k));
}

/* Finite, never negative, rising with the bits; full is one bit less. */
static void
check_estimate(uint64_t bits_set, uint32_t blocks, int k)
{
	uint64_t	bits = (uint64_t) blocks * BF_BLOCK_BITS;
	double		estimate = bf_estimate_count(bits_set, blocks, k);

	REQUIRE(estimate >= 0 && isfinite(estimate));
	REQUIRE(bf_estimate_count(0, blocks, k) == 0);
	REQUIRE(bf_estimate_count(bits_set + 1, blocks, k) >= estimate);
	REQUIRE(bf_estimate_count(bits, blocks, k) == bf_estimate_count(bits - 1, blocks, k));
	REQUIRE(bf_estimate_count(bits, blocks, k) >= estimate);
	/* a value sets at most k bits, of which it expects to find some set */
	REQUIRE(estimate * k >= (double) bits_set * (1 - (double) k / bits) * (1 - 1e-9) ||
			bits_set >= bits);
}

/*
 * One input in so many (FNV-1a).  What an input of the few mutates to is
 * seldom one of them, so the fuzzer cannot spend all its time on these.
 */
static bool
is_one_in(unsigned n, const uint8_t *data, size_t size)
{
	uint64_t	hash = UINT64_C(0xCBF29CE484222325);
	size_t		i;

	for (i = 0; i < size; i++)
		hash = (hash ^ data[i]) * UINT64_C(0x100000001B3);
	return (hash >> 32) % n == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	unsigned	what = (unsigned) fuzz_take(&input, 1);
	double		n = take_capacity(&input);
	double		rate = take_rate(&input);
	uint32_t	blocks = 1 + (uint32_t) fuzz_take(&input, 4) % BF_MAX_BLOCKS;
	int			k = 1 + (int) fuzz_take(&input, 1) % BF_MAX_HASHES;
	uint64_t	bits_set = fuzz_take(&input, 8);

	check_estimate(bits_set % ((uint64_t) blocks * BF_BLOCK_BITS + 2), blocks, k);
	/* infinity is for the choice of a size to refuse */
	check_rate(fmin(n, MAX_CAPACITY), blocks, k);
	/* a hundred times and ten thousand times the work */
	if (what % 16 == 0)
		check_size(n, rate);
	if (is_one_in(512, data, size))
		check_max_capacity(rate);
	return 0;
}
