/*-------------------------------------------------------------------------
 *
 * sets.c
 *		Filters outside the server: union and intersection, and properties of
 *		whole filters.
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/combine.h"
#include "core/estimate.h"
#include "core/sizing.h"
#include "internal.h"

/* The size of PostgreSQL's length word in front of a value in a table. */
#define LENGTH_WORD	4

/* ---------- combining ---------- */

static bool
report_family_mismatch(const BfFilter *a, const BfFilter *b, BfError *error)
{
	char		in_a[BF_MAX_NAME + 1];
	char		in_b[BF_MAX_NAME + 1];
	const char *name = bf_filter_element_type(a, in_a);

	if (a->header.family == BF_FAMILY_OWN && b->header.family == BF_FAMILY_OWN &&
		bf_names_equal(&a->header, &b->header))
	{
		bf_error_set(error, BF_ERROR_MISMATCH,
					 "bloomfilters of type %s were built in different environments", name);
		bf_error_detail(error, "The hashes of one depend on environment %016" PRIx64
						", those of the other on %016" PRIx64 ".",
						a->header.environment, b->header.environment);
		return bf_error_hint(error, "Build both in one database, or from text in which equal values are always written alike, such as trim_scale(n)::text and lower(c::text).");
	}
	bf_error_set(error, BF_ERROR_MISMATCH, "bloomfilters hold values of different types");
	bf_error_detail(error, "One holds values of type %s, the other of type %s.",
					name, bf_filter_element_type(b, in_b));
	return bf_error_hint(error, "Build both from values cast to the same type.");
}

/* Check that two filters can be combined, and turn their trees into lists. */
static bool
begin_combining(BfFilter *a, BfFilter *b, BfError *error)
{
	char		in_a[BF_PARAMETERS_ROOM];
	char		in_b[BF_PARAMETERS_ROOM];
	BfLocale	locale;

	if (!bf_families_combine(&a->header, &b->header))
		return report_family_mismatch(a, b, error);
	if (bf_parameters_combine(&a->header, &b->header))
		return bf_filter_settle(a, error) && bf_filter_settle(b, error);

	locale = bf_locale_enter();
	bf_parameters_describe(&a->header, in_a);
	bf_parameters_describe(&b->header, in_b);
	bf_locale_leave(locale);
	bf_error_set(error, BF_ERROR_PARAMETER,
				 "bloomfilters of different parameters cannot be combined");
	bf_error_detail(error, "One has %s, the other %s.", in_a, in_b);
	return bf_error_hint(error, "%s", bf_parameters_hint(&a->header, &b->header));
}

/*
 * Replace a's data, representation and count by these, and take over b's
 * family, capacity and rate.  The storage is taken over, too; without memory
 * it is freed.
 */
static bool
finish_combining(BfFilter *a, const BfFilter *b, BfRepresentation representation,
				 uint64_t count, BfStorage storage, BfError *error)
{
	BfHeader	header = a->header;

	bf_combine_headers(&header, &b->header);
	header.representation = representation;
	header.count = count;
	if (header.name != a->header.name)
	{
		char	   *name = malloc(header.name_len);

		if (name == NULL)
		{
			free(storage.allocated);
			return bf_error_memory(error);
		}
		memcpy(name, header.name, header.name_len);
		header.name = name;
	}
	bf_filter_replace(a, &header, storage);
	return true;
}

static bool
allocate_data(BfStorage *storage, uint64_t bytes, BfError *error)
{
	if (bytes > SIZE_MAX / 2)
		return bf_error_memory(error);
	return bf_storage_allocate(storage, BF_HEADER_BYTES, (size_t) bytes, error);
}

/* ---------- union ---------- */

static uint64_t
hash_at(const BfFilter *filter, uint64_t i)
{
	return bf_load_u64(filter->data + 8 * i);
}

/* Write the union of two lists.  Returns its length. */
static uint64_t
merge_lists(const BfFilter *a, const BfFilter *b, uint8_t *list)
{
	uint64_t	i = 0;
	uint64_t	j = 0;
	uint64_t	n = 0;

	while (i < a->header.count || j < b->header.count)
	{
		uint64_t	hash;

		if (j == b->header.count || (i < a->header.count && hash_at(a, i) <= hash_at(b, j)))
			hash = hash_at(a, i);
		else
			hash = hash_at(b, j);
		i += i < a->header.count && hash_at(a, i) == hash;
		j += j < b->header.count && hash_at(b, j) == hash;
		bf_store_u64(list + 8 * n++, hash);
	}
	return n;
}

/* Add the bits of a filter to blocks. */
static void
add_to_blocks(const BfFilter *filter, uint8_t *blocks)
{
	size_t		bytes = bf_data_length(&filter->header);
	size_t		i;

	if (filter->header.representation != BF_DENSE)
		bf_list_add_to_blocks(&filter->header, filter->data, blocks);
	else
		for (i = 0; i < bytes; i++)
			blocks[i] |= filter->data[i];
}

/*
 * The union if at least one filter has blocks, or if a list of both is too
 * long.
 */
static bool
unite_blocks(BfFilter *a, const BfFilter *b, BfError *error)
{
	const BfFilter *first = b->header.representation == BF_DENSE ? b : a;
	size_t		bytes = (size_t) a->header.blocks * BF_BLOCK_BYTES;
	BfStorage	storage;

	if (!allocate_data(&storage, bytes, error))
		return false;
	if (first->header.representation == BF_DENSE)
		memcpy(storage.data, first->data, bytes);
	else
	{
		memset(storage.data, 0, bytes);
		add_to_blocks(first, storage.data);
	}
	add_to_blocks(first == a ? b : a, storage.data);
	return finish_combining(a, b, BF_DENSE, 0, storage, error);
}

static bool
unite_lists(BfFilter *a, const BfFilter *b, BfError *error)
{
	bool		unsized = a->header.representation == BF_UNSIZED;
	BfStorage	storage;
	uint64_t	count;

	if (!allocate_data(&storage, 8 * (a->header.count + b->header.count), error))
		return false;
	count = merge_lists(a, b, storage.data);
	if (count <= (unsized ? BF_MAX_LIST : a->header.blocks))
		return finish_combining(a, b, a->header.representation, count, storage, error);
	free(storage.allocated);
	return unsized ? bf_error_list_limit(error) : unite_blocks(a, b, error);
}

bool
bf_filter_unite(BfFilter *a, BfFilter *b, BfError *error)
{
	if (!begin_combining(a, b, error))
		return false;
	if (a->header.representation != BF_DENSE && b->header.representation != BF_DENSE)
		return unite_lists(a, b, error);
	return unite_blocks(a, b, error);
}

/* ---------- intersection ---------- */

/*
 * The intersection if at least one filter is a list: those of its hashes that
 * the other filter contains.
 */
static bool
intersect_list(BfFilter *a, const BfFilter *b, BfError *error)
{
	const BfFilter *list = a->header.representation != BF_DENSE ? a : b;
	const BfFilter *other = list == a ? b : a;
	BfStorage	storage;
	uint64_t	count = 0;
	uint64_t	i;

	if (!allocate_data(&storage, bf_data_length(&list->header), error))
		return false;
	for (i = 0; i < list->header.count; i++)
		if (bf_filter_contains_hash(other, hash_at(list, i)))
			bf_store_u64(storage.data + 8 * count++, hash_at(list, i));
	return finish_combining(a, b, list->header.representation, count, storage, error);
}

static bool
intersect_blocks(BfFilter *a, const BfFilter *b, BfError *error)
{
	size_t		bytes = bf_data_length(&a->header);
	BfStorage	storage;
	size_t		i;

	if (!allocate_data(&storage, bytes, error))
		return false;
	for (i = 0; i < bytes; i++)
		storage.data[i] = a->data[i] & b->data[i];
	return finish_combining(a, b, BF_DENSE, 0, storage, error);
}

bool
bf_filter_intersect(BfFilter *a, BfFilter *b, BfError *error)
{
	if (!begin_combining(a, b, error))
		return false;
	if (a->header.representation != BF_DENSE || b->header.representation != BF_DENSE)
		return intersect_list(a, b, error);
	return intersect_blocks(a, b, error);
}

/* ---------- whole filters ---------- */

bool
bf_filter_equal(BfFilter *a, BfFilter *b, bool *equal, BfError *error)
{
	uint8_t		in_a[BF_HEADER_BYTES + BF_MAX_NAME];
	uint8_t		in_b[BF_HEADER_BYTES + BF_MAX_NAME];

	if (!bf_filter_settle(a, error) || !bf_filter_settle(b, error))
		return false;
	bf_header_write(&a->header, in_a);
	bf_header_write(&b->header, in_b);
	*equal = bf_header_length(&a->header) == bf_header_length(&b->header) &&
		memcmp(in_a, in_b, bf_header_length(&a->header)) == 0 &&
		memcmp(a->data, b->data, bf_data_length(&a->header)) == 0;
	return true;
}

/* The number of bits that a list's hashes would set. */
static uint64_t
list_bits_set(const BfFilter *filter)
{
	const BfHeader *header = &filter->header;
	uint8_t		block[BF_BLOCK_BYTES];
	uint64_t	bits = 0;
	uint64_t	next = 0;

	while (next < header->count)
	{
		bf_list_make_block(header, filter->data,
						   bf_block_index(hash_at(filter, next), header->blocks), &next, block);
		bits += bf_blocks_popcount(block, 1);
	}
	return bits;
}

/* The current false positive rate, from a sample if there are many blocks. */
static double
rate_as_filled(const BfFilter *filter)
{
	const BfHeader *header = &filter->header;
	uint32_t	samples = header->blocks < BF_RATE_SAMPLE ? header->blocks : BF_RATE_SAMPLE;
	double		sum = 0;
	uint32_t	i;

	/*
	 * a list has a false positive only if two values have the same 64-bit hash
	 */
	if (header->representation != BF_DENSE)
		return ldexp((double) header->count, -64);
	for (i = 0; i < samples; i++)
		sum += bf_block_rate(filter->data +
							 (size_t) ((uint64_t) i * header->blocks / samples) * BF_BLOCK_BYTES,
							 header->hashes);
	return sum / samples;
}

bool
bf_filter_info(BfFilter *filter, BfInfo *info, BfError *error)
{
	const BfHeader *header = &filter->header;

	if (!bf_filter_settle(filter, error))
		return false;
	memset(info, 0, sizeof(*info));
	if (header->representation != BF_UNSIZED)
	{
		info->bits = (uint64_t) header->blocks * BF_BLOCK_BITS;
		info->bits_set = header->representation == BF_DENSE ?
			bf_blocks_popcount(filter->data, header->blocks) : list_bits_set(filter);
		info->fill = (double) info->bits_set / (double) info->bits;
	}
	info->items = header->representation != BF_DENSE ? (int64_t) header->count :
		(int64_t) rint(bf_estimate_count(info->bits_set, header->blocks, header->hashes));
	info->rate = rate_as_filled(filter);
	info->bytes = LENGTH_WORD + bf_header_length(header) + bf_data_length(header);
	return true;
}

bool
bf_filter_write_blocks(BfFilter *filter, uint32_t first, uint32_t count, uint8_t *dst,
					   BfError *error)
{
	const BfHeader *header = &filter->header;
	uint64_t	next = 0;
	uint32_t	i;

	if (header->representation == BF_DENSE)
	{
		memcpy(dst, filter->data + (size_t) first * BF_BLOCK_BYTES,
			   (size_t) count * BF_BLOCK_BYTES);
		return true;
	}
	if (!bf_filter_settle(filter, error))
		return false;
	while (next < header->count && bf_block_index(hash_at(filter, next), header->blocks) < first)
		next++;
	for (i = 0; i < count; i++)
		bf_list_make_block(header, filter->data, first + i, &next,
						   dst + (size_t) i * BF_BLOCK_BYTES);
	return true;
}

bool
bf_filter_count_blocks(BfFilter *filter, uint16_t *bits_set, BfError *error)
{
	const BfHeader *header = &filter->header;
	uint64_t	next = 0;
	uint32_t	i;

	if (!bf_filter_settle(filter, error))
		return false;
	for (i = 0; i < header->blocks; i++)
	{
		uint8_t		made[BF_BLOCK_BYTES];
		const uint8_t *block = made;

		if (header->representation == BF_DENSE)
			block = filter->data + (size_t) i * BF_BLOCK_BYTES;
		else
			bf_list_make_block(header, filter->data, i, &next, made);
		bits_set[i] = (uint16_t) bf_blocks_popcount(block, 1);
	}
	return true;
}
