/*-------------------------------------------------------------------------
 *
 * block_test.c
 *		The AVX2 block operations against the portable ones, and both against
 *		the layout's definition, bit by bit.
 *
 * Prints one line per check and exits with 1 if any failed.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/block_model.h"

#define HASHES	200000

static int	failures = 0;

static void
report(bool passed, const char *what, int k)
{
	printf("%sok - %s, k = %d\n", passed ? "" : "not ", what, k);
	failures += !passed;
}

/* SplitMix64, for hashes that are the same in every run. */
static uint64_t
next_hash(uint64_t *state)
{
	uint64_t	z = (*state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

typedef void (*Add) (uint8_t *block, uint64_t hash, int k);
typedef bool (*Contains) (const uint8_t *block, uint64_t hash, int k);

/*
 * Fill a block with a few hashes, at every alignment in turn, and compare
 * with the definition; start anew when it is half full.
 */
static void
check(const char *what, Add add, Contains contains, int k)
{
	uint64_t	state = (uint64_t) k;
	uint8_t		room[2 * BF_BLOCK_BYTES] = {0};
	uint8_t		expected[BF_BLOCK_BYTES] = {0};
	bool		same_bits = true;
	bool		same_answers = true;
	int			i;

	for (i = 0; i < HASHES; i++)
	{
		uint8_t    *block = room + i / 40 % BF_BLOCK_BYTES;
		uint64_t	hash = next_hash(&state);
		uint64_t	other = next_hash(&state);

		if (i % 40 == 0)
		{
			memset(room, 0, sizeof(room));
			memset(expected, 0, sizeof(expected));
		}
		add(block, hash, k);
		model_add(expected, hash, k);
		same_bits &= memcmp(block, expected, BF_BLOCK_BYTES) == 0;
		same_answers &= contains(block, hash, k);
		same_answers &= contains(block, other, k) == model_contains(expected, other, k);
	}
	report(same_bits, what, k);
	report(same_answers, what, k);
}

int
main(void)
{
	int			k;

	for (k = 1; k <= BF_MAX_HASHES; k++)
	{
		check("portable block operations", bf_block_add, bf_block_contains, k);
		if (have_avx2())
			check("AVX2 block operations", add_avx2, contains_avx2, k);
	}
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
