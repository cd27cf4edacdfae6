/*-------------------------------------------------------------------------
 *
 * sizing.c
 *		The mathematics of filters: expected false positive rate, size for a
 *		capacity and rate, estimated number of values.
 *
 * The textbook formula, 1.44 log2(1/p) bits per value, underestimates the size
 * of every blocked filter: the number of values in a block is binomially
 * distributed, and the crowded blocks have far more false positives than the
 * average block.  The rates here are exact expectations over that distribution
 * (Putze, Sanders, Singler, 2007, section 3, carried over to one bit per word
 * with a rotating start).  The size chosen is the smallest one whose expected
 * rate is at most the rate asked for.
 *
 *-------------------------------------------------------------------------
 */
#include "core/sizing.h"

#include <math.h>
#include <stddef.h>

#include "core/block.h"

/* Largest number of distinct terms per k after equal terms are grouped. */
#define MAX_RATE_TERMS	16

/*
 * A block with a higher mean load counts as full: one of its bits is unset
 * with a probability of (63/64)^2048 = 1e-14.
 */
#define SATURATED_LOAD	2048

/*
 * A float8 represents every integer up to 2^53; no filter holds nearly as many
 * values.
 */
#define MAX_CAPACITY	9007199254740992.0

/* Stop summing a distribution's tail below this part of its largest term. */
#define NEGLIGIBLE		1e-18

/*
 * One term of the inclusion-exclusion sum: coefficient * [1 - miss/B]^n,
 * where miss is the probability that a value of the block sets at least one
 * bit of a given set of probed bits.
 */
typedef struct RateTerm
{
	double		coefficient;
	double		miss;
} RateTerm;

typedef struct RateTerms
{
	int			count;
	RateTerm	terms[MAX_RATE_TERMS];
} RateTerms;

static int
count_bits(unsigned set)
{
	int			n = 0;

	for (; set != 0; set &= set - 1)
		n++;
	return n;
}

/*
 * Group the terms for k <= 8.
 *
 * An absent value probes one bit in each of the k words from word 0 (by
 * symmetry).  For a subset T of them, a present value whose k words start at
 * s leaves all of T's bits unset with probability (63/64)^|T and its words|,
 * and s is uniform.  Subsets with the same overlaps give the same term.
 */
static void
build_rate_terms(int k, RateTerms *result)
{
	uint64_t	keys[MAX_RATE_TERMS];
	unsigned	window = (1u << k) - 1;
	unsigned	subset;

	result->count = 0;
	for (subset = 0; subset <= window; subset++)
	{
		uint64_t	key = 0;
		double		unset = 0;
		int			s;
		int			i;

		for (s = 0; s < BF_BLOCK_WORDS; s++)
		{
			unsigned	words = ((window << s) | (window << s >> BF_BLOCK_WORDS)) & 0xFF;
			int			overlap = count_bits(subset & words);

			/* count the starts with this overlap, four bits each */
			key += UINT64_C(1) << (4 * overlap);
			unset += pow(63.0 / 64, overlap) / BF_BLOCK_WORDS;
		}
		/* the subset's parity decides the sign, so it belongs to the key */
		key |= (uint64_t) (count_bits(subset) & 1) << 63;

		for (i = 0; i < result->count && keys[i] != key; i++)
			;
		if (i == result->count)
		{
			keys[i] = key;
			result->terms[i].coefficient = 0;
			result->terms[i].miss = 1 - unset;
			result->count++;
		}
		result->terms[i].coefficient += (count_bits(subset) & 1) ? -1 : 1;
	}
}

static RateTerms rate_terms[BF_BLOCK_WORDS + 1];

void
bf_sizing_init(void)
{
	int			k;

	for (k = 1; k <= BF_BLOCK_WORDS; k++)
		if (rate_terms[k].count == 0)
			build_rate_terms(k, &rate_terms[k]);
}

static double
expected_rate_one_round(double n, uint32_t blocks, int k)
{
	const RateTerms *terms = &rate_terms[k];
	double		rate = 0;
	int			i;

	if (terms->count == 0)
		bf_sizing_init();
	for (i = 0; i < terms->count; i++)
		rate += terms->terms[i].coefficient *
			exp(n * log1p(-terms->terms[i].miss / blocks));
	return rate;
}

/*
 * The rate of one block that holds exactly the given number of values, for
 * k > 8: every word is probed once in round 1, and k - 8 words once more in
 * round 2.
 *
 * A value leaves a given bit of a word unset with probability
 * (63/64) * (1 - (k-8)/512), and two given bits with
 * (62/64) * (1 - 2(k-8)/512).  The second probe hits the same bit as the first
 * in one case of 64.
 */
static double
loaded_block_rate(double load, int k)
{
	int			second = k - BF_BLOCK_WORDS;
	double		unset1 = pow(63.0 / 64 * (1 - second / 512.0), load);
	double		unset2 = pow(62.0 / 64 * (1 - second / 256.0), load);
	double		one = 1 - unset1;
	double		both = one / 64 + 63.0 / 64 * (1 - 2 * unset1 + unset2);

	return pow(one, BF_BLOCK_WORDS - second) * pow(both, second);
}

/*
 * The mean of loaded_block_rate() over the binomial load of a block.  The
 * weights start from 1 at the mode and are divided by their sum: no factorials
 * are computed.
 */
static double
expected_rate_two_rounds(double n, uint32_t blocks, int k)
{
	double		odds = 1.0 / (blocks - 1.0);
	double		mode = floor((n + 1) / blocks);
	double		total = 0;
	double		rate = 0;
	double		weight;
	double		load;

	if (n / blocks > SATURATED_LOAD)
		return 1;
	if (blocks == 1)
		return loaded_block_rate(n, k);

	for (load = mode, weight = 1; load <= n && weight > NEGLIGIBLE; load++)
	{
		total += weight;
		rate += weight * loaded_block_rate(load, k);
		weight *= (n - load) / (load + 1) * odds;
	}
	for (load = mode, weight = 1; load > 0 && weight > NEGLIGIBLE;)
	{
		weight *= load / (n - load + 1) / odds;
		load--;
		total += weight;
		rate += weight * loaded_block_rate(load, k);
	}
	return rate / total;
}

double
bf_expected_rate(double n, uint32_t blocks, int k)
{
	double		rate = k <= BF_BLOCK_WORDS ?
		expected_rate_one_round(n, blocks, k) :
		expected_rate_two_rounds(n, blocks, k);

	return rate < 0 ? 0 : rate > 1 ? 1 : rate;
}

/*
 * The smallest number of blocks with which k hashes keep the rate, or 0 if
 * even BF_MAX_BLOCKS do not.  The rate falls as the number of blocks grows, so
 * the number is found by bisection in a bracket around a guess.
 */
static uint32_t
smallest_blocks(double n, double rate, int k)
{
	/* the textbook size is only a first guess */
	double		guess = n * -log2(rate) / M_LN2 / BF_BLOCK_BITS;
	uint32_t	too_few;
	uint32_t	enough;

	enough = guess >= BF_MAX_BLOCKS ? BF_MAX_BLOCKS :
		guess <= 1 ? 1 : (uint32_t) guess;
	too_few = 0;
	while (bf_expected_rate(n, enough, k) > rate)
	{
		if (enough == BF_MAX_BLOCKS)
			return 0;
		too_few = enough;
		/* a quarter more: the true size is seldom far from the guess */
		enough += enough / 4 + 1;
		if (enough > BF_MAX_BLOCKS)
			enough = BF_MAX_BLOCKS;
	}
	while (enough - too_few > 1)
	{
		uint32_t	middle = too_few + (enough - too_few) / 2;

		if (bf_expected_rate(n, middle, k) > rate)
			too_few = middle;
		else
			enough = middle;
	}
	return enough;
}

bool
bf_choose_size(double n, double rate, uint32_t *blocks, int *k)
{
	double		log2_rate = -log2(rate);
	int			first = (int) fmax(1, ceil(0.6 * log2_rate));
	int			last = (int) fmin(BF_MAX_HASHES, fmax(1, ceil(log2_rate)));
	uint32_t	best = 0;
	double		best_rate = 0;
	uint32_t	unrolled = 0;
	int			candidate;

	if (n > MAX_CAPACITY)
		return false;
	for (candidate = first; candidate <= last; candidate++)
	{
		uint32_t	size = smallest_blocks(n, rate, candidate);
		double		size_rate;

		if (size == 0)
			continue;
		if (candidate == BF_BLOCK_WORDS)
			unrolled = size;
		size_rate = bf_expected_rate(n, size, candidate);
		if (best == 0 || size < best || (size == best && size_rate < best_rate))
		{
			best = size;
			best_rate = size_rate;
			*k = candidate;
		}
	}
	if (best == 0)
		return false;
	/* k = 8 sets one bit in every word: worth 1 % more space */
	if (unrolled != 0 && unrolled <= best * 1.01)
	{
		best = unrolled;
		*k = BF_BLOCK_WORDS;
	}
	*blocks = best;
	return true;
}

double
bf_max_capacity(double rate, uint32_t max_blocks)
{
	double		fits = 1;
	double		too_many = MAX_CAPACITY;
	uint32_t	blocks;
	int			k;

	while (too_many - fits > 1)
	{
		double		middle = floor(fits + (too_many - fits) / 2);

		if (bf_choose_size(middle, rate, &blocks, &k) && blocks <= max_blocks)
			fits = middle;
		else
			too_many = middle;
	}
	return fits;
}

/*
 * Inverts the expected number of set bits, m [1 - (1 - p1)^n], where p1 is
 * the probability that one value sets a given bit: Swamidass and Baldi,
 * "Mathematical Correction for Fingerprint Similarity Measures to Improve
 * Chemical Retrieval", 2007, with p1 of this layout.
 */
double
bf_estimate_count(uint64_t bits_set, uint32_t blocks, int k)
{
	double		bits = (double) blocks * BF_BLOCK_BITS;
	double		per_value;

	if (k <= BF_BLOCK_WORDS)
		per_value = k / bits;
	else
		per_value = (1 - 63.0 / 64 * (1 - (k - BF_BLOCK_WORDS) / 512.0)) / blocks;

	if (bits_set >= bits)
		bits_set = (uint64_t) bits - 1;
	return log1p(-(double) bits_set / bits) / log1p(-per_value);
}

const char *
bf_items_hint(double expected_items)
{
	if (expected_items > 0)
		return "The number of values comes first, then the false positive rate: (1000, 0.01).";
	if (expected_items == 0)
		return "If there may be no values, give greatest(count(*), 1).";
	return "Give the number of distinct values that the filter is to hold.";
}
