/*-------------------------------------------------------------------------
 *
 * counting.c
 *		libpgbloomfilter's counting filters: read and written.  one.c counts.
 *
 *-------------------------------------------------------------------------
 */
#include "library.h"

static pgbf_counting_filter *
made(BfCountingFilter *counting, const BfError *failure, pgbf_error *error)
{
	if (counting == NULL)
		bf_report(failure, error);
	return (pgbf_counting_filter *) counting;
}

pgbf_counting_filter *
pgbf_counting_from_bytes(const void *bytes, size_t length, pgbf_error *error)
{
	BfError		failure;

	bf_library_begin();
	return made(bf_counting_from_bytes(bf_or_empty(bytes), length, &failure), &failure, error);
}

pgbf_counting_filter *
pgbf_counting_from_text(const char *text, size_t length, pgbf_error *error)
{
	BfError		failure;

	bf_library_begin();
	return made(bf_counting_from_text(bf_or_empty(text), length, &failure), &failure, error);
}

pgbf_counting_filter *
pgbf_counting_parse(const void *input, size_t length, pgbf_error *error)
{
	BfError		failure;

	bf_library_begin();
	return made(bf_counting_parse(bf_or_empty(input), length, &failure), &failure, error);
}

void
pgbf_counting_free(pgbf_counting_filter *counting)
{
	bf_counting_free((BfCountingFilter *) counting);
}

void *
pgbf_counting_to_bytes(const pgbf_counting_filter *counting, size_t *length, pgbf_error *error)
{
	return bf_make_bytes(bf_counting_inner(counting)->counters, length, error);
}

char *
pgbf_counting_to_text(pgbf_counting_filter *counting, size_t *length, pgbf_error *error)
{
	return bf_make_text(bf_counting_inner(counting)->counters, length, error);
}

pgbf_filter *
pgbf_counting_to_filter(const pgbf_counting_filter *counting, pgbf_error *error)
{
	BfError		failure;
	BfFilter   *bits = bf_filter_copy(bf_counting_inner(counting)->bits, &failure);

	if (bits == NULL)
		bf_report(&failure, error);
	return bf_outer(bits);
}
