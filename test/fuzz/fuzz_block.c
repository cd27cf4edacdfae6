/*-------------------------------------------------------------------------
 *
 * fuzz_block.c
 *		The block operations, portable and AVX2, against a model that
 *		takes one bit after the other.
 *
 * The input is k, the block's alignment, a number of blocks, what the block
 * holds, and hashes to add to it or look for.
 *
 *-------------------------------------------------------------------------
 */
#include "block_model.h"
#include "fuzz.h"

/* Longer inputs are slower, not better. */
#define MAX_STEPS	16

/* The block of a hash is that of the exact product, and never falls. */
static void
check_index(uint64_t hash, uint32_t blocks)
{
	uint32_t	index = bf_block_index(hash, blocks);
	unsigned __int128 product = (unsigned __int128) (hash >> 32) * blocks;

	REQUIRE(index == (uint32_t) (product >> 32));
	REQUIRE(index < blocks);
	REQUIRE(bf_block_offset(hash, blocks) == (size_t) index * 64);
	REQUIRE(bf_block_index(hash | UINT32_MAX, blocks) == index);
	REQUIRE(hash == UINT64_MAX || bf_block_index(hash + 1, blocks) >= index);
	REQUIRE(bf_block_index(0, blocks) == 0);
	REQUIRE(bf_block_index(UINT64_MAX, blocks) == blocks - 1);
}

static void
check_contains(const uint8_t *model, const uint8_t *block, uint64_t hash, int k)
{
	bool		expected = model_contains(model, hash, k);

	REQUIRE(bf_block_contains(block, hash, k) == expected);
	if (have_avx2())
		REQUIRE(contains_avx2(block, hash, k) == expected);
}

/* Set exactly the bits of the model, in both ways. */
static void
check_add(uint8_t *model, uint8_t *block, uint64_t hash, int k)
{
	uint8_t		before[BF_BLOCK_BYTES];

	memcpy(before, block, sizeof(before));
	model_add(model, hash, k);
	bf_block_add(block, hash, k);
	REQUIRE(memcmp(model, block, BF_BLOCK_BYTES) == 0);
	if (have_avx2())
	{
		memcpy(block, before, sizeof(before));
		add_avx2(block, hash, k);
		REQUIRE(memcmp(model, block, BF_BLOCK_BYTES) == 0);
	}
	check_contains(model, block, hash, k);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FuzzInput	input = {data, size};
	int			k = 1 + (int) fuzz_take(&input, 1) % BF_MAX_HASHES;
	size_t		offset = fuzz_take(&input, 1) % BF_BLOCK_BYTES;
	uint32_t	blocks = 1 + (uint32_t) fuzz_take(&input, 4) % BF_MAX_BLOCKS;
	/* the block ends where the allocation does, and may start with it */
	uint8_t    *room = malloc(offset + BF_BLOCK_BYTES);
	uint8_t    *block = room + offset;
	uint8_t		model[BF_BLOCK_BYTES];
	unsigned	i;

	memset(room, 0x5A, offset);
	for (i = 0; i < BF_BLOCK_BYTES; i++)
		block[i] = (uint8_t) fuzz_take(&input, 1);
	memcpy(model, block, BF_BLOCK_BYTES);

	for (i = 0; i < MAX_STEPS && input.left > 0; i++)
	{
		bool		add = fuzz_take(&input, 1) % 2 == 1;
		uint64_t	hash = fuzz_take(&input, 8);

		check_index(hash, blocks);
		if (add)
			check_add(model, block, hash, k);
		else
			check_contains(model, block, hash, k);
	}

	REQUIRE(memcmp(model, block, BF_BLOCK_BYTES) == 0);
	for (i = 0; i < offset; i++)
		REQUIRE(room[i] == 0x5A);
	free(room);
	return 0;
}
