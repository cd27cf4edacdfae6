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

#include "core/block.h"
#include "core/block_avx2.h"

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

/* The layout as docs/format.md defines it, one bit after the other. */
static void
add_by_definition(uint8_t *block, uint64_t hash, int k)
{
	uint64_t	g = hash * UINT64_C(0x9E3779B97F4A7C15);
	uint64_t	g2 = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
	int			i;

	for (i = 0; i < k; i++)
	{
		int			word = (int) (((hash >> 29) + (uint64_t) i) & 7);
		int			bit = (int) (((i < 8 ? g : g2) >> (58 - 8 * word)) & 63);

		block[8 * word + bit / 8] |= (uint8_t) (1 << (bit % 8));
	}
}

static bool
contains_by_definition(const uint8_t *block, uint64_t hash, int k)
{
	uint8_t		needed[BF_BLOCK_BYTES] = {0};
	int			i;

	add_by_definition(needed, hash, k);
	for (i = 0; i < BF_BLOCK_BYTES; i++)
		if ((block[i] & needed[i]) != needed[i])
			return false;
	return true;
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
		add_by_definition(expected, hash, k);
		same_bits &= memcmp(block, expected, BF_BLOCK_BYTES) == 0;
		same_answers &= contains(block, hash, k);
		same_answers &= contains(block, other, k) == contains_by_definition(expected, other, k);
	}
	report(same_bits, what, k);
	report(same_answers, what, k);
}

#ifdef BF_HAVE_AVX2

BF_TARGET_AVX2 static void
add_avx2(uint8_t *block, uint64_t hash, int k)
{
	bf_block_add_avx2(block, hash, k);
}

BF_TARGET_AVX2 static bool
contains_avx2(const uint8_t *block, uint64_t hash, int k)
{
	return bf_block_contains_avx2(block, hash, k);
}

#endif

int
main(void)
{
	int			k;

	for (k = 1; k <= BF_MAX_HASHES; k++)
	{
		check("portable block operations", bf_block_add, bf_block_contains, k);
#ifdef BF_HAVE_AVX2
		if (__builtin_cpu_supports("avx2"))
			check("AVX2 block operations", add_avx2, contains_avx2, k);
#endif
	}
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
