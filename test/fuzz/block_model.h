/*-------------------------------------------------------------------------
 *
 * block_model.h
 *		What the block operations are held against: the layout as
 *		docs/format.md defines it, one bit after the other.  And the AVX2
 *		operations as functions.
 *
 * Does not depend on the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BLOCK_MODEL_H
#define BLOCK_MODEL_H

#include "core/block.h"
#include "core/block_avx2.h"

/* docs/format.md, "Blocks and bits": the i-th of the k bits of a hash. */
static unsigned
model_bit(uint64_t hash, unsigned i)
{
	unsigned	word = (unsigned) ((hash >> 29) + i) % 8;
	uint64_t	product = i < 8 ? hash * UINT64_C(0x9E3779B97F4A7C15) :
		(hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);

	return 64 * word + (product >> (58 - 8 * word)) % 64;
}

static void
model_add(uint8_t *model, uint64_t hash, int k)
{
	int			i;

	for (i = 0; i < k; i++)
	{
		unsigned	bit = model_bit(hash, (unsigned) i);

		model[bit / 8] |= (uint8_t) (1 << bit % 8);
	}
}

static bool
model_contains(const uint8_t *model, uint64_t hash, int k)
{
	int			i;

	for (i = 0; i < k; i++)
	{
		unsigned	bit = model_bit(hash, (unsigned) i);

		if ((model[bit / 8] >> bit % 8 & 1) == 0)
			return false;
	}
	return true;
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

static bool
have_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

#else

#define add_avx2		bf_block_add
#define contains_avx2	bf_block_contains
#define have_avx2()		false

#endif

#endif							/* BLOCK_MODEL_H */
