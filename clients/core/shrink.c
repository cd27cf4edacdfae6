/*-------------------------------------------------------------------------
 *
 * shrink.c
 *		Making a filter smaller by merging adjacent blocks.
 *
 * src/type/sql/shrink.c of the server proves that the result is bit for bit the
 * filter with fewer blocks.
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>

#include "core/shrink.h"
#include "internal.h"

static bool
require_factor(const BfFilter *filter, int32_t factor, BfError *error)
{
	uint32_t	blocks = filter->header.blocks;
	char		divisors[BF_DIVISORS_ROOM];

	if (filter->header.representation == BF_UNSIZED)
	{
		bf_error_set(error, BF_ERROR_PARAMETER, "cannot shrink a bloomfilter that has no size yet");
		return bf_error_hint(error, "Shrink the filter that bloom_agg makes of this partial state.");
	}
	if (factor >= 1 && blocks % (uint32_t) factor == 0)
		return true;
	bf_divisors_describe(blocks, divisors);
	bf_error_set(error, BF_ERROR_PARAMETER,
				 "cannot shrink a bloomfilter of %" PRIu32 " %s by a factor of %" PRId32,
				 blocks, blocks == 1 ? "block" : "blocks", factor);
	bf_error_detail(error, "The factor is how many adjacent blocks become one: it must be positive and divide the number of blocks.");
	if (blocks == 1)
		return bf_error_hint(error, "The only possible factor is 1.");
	return bf_error_hint(error, "Possible factors are %s.", divisors);
}

/* Merge the blocks, or add the list's hashes, into blocks that are zero. */
static void
write_shrunk(const BfFilter *filter, uint32_t factor, const BfHeader *shrunk, uint8_t *blocks)
{
	BfHeader	list = *shrunk;
	uint32_t	i;

	if (filter->header.representation != BF_DENSE)
	{
		list.count = filter->header.count;
		bf_list_add_to_blocks(&list, filter->data, blocks);
		return;
	}
	for (i = 0; i < filter->header.blocks; i++)
	{
		const uint8_t *source = filter->data + (size_t) i * BF_BLOCK_BYTES;
		uint8_t    *target = blocks + (size_t) (i / factor) * BF_BLOCK_BYTES;
		int			word;

		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			bf_store_u64(target + word, bf_load_u64(target + word) | bf_load_u64(source + word));
	}
}

BfFilter *
bf_filter_shrink(BfFilter *filter, int32_t factor, BfError *error)
{
	BfHeader	header;
	BfStorage	storage;
	size_t		length;

	if (!require_factor(filter, factor, error) || !bf_filter_settle(filter, error))
		return NULL;
	header = filter->header;
	bf_shrink_header(&header, (uint32_t) factor);
	length = bf_data_length(&header);
	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, length, error))
		return NULL;
	if (header.representation != BF_DENSE)
		memcpy(storage.data, filter->data, length);
	else
	{
		memset(storage.data, 0, length);
		write_shrunk(filter, (uint32_t) factor, &header, storage.data);
	}
	return bf_filter_make(&header, storage, error);
}
