/*-------------------------------------------------------------------------
 *
 * filter.c
 *		Filters outside the server: their memory, and adding and testing
 *		values.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>
#include <stdlib.h>

#include "core/sizing.h"
#include "core/text.h"
#include "internal.h"

/* ---------- memory ---------- */

bool
bf_storage_allocate(BfStorage *storage, size_t header_len, size_t data_len, BfError *error)
{
	/* header lengths are multiples of 8 */
	size_t		lead = (BF_BLOCK_BYTES - header_len % BF_BLOCK_BYTES) % BF_BLOCK_BYTES;
	size_t		size = lead + header_len + data_len;

	/* aligned_alloc() requires a multiple of the alignment */
	size = (size + BF_BLOCK_BYTES - 1) / BF_BLOCK_BYTES * BF_BLOCK_BYTES;
	storage->allocated = size > data_len ? aligned_alloc(BF_BLOCK_BYTES, size) : NULL;
	if (storage->allocated == NULL)
	{
		bf_error_memory(error);
		return false;
	}
	storage->payload = (uint8_t *) storage->allocated + lead;
	storage->data = storage->payload + header_len;
	return true;
}

BfFilter *
bf_filter_make(const BfHeader *header, BfStorage storage, BfError *error)
{
	BfFilter   *filter = calloc(1, sizeof(*filter));
	char	   *name = header->name_len > 0 ? malloc(header->name_len) : NULL;

	if (filter == NULL || (header->name_len > 0 && name == NULL))
	{
		free(filter);
		free(name);
		free(storage.allocated);
		bf_error_memory(error);
		return NULL;
	}
	if (header->name_len > 0)
		memcpy(name, header->name, header->name_len);
	filter->header = *header;
	filter->header.name = name;
	filter->storage = storage.allocated;
	filter->data = storage.data;
	return filter;
}

void
bf_filter_replace(BfFilter *filter, const BfHeader *header, BfStorage storage)
{
	bf_hashtree_free(filter->tree);
	free(filter->storage);
	filter->header = *header;
	filter->tree = NULL;
	filter->storage = storage.allocated;
	filter->data = storage.data;
}

void
bf_filter_free(BfFilter *filter)
{
	if (filter == NULL)
		return;
	bf_hashtree_free(filter->tree);
	free(filter->storage);
	free((char *) filter->header.name);
	free(filter);
}

size_t
bf_filter_memory(const BfFilter *filter)
{
	return sizeof(*filter) + filter->header.name_len +
		(filter->tree != NULL ? bf_hashtree_memory(filter->tree) :
		 BF_HEADER_BYTES + bf_data_length(&filter->header));
}

bool
bf_filter_settle(BfFilter *filter, BfError *error)
{
	BfHeader	header = filter->header;
	BfStorage	storage;

	if (filter->tree == NULL)
		return true;
	header.count = bf_hashtree_count(filter->tree);
	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, bf_data_length(&header), error))
		return false;
	bf_hashtree_write(filter->tree, storage.data);
	bf_filter_replace(filter, &header, storage);
	return true;
}

BfFilter *
bf_filter_copy(const BfFilter *filter, BfError *error)
{
	BfHeader	header = filter->header;
	BfStorage	storage;

	header.count = bf_filter_count(filter);
	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, bf_data_length(&header), error))
		return NULL;
	if (filter->tree != NULL)
		bf_hashtree_write(filter->tree, storage.data);
	else
		memcpy(storage.data, filter->data, bf_data_length(&header));
	return bf_filter_make(&header, storage, error);
}

/* ---------- new filters ---------- */

static const char *
write_number(double value, char buffer[BF_NUMBER_ROOM])
{
	BfLocale	locale = bf_locale_enter();

	bf_number_write(value, buffer);
	bf_locale_leave(locale);
	return buffer;
}

static bool
check_parameters(double expected_items, double rate, BfError *error)
{
	char		smallest[BF_NUMBER_ROOM];
	char		given[BF_NUMBER_ROOM];

	/*
	 * Written so that a NaN fails.  The number comes before the rate: given in
	 * the wrong order, both are wrong.
	 */
	if (!(expected_items >= 1))
	{
		bf_error_set(error, BF_ERROR_PARAMETER,
					 "expected number of items must be at least 1, not %s",
					 write_number(expected_items, given));
		return bf_error_hint(error, "%s", bf_items_hint(expected_items));
	}
	if (!(rate >= BF_MIN_RATE && rate < 1))
	{
		bf_error_set(error, BF_ERROR_PARAMETER,
					 "false positive rate must be at least %s and less than 1, not %s",
					 write_number(BF_MIN_RATE, smallest), write_number(rate, given));
		return bf_error_hint(error, "A rate of 1 %% is 0.01.");
	}
	return true;
}

static bool
report_too_large(double expected_items, double rate, BfError *error)
{
	char		items[BF_NUMBER_ROOM];
	char		given[BF_NUMBER_ROOM];

	bf_error_set(error, BF_ERROR_LIMIT,
				 "bloomfilter for %s items at a false positive rate of %s is too large",
				 write_number(expected_items, items), write_number(rate, given));
	bf_error_detail(error, "A filter takes at most 2^32 bits (512 MB), which is enough for %.0f items at this rate.",
					bf_max_capacity(rate, BF_MAX_BLOCKS));
	return bf_error_hint(error, "Give fewer items or a higher rate, or split the set over several filters with bloom_shard.");
}

BfFilter *
bf_filter_create(double expected_items, double rate, int64_t seed, BfError *error)
{
	BfHeader	header = {.representation = BF_SPARSE, .rate = rate, .seed = seed};
	BfStorage	storage;

	if (!check_parameters(expected_items, rate, error))
		return NULL;
	expected_items = ceil(expected_items);
	if (!isfinite(expected_items) ||
		!bf_choose_size(expected_items, rate, &header.blocks, &header.hashes))
	{
		report_too_large(expected_items, rate, error);
		return NULL;
	}
	header.capacity = (uint64_t) expected_items;
	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, 0, error))
		return NULL;
	return bf_filter_make(&header, storage, error);
}

/* ---------- values ---------- */

const char *
bf_filter_element_type(const BfFilter *filter, char buffer[BF_MAX_NAME + 1])
{
	const BfHeader *header = &filter->header;

	if (header->family == BF_FAMILY_NONE)
		return NULL;
	if (header->family != BF_FAMILY_OWN)
		return bf_family_name(header->family);
	buffer[bf_type_name_readable(header->name, header->name_len, buffer)] = '\0';
	return buffer;
}

/*
 * Raise the error for an own-hash type: only the server has its hash function.
 */
static bool
report_own_hash(const BfFilter *filter, BfError *error)
{
	char		name[BF_MAX_NAME + 1];

	bf_error_set(error, BF_ERROR_UNSUPPORTED,
				 "values of type %s cannot be hashed outside of the server",
				 bf_filter_element_type(filter, name));
	bf_error_detail(error, "They are hashed by the type's own function, which only the server has.");
	return bf_error_hint(error, "Build the filter from text in which equal values are always written alike, or test hashes that bloom_hash gives.");
}

bool
bf_filter_accepts(const BfFilter *filter, BfFamily family, const char *type_name, BfError *error)
{
	const char *filters;

	if (filter->header.family == BF_FAMILY_OWN)
		return report_own_hash(filter, error);
	if (bf_family_takes(filter->header.family, family))
		return true;
	filters = bf_family_name(filter->header.family);
	bf_error_set(error, BF_ERROR_MISMATCH, "bloomfilter and value are of different types");
	bf_error_detail(error, "The filter holds values of type %s, the value is of type %s.",
					filters, type_name != NULL ? type_name : bf_family_name(family));
	return bf_error_hint(error, "Cast the value to %s.", bf_family_cast_type(filter->header.family));
}

bool
bf_filter_adopt(BfFilter *filter, BfFamily family, const char *type_name, BfError *error)
{
	if (!bf_filter_accepts(filter, family, type_name, error))
		return false;
	if (filter->header.family == BF_FAMILY_NONE)
		filter->header.family = family;
	return true;
}

/* ---------- hashes ---------- */

uint64_t
bf_filter_count(const BfFilter *filter)
{
	return filter->tree != NULL ? bf_hashtree_count(filter->tree) : filter->header.count;
}

bool
bf_filter_is_empty(const BfFilter *filter)
{
	size_t		len = bf_data_length(&filter->header);
	size_t		i;

	if (filter->header.representation != BF_DENSE)
		return bf_filter_count(filter) == 0;
	for (i = 0; i < len; i++)
		if (filter->data[i] != 0)
			return false;
	return true;
}

bool
bf_filter_list_contains(const BfFilter *filter, uint64_t hash)
{
	if (filter->tree != NULL)
		return bf_hashtree_contains(filter->tree, hash);
	return bf_list_contains(filter->data, filter->header.count, hash);
}

size_t
bf_filter_contains_hashes(const BfFilter *filter, const uint64_t *hashes, int n, uint8_t *found)
{
	const BfHeader *header = &filter->header;
	size_t		hits = 0;
	int			i;

	if (header->representation == BF_DENSE)
		return bf_blocks_test(filter->data, header->blocks, header->hashes, hashes, n, found);
	for (i = 0; i < n; i++)
	{
		found[i] = bf_filter_list_contains(filter, hashes[i]);
		hits += found[i];
	}
	return hits;
}

bool
bf_filter_densify(BfFilter *filter, BfError *error)
{
	BfHeader	header = filter->header;
	BfStorage	storage;

	if (!bf_filter_settle(filter, error))
		return false;
	header.representation = BF_DENSE;
	header.count = 0;
	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, bf_data_length(&header), error))
		return false;
	memset(storage.data, 0, bf_data_length(&header));
	bf_list_add_to_blocks(&filter->header, filter->data, storage.data);
	bf_filter_replace(filter, &header, storage);
	return true;
}

/* Make room for another hash: turn a full list into blocks. */
static bool
check_room(BfFilter *filter, BfError *error)
{
	uint64_t	count = bf_hashtree_count(filter->tree);

	if (filter->header.representation == BF_SPARSE && count == filter->header.blocks)
		return bf_filter_densify(filter, error);
	return count < BF_MAX_LIST || bf_error_list_limit(error);
}

static bool
add_to_list(BfFilter *filter, uint64_t hash, BfError *error)
{
	if (filter->tree == NULL)
	{
		filter->tree = bf_hashtree_create(filter->data, filter->header.count);
		if (filter->tree == NULL)
			return bf_error_memory(error);
		free(filter->storage);
		filter->storage = NULL;
		filter->data = NULL;
	}
	if (bf_hashtree_contains(filter->tree, hash))
		return true;
	if (!check_room(filter, error))
		return false;
	if (filter->header.representation == BF_DENSE)
		return bf_filter_add_hash(filter, hash, error);
	return bf_hashtree_insert(filter->tree, hash) || bf_error_memory(error);
}

bool
bf_filter_add_hash(BfFilter *filter, uint64_t hash, BfError *error)
{
	if (filter->header.representation != BF_DENSE)
		return add_to_list(filter, hash, error);
	bf_block_add(filter->data + bf_block_offset(hash, filter->header.blocks),
				 hash, filter->header.hashes);
	return true;
}

bool
bf_filter_add_hashes(BfFilter *filter, const uint64_t *hashes, int n, BfError *error)
{
	for (; n > 0 && filter->header.representation != BF_DENSE; hashes++, n--)
		if (!bf_filter_add_hash(filter, *hashes, error))
			return false;
	if (n > 0)
		bf_blocks_add(filter->data, filter->header.blocks, filter->header.hashes, hashes, n);
	return true;
}
