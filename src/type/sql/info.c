/*-------------------------------------------------------------------------
 *
 * info.c
 *		Estimates of how many values a filter, or two filters together,
 *		contain, and of its false positive rate.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "core/estimate.h"
#include "core/sizing.h"
#include "core/text.h"
#include "type/hashing/compatible.h"
#include "type/memory/blocks.h"
#include "type/memory/flat.h"
#include "type/sql/functions.h"
#include "type/sql/info.h"
#include "type/stored/view.h"

BF_SQL_FUNCTION(bloomfilter_union_cardinality);
BF_SQL_FUNCTION(bloomfilter_intersection_cardinality);
BF_SQL_FUNCTION(bloomfilter_jaccard);
BF_SQL_FUNCTION(bloomfilter_info);

/*
 * Number of blocks from which the planner estimates the rate, to 9 %, and the
 * number of values, to 1 %.  They are 8 kB to read, in each of a thousand
 * partitions if necessary.
 */
#define PLANNER_SAMPLE	128

/* The columns of bloom_info. */
enum
{
	ELEMENT_TYPE, REPRESENTATION, EXPECTED_ITEMS, TARGET_RATE, SEED, BITS, HASHES,
	BITS_SET, FILL, ESTIMATED_ITEMS, ESTIMATED_RATE, BYTES, NCOLUMNS
};

StaticAssertDecl(NCOLUMNS == BF_INFO_COLUMNS, "bloom_info has other columns");

/* Estimated sizes of two sets, their union and their intersection. */
typedef struct SetSizes
{
	double		a;
	double		b;
	double		both;
	double		either;
} SetSizes;

static double
estimated_items(const BfView *view)
{
	const BfHeader *header = &view->header;

	if (header->representation != BF_DENSE)
		return (double) header->count;
	return bf_estimate_count(bf_view_bits_set(view), header->blocks, header->hashes);
}

/*
 * The i-th of "samples" blocks of bits, evenly spread over the filter.  The
 * block may be made in "made".
 */
static const uint8_t *
sampled_block(const BfView *view, uint32_t i, uint32_t samples, uint8_t *made)
{
	return bf_view_block(view, (uint32_t) ((uint64_t) i * view->header.blocks / samples), made);
}

/*
 * The rate, from so many evenly spread blocks, or from all if there are fewer.
 */
static double
sampled_rate(const BfView *view, uint32_t samples)
{
	const BfHeader *header = &view->header;
	uint8_t		made[BF_BLOCK_BYTES];
	double		sum = 0;
	uint32_t	i;

	/*
	 * a list has a false positive only if two values have the same 64-bit hash
	 */
	if (header->representation != BF_DENSE)
		return ldexp((double) header->count, -64);

	samples = Min(header->blocks, samples);
	for (i = 0; i < samples; i++)
		sum += bf_block_rate(sampled_block(view, i, samples, made), header->hashes);
	return sum / samples;
}

static double
estimated_rate(const BfView *view)
{
	return sampled_rate(view, BF_RATE_SAMPLE);
}

void
bf_estimate_fill(const BfView *view, double *items, double *rate)
{
	const BfHeader *header = &view->header;
	uint32_t	samples = Min(header->blocks, PLANNER_SAMPLE);
	uint8_t		made[BF_BLOCK_BYTES];
	uint64_t	bits = 0;
	uint32_t	i;

	*rate = sampled_rate(view, PLANNER_SAMPLE);
	if (header->representation != BF_DENSE)
	{
		*items = (double) header->count;
		return;
	}
	for (i = 0; i < samples; i++)
		bits += bf_blocks_popcount(sampled_block(view, i, samples, made), 1);
	*items = bf_estimate_count(bits, samples, header->hashes) * header->blocks / samples;
}

/* The number of hashes that two sorted lists have in common. */
static uint64_t
count_common(const BfView *a, const BfView *b)
{
	uint64_t	i = 0;
	uint64_t	j = 0;
	uint64_t	common = 0;

	while (i < a->header.count && j < b->header.count)
	{
		uint64_t	left = bf_load_u64(a->data + 8 * i);
		uint64_t	right = bf_load_u64(b->data + 8 * j);

		CHECK_FOR_INTERRUPTS();
		common += left == right;
		i += left <= right;
		j += right <= left;
	}
	return common;
}

static uint64_t
bits_set_in_union(const BfView *a, const BfView *b)
{
	BfBlockScan scan_a;
	BfBlockScan scan_b;
	uint64_t	bits = 0;
	uint32_t	block;

	bf_block_scan_begin(&scan_a, a);
	bf_block_scan_begin(&scan_b, b);
	for (block = 0; block < a->header.blocks; block++)
	{
		const uint8_t *left = bf_block_scan_next(&scan_a);
		const uint8_t *right = bf_block_scan_next(&scan_b);
		uint64_t	either[BF_BLOCK_WORDS];
		int			word;

		for (word = 0; word < BF_BLOCK_WORDS; word++)
			either[word] = bf_load_u64(left + 8 * word) | bf_load_u64(right + 8 * word);
		bits += bf_blocks_popcount((const uint8_t *) either, 1);
	}
	return bits;
}

/*
 * The sizes of two filters' sets.  They are exact if both filters are lists,
 * and otherwise estimated from the bits: the union from the bits of the union,
 * the intersection by inclusion and exclusion (Swamidass and Baldi, 2007).
 * Since the estimates have independent errors, each is limited to what the
 * others allow.
 */
static void
estimate_sizes(FunctionCallInfo fcinfo, SetSizes *sizes)
{
	BfView		a;
	BfView		b;

	bf_view_open(BF_PLAIN, &a, PG_GETARG_DATUM(0));
	bf_view_open(BF_PLAIN, &b, PG_GETARG_DATUM(1));
	bf_require_combinable(&a.header, &b.header);

	sizes->a = estimated_items(&a);
	sizes->b = estimated_items(&b);
	if (a.header.representation != BF_DENSE && b.header.representation != BF_DENSE)
	{
		sizes->both = (double) count_common(&a, &b);
		sizes->either = sizes->a + sizes->b - sizes->both;
	}
	else
	{
		sizes->either = bf_estimate_count(bits_set_in_union(&a, &b),
										  a.header.blocks, a.header.hashes);
		sizes->either = Max(sizes->either, Max(sizes->a, sizes->b));
		sizes->both = Max(sizes->a + sizes->b - sizes->either, 0);
	}
	bf_view_close(&a);
	bf_view_close(&b);
}

static Datum
cardinality(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfView		view;
	uint64_t	count;
	double		result;

	if (bf_view_is_list(type, PG_GETARG_DATUM(0), &count))
		PG_RETURN_INT64((int64) count);
	bf_view_open(type, &view, PG_GETARG_DATUM(0));
	result = estimated_items(&view);
	bf_view_close(&view);
	PG_RETURN_INT64((int64) rint(result));
}

static Datum
false_positive_rate(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfView		view;
	double		result;

	bf_view_open(type, &view, PG_GETARG_DATUM(0));
	result = estimated_rate(&view);
	bf_view_close(&view);
	PG_RETURN_FLOAT8(result);
}

BF_SQL_OF_BOTH(cardinality, cardinality);
BF_SQL_OF_BOTH(false_positive_rate, false_positive_rate);

Datum
bloomfilter_union_cardinality(PG_FUNCTION_ARGS)
{
	SetSizes	sizes;

	estimate_sizes(fcinfo, &sizes);
	PG_RETURN_INT64((int64) rint(sizes.either));
}

Datum
bloomfilter_intersection_cardinality(PG_FUNCTION_ARGS)
{
	SetSizes	sizes;

	estimate_sizes(fcinfo, &sizes);
	PG_RETURN_INT64((int64) rint(sizes.both));
}

Datum
bloomfilter_jaccard(PG_FUNCTION_ARGS)
{
	SetSizes	sizes;

	estimate_sizes(fcinfo, &sizes);
	/* two empty sets are the same set */
	PG_RETURN_FLOAT8(sizes.either == 0 ? 1 : sizes.both / sizes.either);
}

void
bf_info_columns(const BfView *view, Datum *values, bool *nulls)
{
	const BfHeader *header = &view->header;
	char	   *type_name = bf_element_type_name(header);

	memset(nulls, 0, BF_INFO_COLUMNS * sizeof(bool));
	if (type_name != NULL)
		values[ELEMENT_TYPE] = CStringGetTextDatum(type_name);
	else
		nulls[ELEMENT_TYPE] = true;
	values[REPRESENTATION] = CStringGetTextDatum(bf_representation_name(header->representation));
	values[TARGET_RATE] = Float8GetDatum(header->rate);
	values[SEED] = Int64GetDatum(header->seed);
	values[ESTIMATED_ITEMS] = Int64GetDatum((int64) rint(estimated_items(view)));
	values[ESTIMATED_RATE] = Float8GetDatum(estimated_rate(view));
	values[BYTES] = Int64GetDatum((int64) bf_flat_size(header));

	if (header->representation == BF_UNSIZED)
		nulls[EXPECTED_ITEMS] = nulls[BITS] = nulls[HASHES] = nulls[BITS_SET] = nulls[FILL] = true;
	else
	{
		uint64_t	bits = (uint64_t) header->blocks * BF_BLOCK_BITS;
		uint64_t	bits_set = bf_view_bits_set(view);

		values[EXPECTED_ITEMS] = Int64GetDatum((int64) header->capacity);
		values[BITS] = Int64GetDatum((int64) bits);
		values[HASHES] = Int32GetDatum(header->hashes);
		values[BITS_SET] = Int64GetDatum((int64) bits_set);
		values[FILL] = Float8GetDatum((double) bits_set / bits);
	}
}

Datum
bf_info_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	TupleDesc	tupdesc;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(tupdesc, values, nulls));
}

Datum
bloomfilter_info(PG_FUNCTION_ARGS)
{
	Datum		values[BF_INFO_COLUMNS];
	bool		nulls[BF_INFO_COLUMNS];
	BfView		view;

	bf_view_open(BF_PLAIN, &view, PG_GETARG_DATUM(0));
	bf_info_columns(&view, values, nulls);
	bf_view_close(&view);
	PG_RETURN_DATUM(bf_info_row(fcinfo, values, nulls));
}
