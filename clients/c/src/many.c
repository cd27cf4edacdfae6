/*-------------------------------------------------------------------------
 *
 * many.c
 *		libpgbloomfilter's functions for arrays of values: some hundreds are
 *		hashed, and then added or tested together.
 *
 *-------------------------------------------------------------------------
 */
#include "library.h"

/* Where values are: one of the three, as they are passed. */
typedef struct Values
{
	BfPassed	passed;
	pgbf_family family;
	size_t		count;
	const int64_t *numbers;
	const double *floats;
	const uint8_t *bytes;
	const int64_t *offsets;		/* of bytes */
} Values;

/* ---------- hashes ---------- */

static bool
hash_bytes_at(const BfFilter *filter, const Values *values, size_t i, uint64_t *hash,
			  pgbf_error *error)
{
	int64_t		begin = values->offsets[i];
	int64_t		end = values->offsets[i + 1];

	if (begin < 0 || end < begin)
		return bf_refuse(error, PGBF_ERROR_PARAMETER, "offsets must not be negative nor descend",
						 NULL, NULL);
	return bf_hash_bytes(filter, values->family, values->bytes + begin, (size_t) (end - begin),
						 hash, error);
}

static bool
hash_at(const BfFilter *filter, const Values *values, size_t i, uint64_t *hash,
		pgbf_error *error)
{
	switch (values->passed)
	{
		case BF_PASSED_NUMBER:
			return bf_hash_number(filter, values->family, values->numbers[i], hash, error);
		case BF_PASSED_FLOAT:
			*hash = bf_filter_hash_float8(filter, values->floats[i]);
			return true;
		default:
			return hash_bytes_at(filter, values, i, hash, error);
	}
}

/* The next values' hashes.  Returns how many, or -1. */
static int
hash_batch(const BfFilter *filter, const Values *values, size_t first, uint64_t *hashes,
		   pgbf_error *error)
{
	int			n = values->count - first < BF_BATCH ? (int) (values->count - first) : BF_BATCH;
	int			i;

	for (i = 0; i < n; i++)
		if (!hash_at(filter, values, first + (size_t) i, &hashes[i], error))
			return -1;
	return n;
}

/* ---------- add ---------- */

static bool
add_hashes(BfFilter *filter, const Values *values, const uint64_t *hashes, int n,
		   pgbf_error *error)
{
	BfError		failure;

	return (bf_filter_adopt(filter, (BfFamily) values->family, NULL, &failure) &&
			bf_filter_add_hashes(filter, hashes, n, &failure)) ||
		bf_report(&failure, error);
}

static bool
add_values(BfFilter *filter, const Values *values, pgbf_error *error)
{
	uint64_t	hashes[BF_BATCH];
	size_t		done = 0;

	if (!bf_check_family(filter, values->family, values->passed, error))
		return false;
	while (done < values->count)
	{
		int			n = hash_batch(filter, values, done, hashes, error);

		if (n < 0 || !add_hashes(filter, values, hashes, n, error))
			return false;
		done += (size_t) n;
	}
	return true;
}

/* ---------- test ---------- */

static int64_t
has_values(const BfFilter *filter, const Values *values, uint8_t *found, pgbf_error *error)
{
	uint64_t	hashes[BF_BATCH];
	int64_t		hits = 0;
	size_t		done = 0;

	if (!bf_check_family(filter, values->family, values->passed, error))
		return -1;
	while (done < values->count)
	{
		int			n = hash_batch(filter, values, done, hashes, error);

		if (n < 0)
			return -1;
		hits += (int64_t) bf_filter_contains_hashes(filter, hashes, n, found + done);
		done += (size_t) n;
	}
	return hits;
}

/* ---------- numbers, floats, bytes ---------- */

static Values
number_values(pgbf_family family, const int64_t *values, size_t count)
{
	Values		result = {BF_PASSED_NUMBER, family, count, .numbers = values};

	return result;
}

static Values
float_values(const double *values, size_t count)
{
	Values		result = {BF_PASSED_FLOAT, PGBF_FLOAT, count, .floats = values};

	return result;
}

static Values
bytes_values(pgbf_family family, const void *bytes, const int64_t *offsets, size_t count)
{
	Values		result = {BF_PASSED_BYTES, family, count, .offsets = offsets};

	result.bytes = bf_or_empty(bytes);
	return result;
}

bool
pgbf_add_number_array(pgbf_filter *filter, pgbf_family family, const int64_t *values,
					  size_t count, pgbf_error *error)
{
	Values		all = number_values(family, values, count);

	return add_values(bf_inner(filter), &all, error);
}

bool
pgbf_add_float_array(pgbf_filter *filter, const double *values, size_t count, pgbf_error *error)
{
	Values		all = float_values(values, count);

	return add_values(bf_inner(filter), &all, error);
}

bool
pgbf_add_bytes_array(pgbf_filter *filter, pgbf_family family, const void *bytes,
					 const int64_t *offsets, size_t count, pgbf_error *error)
{
	Values		all = bytes_values(family, bytes, offsets, count);

	return add_values(bf_inner(filter), &all, error);
}

int64_t
pgbf_has_number_array(const pgbf_filter *filter, pgbf_family family, const int64_t *values,
					  size_t count, uint8_t *found, pgbf_error *error)
{
	Values		all = number_values(family, values, count);

	return has_values(bf_inner_const(filter), &all, found, error);
}

int64_t
pgbf_has_float_array(const pgbf_filter *filter, const double *values, size_t count,
					 uint8_t *found, pgbf_error *error)
{
	Values		all = float_values(values, count);

	return has_values(bf_inner_const(filter), &all, found, error);
}

int64_t
pgbf_has_bytes_array(const pgbf_filter *filter, pgbf_family family, const void *bytes,
					 const int64_t *offsets, size_t count, uint8_t *found, pgbf_error *error)
{
	Values		all = bytes_values(family, bytes, offsets, count);

	return has_values(bf_inner_const(filter), &all, found, error);
}

/* ---------- hashes by themselves ---------- */

int64_t
pgbf_has_hash_array(const pgbf_filter *filter, const int64_t *hashes, size_t count,
					uint8_t *found)
{
	int64_t		hits = 0;
	size_t		done = 0;

	while (done < count)
	{
		int			n = count - done < BF_BATCH ? (int) (count - done) : BF_BATCH;

		hits += (int64_t) bf_filter_contains_hashes(bf_inner_const(filter),
													(const uint64_t *) hashes + done, n,
													found + done);
		done += (size_t) n;
	}
	return hits;
}
