/*-------------------------------------------------------------------------
 *
 * data.c
 *		The data that follow a filter's header: blocks, or a list of hashes.
 *
 *-------------------------------------------------------------------------
 */
#include "core/data.h"

bool
bf_list_find(const uint8_t *hashes, uint64_t count, uint64_t hash, uint64_t *place)
{
	uint64_t	low = 0;
	uint64_t	high = count;

	while (low < high)
	{
		uint64_t	middle = low + (high - low) / 2;
		uint64_t	candidate = bf_load_u64(hashes + 8 * middle);

		if (candidate == hash)
		{
			*place = middle;
			return true;
		}
		if (candidate < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

int
bf_data_count(const BfHeader *header, const uint8_t *data, uint64_t hash)
{
	uint64_t	place;

	if (header->representation != BF_DENSE)
	{
		if (!bf_list_find(data, header->count, hash, &place))
			return 0;
		return header->type == BF_COUNTING ? bf_list_counts(header, data)[place] : 1;
	}
	if (header->type == BF_COUNTING)
		return bf_counter_block_count(data + bf_counter_block_offset(hash, header->blocks),
									  hash, header->hashes);
	return bf_block_contains(data + bf_block_offset(hash, header->blocks),
							 hash, header->hashes);
}

void
bf_list_make_block(const BfHeader *header, const uint8_t *list, uint32_t index,
				   uint64_t *next_hash, uint8_t *block)
{
	memset(block, 0, BF_BLOCK_BYTES);
	for (; *next_hash < header->count; (*next_hash)++)
	{
		uint64_t	hash = bf_load_u64(list + 8 * *next_hash);

		if (bf_block_index(hash, header->blocks) != index)
			break;
		bf_block_add(block, hash, header->hashes);
	}
}

void
bf_list_add_to_blocks(const BfHeader *header, const uint8_t *list, uint8_t *blocks)
{
	uint64_t	i;

	for (i = 0; i < header->count; i++)
	{
		uint64_t	hash = bf_load_u64(list + 8 * i);

		bf_block_add(blocks + bf_block_offset(hash, header->blocks), hash, header->hashes);
	}
}

void
bf_list_make_counters(const BfHeader *header, const uint8_t *list, uint32_t index,
					  uint64_t *next_hash, uint8_t *block)
{
	const uint8_t *counts = bf_list_counts(header, list);

	memset(block, 0, BF_COUNTER_BLOCK_BYTES);
	for (; *next_hash < header->count; (*next_hash)++)
	{
		uint64_t	hash = bf_load_u64(list + 8 * *next_hash);

		if (bf_block_index(hash, header->blocks) != index)
			break;
		bf_counter_block_add(block, hash, header->hashes, counts[*next_hash]);
	}
}
