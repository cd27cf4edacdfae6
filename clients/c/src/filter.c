/*-------------------------------------------------------------------------
 *
 * filter.c
 *		libpgbloomfilter's filters: made, read, written and combined.
 *
 *-------------------------------------------------------------------------
 */
#include "library.h"

#include <stdlib.h>

_Static_assert(sizeof(((pgbf_info *) NULL)->element_type) > BF_MAX_NAME,
			   "every type's name fits into a pgbf_info");

/* What the first version of pgbf_info has; later versions only add to it. */
#define FIRST_INFO_BYTES	(offsetof(pgbf_info, element_type) + \
							 sizeof(((pgbf_info *) NULL)->element_type))

/* A filter that was made, or NULL and why it was not. */
static pgbf_filter *
made(BfFilter *filter, const BfError *failure, pgbf_error *error)
{
	if (filter == NULL)
		bf_report(failure, error);
	return bf_outer(filter);
}

pgbf_filter *
pgbf_create(double expected_items, double rate, int64_t seed, pgbf_error *error)
{
	BfError		failure;

	bf_library_begin();
	return made(bf_filter_create(expected_items, rate, seed, &failure), &failure, error);
}

pgbf_filter *
pgbf_from_bytes(const void *bytes, size_t length, pgbf_error *error)
{
	BfError		failure;

	bf_library_begin();
	return made(bf_filter_from_bytes(bf_or_empty(bytes), length, &failure), &failure, error);
}

pgbf_filter *
pgbf_from_text(const char *text, size_t length, pgbf_error *error)
{
	BfError		failure;

	bf_library_begin();
	return made(bf_filter_from_text(bf_or_empty(text), length, &failure), &failure, error);
}

pgbf_filter *
pgbf_parse(const void *input, size_t length, pgbf_error *error)
{
	BfError		failure;

	bf_library_begin();
	return made(bf_filter_parse(bf_or_empty(input), length, &failure), &failure, error);
}

pgbf_filter *
pgbf_copy(const pgbf_filter *filter, pgbf_error *error)
{
	BfError		failure;

	return made(bf_filter_copy(bf_inner_const(filter), &failure), &failure, error);
}

void
pgbf_free(pgbf_filter *filter)
{
	bf_filter_free(bf_inner(filter));
}

/* ---------- forms ---------- */

static void *
allocate(size_t bytes, pgbf_error *error)
{
	void	   *memory = malloc(bytes);

	if (memory == NULL)
		bf_refuse(error, PGBF_ERROR_MEMORY, "out of memory", NULL, NULL);
	return memory;
}

void *
bf_make_bytes(const BfFilter *filter, size_t *length, pgbf_error *error)
{
	size_t		bytes = bf_filter_bytes_length(filter);
	void	   *memory = allocate(bytes, error);

	if (memory == NULL)
		return NULL;
	bf_filter_write_bytes(filter, memory);
	*length = bytes;
	return memory;
}

char *
bf_make_text(BfFilter *filter, size_t *length, pgbf_error *error)
{
	char	   *text = allocate(bf_filter_text_room(filter) + 1, error);
	BfError		failure;
	size_t		bytes;

	if (text == NULL)
		return NULL;
	bytes = bf_filter_write_text(filter, text, &failure);
	if (bytes == 0)
	{
		free(text);
		bf_report(&failure, error);
		return NULL;
	}
	text[bytes] = '\0';
	if (length != NULL)
		*length = bytes;
	return text;
}

void *
pgbf_to_bytes(const pgbf_filter *filter, size_t *length, pgbf_error *error)
{
	return bf_make_bytes(bf_inner_const(filter), length, error);
}

char *
pgbf_to_text(pgbf_filter *filter, size_t *length, pgbf_error *error)
{
	return bf_make_text(bf_inner(filter), length, error);
}

/* ---------- what a filter is ---------- */

pgbf_family
pgbf_get_family(const pgbf_filter *filter)
{
	return (pgbf_family) bf_inner_const(filter)->header.family;
}

/* All of it, as this version of the library has it. */
static bool
fill_info(BfFilter *filter, pgbf_info *info, BfError *failure)
{
	const BfHeader *header = &filter->header;
	char		buffer[BF_MAX_NAME + 1];
	const char *name = bf_filter_element_type(filter, buffer);
	BfInfo		found;

	if (!bf_filter_info(filter, &found, failure))
		return false;
	memset(info, 0, sizeof(*info));
	info->expected_items = (int64_t) header->capacity;
	info->target_rate = header->rate;
	info->seed = header->seed;
	info->bits = (int64_t) found.bits;
	info->bits_set = (int64_t) found.bits_set;
	info->fill = found.fill;
	info->estimated_items = found.items;
	info->estimated_rate = found.rate;
	info->bytes = (int64_t) found.bytes;
	info->hashes = header->hashes;
	info->representation = header->representation;
	if (name != NULL)
		strcpy(info->element_type, name);
	return true;
}

bool
pgbf_get_info(pgbf_filter *filter, pgbf_info *info, size_t size, pgbf_error *error)
{
	pgbf_info	found;
	BfError		failure;

	if (size < FIRST_INFO_BYTES)
		return bf_refuse(error, PGBF_ERROR_PARAMETER, "the size of pgbf_info is too small", NULL,
						 "Pass sizeof(pgbf_info).");
	if (!fill_info(bf_inner(filter), &found, &failure))
		return bf_report(&failure, error);
	memset(info, 0, size);
	memcpy(info, &found, size < sizeof(found) ? size : sizeof(found));
	return true;
}

/* ---------- whole filters ---------- */

bool
pgbf_unite(pgbf_filter *a, pgbf_filter *b, pgbf_error *error)
{
	BfError		failure;

	return bf_filter_unite(bf_inner(a), bf_inner(b), &failure) || bf_report(&failure, error);
}

bool
pgbf_intersect(pgbf_filter *a, pgbf_filter *b, pgbf_error *error)
{
	BfError		failure;

	return bf_filter_intersect(bf_inner(a), bf_inner(b), &failure) || bf_report(&failure, error);
}

pgbf_filter *
pgbf_shrink(pgbf_filter *filter, int32_t factor, pgbf_error *error)
{
	BfError		failure;

	return made(bf_filter_shrink(bf_inner(filter), factor, &failure), &failure, error);
}

int
pgbf_equal(pgbf_filter *a, pgbf_filter *b, pgbf_error *error)
{
	BfError		failure;
	bool		equal;

	if (bf_filter_equal(bf_inner(a), bf_inner(b), &equal, &failure))
		return equal;
	bf_report(&failure, error);
	return -1;
}
