/*-------------------------------------------------------------------------
 *
 * shrink.c
 *		Making a filter smaller by merging adjacent blocks.
 *
 * A hash h belongs to block floor(x B / 2^32) of B, where x is the upper half
 * of h, and its bits within the block depend on h only.  For a factor f that
 * divides B, because floor(floor(y) / f) = floor(y / f) for every y >= 0 and
 * every positive integer f,
 *
 *		floor(floor(x B / 2^32) / f) = floor(x (B / f) / 2^32),
 *
 * so that the f blocks from i f on hold exactly the hashes that belong to
 * block i of B / f.  Their union is that block, bit for bit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "core/shrink.h"
#include "type/memory/flat.h"
#include "type/stored/view.h"

BF_SQL_FUNCTION(bloomfilter_shrink);

static void
require_factor(const BfHeader *header, int32 factor)
{
	char		divisors[BF_DIVISORS_ROOM];

	if (header->representation == BF_UNSIZED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot shrink a bloomfilter that has no size yet"),
				 errhint("Shrink the filter that bloom_agg makes of this partial state.")));
	if (factor < 1 || header->blocks % (uint32_t) factor != 0)
	{
		bf_divisors_describe(header->blocks, divisors);
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg_plural("cannot shrink a bloomfilter of %u block by a factor of %d",
							   "cannot shrink a bloomfilter of %u blocks by a factor of %d",
							   header->blocks, header->blocks, factor),
				 errdetail("The factor is how many adjacent blocks become one: it must be positive and divide the number of blocks."),
				 header->blocks == 1 ? errhint("The only possible factor is 1.") :
				 errhint("Possible factors are %s.", divisors)));
	}
}

/* Merge every "factor" blocks into one. */
static void
merge_blocks(const BfView *view, uint8_t *blocks, uint32_t factor)
{
	BfBlockScan scan;
	uint32_t	i;

	bf_block_scan_begin(&scan, view);
	for (i = 0; i < view->header.blocks; i++)
	{
		const uint8_t *source = bf_block_scan_next(&scan);
		uint8_t    *target = blocks + (size_t) (i / factor) * BF_BLOCK_BYTES;
		int			word;

		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			bf_store_u64(target + word,
						 (i % factor == 0 ? 0 : bf_load_u64(target + word)) |
						 bf_load_u64(source + word));
	}
}

Datum
bloomfilter_shrink(PG_FUNCTION_ARGS)
{
	int32		factor = PG_GETARG_INT32(1);
	BfView		view;
	BfHeader	header;
	struct varlena *result;
	uint8_t    *data;

	bf_view_open(BF_PLAIN, &view, PG_GETARG_DATUM(0));
	require_factor(&view.header, factor);

	header = view.header;
	bf_shrink_header(&header, (uint32_t) factor);
	result = bf_flat_create(&header, &data);
	if (header.representation == BF_DENSE)
		merge_blocks(&view, data, (uint32_t) factor);
	else
		memcpy(data, view.data, bf_data_length(&header));
	bf_view_close(&view);
	PG_RETURN_POINTER(result);
}
