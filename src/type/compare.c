/*-------------------------------------------------------------------------
 *
 * compare.c
 *		Two filters: inclusion and equality.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/compatible.h"
#include "type/element.h"
#include "type/view.h"

BF_SQL_FUNCTION(bloomfilter_is_superset);
BF_SQL_FUNCTION(bloomfilter_eq);
BF_SQL_FUNCTION(bloomfilter_ne);
BF_SQL_FUNCTION(bloomfilter_hash);
BF_SQL_FUNCTION(bloomfilter_hash_extended);

/* Is every bit of the part set in the whole? */
static bool
blocks_include(const BfView *whole, const BfView *part)
{
	BfBlockScan whole_scan;
	BfBlockScan part_scan;
	uint32_t	block;

	bf_block_scan_begin(&whole_scan, whole);
	bf_block_scan_begin(&part_scan, part);
	for (block = 0; block < whole->header.blocks; block++)
	{
		const uint8_t *outer = bf_block_scan_next(&whole_scan);
		const uint8_t *inner = bf_block_scan_next(&part_scan);
		uint64_t	missing = 0;
		int			word;

		for (word = 0; word < BF_BLOCK_BYTES; word += 8)
			missing |= bf_load_u64(inner + word) & ~bf_load_u64(outer + word);
		if (missing != 0)
			return false;
	}
	return true;
}

static bool
includes(const BfView *whole, const BfView *part)
{
	uint64_t	i;

	if (part->header.representation == BF_DENSE)
		return blocks_include(whole, part);
	for (i = 0; i < part->header.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!bf_view_contains(whole, bf_load_u64(part->data + 8 * i)))
			return false;
	}
	return true;
}

Datum
bloomfilter_is_superset(PG_FUNCTION_ARGS)
{
	BfView		whole;
	BfView		part;
	bool		result;

	bf_view_open(&whole, PG_GETARG_DATUM(0));
	bf_view_open(&part, PG_GETARG_DATUM(1));
	bf_require_combinable(&whole.header, &part.header);
	result = includes(&whole, &part);
	bf_view_close(&whole);
	bf_view_close(&part);
	PG_RETURN_BOOL(result);
}

/*
 * Equality of the stored bytes.  It never raises, so that ANALYZE, DISTINCT
 * and replica identities work on any column.
 */
static bool
equal(FunctionCallInfo fcinfo)
{
	BfView		a;
	BfView		b;
	uint8_t		header_a[BF_HEADER_BYTES + BF_MAX_NAME];
	uint8_t		header_b[BF_HEADER_BYTES + BF_MAX_NAME];
	bool		result;

	bf_view_open(&a, PG_GETARG_DATUM(0));
	bf_view_open(&b, PG_GETARG_DATUM(1));
	bf_header_write(&a.header, header_a);
	bf_header_write(&b.header, header_b);
	/* equal headers mean equal lengths of both header and data */
	result = memcmp(header_a, header_b, BF_HEADER_BYTES) == 0 &&
		memcmp(header_a, header_b, bf_header_length(&a.header)) == 0 &&
		memcmp(a.data, b.data, bf_data_length(&a.header)) == 0;
	bf_view_close(&a);
	bf_view_close(&b);
	return result;
}

Datum
bloomfilter_eq(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(equal(fcinfo));
}

Datum
bloomfilter_ne(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(!equal(fcinfo));
}

static uint64_t
hash_filter(Datum filter, uint64_t seed)
{
	BfView		view;
	uint8_t		header[BF_HEADER_BYTES + BF_MAX_NAME];
	uint64_t	hash;

	bf_view_open(&view, filter);
	bf_header_write(&view.header, header);
	hash = bf_xxh3(header, bf_header_length(&view.header), seed);
	hash = bf_xxh3(view.data, bf_data_length(&view.header), hash);
	bf_view_close(&view);
	return hash;
}

Datum
bloomfilter_hash(PG_FUNCTION_ARGS)
{
	/* the lower half of the extended hash with seed 0, as hash opclasses must */
	PG_RETURN_UINT32((uint32) hash_filter(PG_GETARG_DATUM(0), 0));
}

Datum
bloomfilter_hash_extended(PG_FUNCTION_ARGS)
{
	PG_RETURN_UINT64(hash_filter(PG_GETARG_DATUM(0), (uint64_t) PG_GETARG_INT64(1)));
}
