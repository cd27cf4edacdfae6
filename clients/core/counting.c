/*-------------------------------------------------------------------------
 *
 * counting.c
 *		Filters of the type counting_bloomfilter outside the server.
 *
 *-------------------------------------------------------------------------
 */
#include "counting.h"

#include <stdlib.h>

#include "internal.h"

/* The bloomfilter of the values of a counting filter. */
static BfFilter *
make_bits(const BfFilter *counters, BfError *error)
{
	BfHeader	header = counters->header;
	BfStorage	storage;
	uint32_t	i;

	header.type = BF_PLAIN;
	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, bf_data_length(&header), error))
		return NULL;
	if (header.representation == BF_DENSE)
		for (i = 0; i < header.blocks; i++)
			bf_counter_block_bits(counters->data + (size_t) i * BF_COUNTER_BLOCK_BYTES,
								  storage.data + (size_t) i * BF_BLOCK_BYTES);
	else
		/* the counts come after all hashes, and are left out */
		memcpy(storage.data, counters->data, bf_data_length(&header));
	return bf_filter_make(&header, storage, error);
}

/*
 * Make a counting filter from its counters, which may be NULL after an error.
 */
static BfCountingFilter *
make(BfFilter *counters, BfError *error)
{
	BfCountingFilter *filter;

	if (counters == NULL)
		return NULL;
	filter = calloc(1, sizeof(*filter));
	if (filter == NULL)
	{
		bf_filter_free(counters);
		bf_error_memory(error);
		return NULL;
	}
	filter->counters = counters;
	filter->bits = make_bits(counters, error);
	if (filter->bits == NULL)
	{
		bf_counting_free(filter);
		return NULL;
	}
	return filter;
}

BfCountingFilter *
bf_counting_parse(const uint8_t *input, size_t len, BfError *error)
{
	return make(bf_filter_parse_as(BF_COUNTING, input, len, error), error);
}

BfCountingFilter *
bf_counting_from_text(const char *text, size_t len, BfError *error)
{
	return make(bf_filter_from_text_as(BF_COUNTING, text, len, error), error);
}

BfCountingFilter *
bf_counting_from_bytes(const uint8_t *bytes, size_t len, BfError *error)
{
	return make(bf_filter_from_bytes_as(BF_COUNTING, bytes, len, error), error);
}

void
bf_counting_free(BfCountingFilter *filter)
{
	if (filter == NULL)
		return;
	bf_filter_free(filter->counters);
	bf_filter_free(filter->bits);
	free(filter);
}

int
bf_counting_count_hash(const BfCountingFilter *filter, uint64_t hash)
{
	return bf_data_count(&filter->counters->header, filter->counters->data, hash);
}
