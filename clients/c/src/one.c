/*-------------------------------------------------------------------------
 *
 * one.c
 *		libpgbloomfilter's functions for one value: add, test, hash, count.
 *
 *-------------------------------------------------------------------------
 */
#include "library.h"

/* The hash of a value that may be tested against the filter. */
static bool
number_hash(const BfFilter *filter, pgbf_family family, int64_t value, uint64_t *hash,
			pgbf_error *error)
{
	return bf_check_family(filter, family, BF_PASSED_NUMBER, error) &&
		bf_hash_number(filter, family, value, hash, error);
}

static bool
float_hash(const BfFilter *filter, double value, uint64_t *hash, pgbf_error *error)
{
	if (!bf_check_family(filter, PGBF_FLOAT, BF_PASSED_FLOAT, error))
		return false;
	*hash = bf_filter_hash_float8(filter, value);
	return true;
}

static bool
bytes_hash(const BfFilter *filter, pgbf_family family, const void *bytes, size_t length,
		   uint64_t *hash, pgbf_error *error)
{
	return bf_check_family(filter, family, BF_PASSED_BYTES, error) &&
		bf_hash_bytes(filter, family, bytes, length, hash, error);
}

/* ---------- add ---------- */

/* The hash of a value of that family, which has been checked. */
static bool
add(BfFilter *filter, pgbf_family family, uint64_t hash, pgbf_error *error)
{
	BfError		failure;

	return (bf_filter_adopt(filter, (BfFamily) family, NULL, &failure) &&
			bf_filter_add_hash(filter, hash, &failure)) ||
		bf_report(&failure, error);
}

bool
pgbf_add_number(pgbf_filter *filter, pgbf_family family, int64_t value, pgbf_error *error)
{
	uint64_t	hash;

	return number_hash(bf_inner(filter), family, value, &hash, error) &&
		add(bf_inner(filter), family, hash, error);
}

bool
pgbf_add_float(pgbf_filter *filter, double value, pgbf_error *error)
{
	uint64_t	hash;

	return float_hash(bf_inner(filter), value, &hash, error) &&
		add(bf_inner(filter), PGBF_FLOAT, hash, error);
}

bool
pgbf_add_bytes(pgbf_filter *filter, pgbf_family family, const void *bytes, size_t length,
			   pgbf_error *error)
{
	uint64_t	hash;

	return bytes_hash(bf_inner(filter), family, bytes, length, &hash, error) &&
		add(bf_inner(filter), family, hash, error);
}

/* ---------- test ---------- */

int
pgbf_has_number(const pgbf_filter *filter, pgbf_family family, int64_t value, pgbf_error *error)
{
	uint64_t	hash;

	if (!number_hash(bf_inner_const(filter), family, value, &hash, error))
		return -1;
	return bf_filter_contains_hash(bf_inner_const(filter), hash);
}

int
pgbf_has_float(const pgbf_filter *filter, double value, pgbf_error *error)
{
	uint64_t	hash;

	if (!float_hash(bf_inner_const(filter), value, &hash, error))
		return -1;
	return bf_filter_contains_hash(bf_inner_const(filter), hash);
}

int
pgbf_has_bytes(const pgbf_filter *filter, pgbf_family family, const void *bytes, size_t length,
			   pgbf_error *error)
{
	uint64_t	hash;

	if (!bytes_hash(bf_inner_const(filter), family, bytes, length, &hash, error))
		return -1;
	return bf_filter_contains_hash(bf_inner_const(filter), hash);
}

int
pgbf_has_hash(const pgbf_filter *filter, int64_t hash)
{
	return bf_filter_contains_hash(bf_inner_const(filter), (uint64_t) hash);
}

/* ---------- hash ---------- */

bool
pgbf_hash_number(const pgbf_filter *filter, pgbf_family family, int64_t value, int64_t *hash,
				 pgbf_error *error)
{
	return number_hash(bf_inner_const(filter), family, value, (uint64_t *) hash, error);
}

bool
pgbf_hash_float(const pgbf_filter *filter, double value, int64_t *hash, pgbf_error *error)
{
	return float_hash(bf_inner_const(filter), value, (uint64_t *) hash, error);
}

bool
pgbf_hash_bytes(const pgbf_filter *filter, pgbf_family family, const void *bytes, size_t length,
				int64_t *hash, pgbf_error *error)
{
	return bytes_hash(bf_inner_const(filter), family, bytes, length, (uint64_t *) hash, error);
}

/* ---------- count ---------- */

int
pgbf_count_number(const pgbf_counting_filter *counting, pgbf_family family, int64_t value,
				  pgbf_error *error)
{
	const BfCountingFilter *filter = bf_counting_inner(counting);
	uint64_t	hash;

	if (!number_hash(filter->bits, family, value, &hash, error))
		return -1;
	return bf_counting_count_hash(filter, hash);
}

int
pgbf_count_float(const pgbf_counting_filter *counting, double value, pgbf_error *error)
{
	const BfCountingFilter *filter = bf_counting_inner(counting);
	uint64_t	hash;

	if (!float_hash(filter->bits, value, &hash, error))
		return -1;
	return bf_counting_count_hash(filter, hash);
}

int
pgbf_count_bytes(const pgbf_counting_filter *counting, pgbf_family family, const void *bytes,
				 size_t length, pgbf_error *error)
{
	const BfCountingFilter *filter = bf_counting_inner(counting);
	uint64_t	hash;

	if (!bytes_hash(filter->bits, family, bytes, length, &hash, error))
		return -1;
	return bf_counting_count_hash(filter, hash);
}

int
pgbf_count_hash(const pgbf_counting_filter *counting, int64_t hash)
{
	return bf_counting_count_hash(bf_counting_inner(counting), (uint64_t) hash);
}
