/*-------------------------------------------------------------------------
 *
 * api.c
 *		What clients/vectors.json does not have: wrong arguments, values at the
 *		ends of their ranges, arrays, a filter combined with itself, threads.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <string.h>

#include "pgbloomfilter.h"
#include "tap.h"

static pgbf_error error;

/* Did the call fail, with that SQLSTATE? */
#define CHECK_ERROR(call, code) \
	do { \
		memset(&error, 0, sizeof(error)); \
		CHECK(!(call)); \
		CHECK(strcmp(error.sqlstate, (code)) == 0 && error.message[0] != '\0'); \
	} while (0)

/* The same of functions that return -1. */
#define CHECK_MINUS(call, code)	CHECK_ERROR((call) != -1, code)

static pgbf_filter *
create(void)
{
	return pgbf_create(1000, 0.01, 0, &error);
}

static bool
add_text(pgbf_filter *filter, const char *text)
{
	return pgbf_add_bytes(filter, PGBF_TEXT, text, strlen(text), &error);
}

static int
has_text(const pgbf_filter *filter, const char *text)
{
	return pgbf_has_bytes(filter, PGBF_TEXT, text, strlen(text), &error);
}

/* ---------- errors ---------- */

static void
test_parameters(void)
{
	CHECK_ERROR(pgbf_create(0, 0.01, 0, &error), PGBF_ERROR_PARAMETER);
	CHECK_ERROR(pgbf_create(0.01, 1000, 0, &error), PGBF_ERROR_PARAMETER);
	CHECK(strcmp(error.message, "expected number of items must be at least 1, not 0.01") == 0);
	CHECK(strcmp(error.hint, "The number of values comes first, then the false positive rate: (1000, 0.01).") == 0);
	CHECK_ERROR(pgbf_create(10, (float) 1e-6, 0, &error), PGBF_ERROR_PARAMETER);
	CHECK(strcmp(error.message, "false positive rate must be at least 1e-06 and less than 1, not 9.999999974752427e-07") == 0);
	CHECK_ERROR(pgbf_create(10, 1, 0, &error), PGBF_ERROR_PARAMETER);
	CHECK(strcmp(error.message, "false positive rate must be at least 1e-06 and less than 1, not 1") == 0);
	CHECK(strcmp(error.hint, "A rate of 1 % is 0.01.") == 0 && error.detail[0] == '\0');
	CHECK_ERROR(pgbf_create(1e12, 0.01, 0, &error), PGBF_ERROR_LIMIT);
	CHECK(pgbf_create(0, 0.01, 0, NULL) == NULL);
	CHECK(pgbf_from_text(NULL, 0, NULL) == NULL);
	CHECK_ERROR(pgbf_from_bytes(NULL, 0, &error), PGBF_ERROR_BINARY);
	CHECK_ERROR(pgbf_parse(NULL, 0, &error), PGBF_ERROR_TEXT);
	CHECK_ERROR(pgbf_counting_parse(NULL, 0, &error), PGBF_ERROR_TEXT);
	CHECK_ERROR(pgbf_counting_from_bytes(NULL, 0, &error), PGBF_ERROR_BINARY);
	CHECK_ERROR(pgbf_counting_from_text(NULL, 0, &error), PGBF_ERROR_TEXT);
	pgbf_free(NULL);
	pgbf_counting_free(NULL);
	pgbf_release(NULL);
	CHECK(strcmp(pgbf_version(), PGBF_VERSION) == 0);
	tap_group("arguments", 20);
}

/* A number that is out of its family's range, and two at the ends of it. */
static void
check_range(pgbf_family family, int64_t wrong, int64_t low, int64_t high, const char *code)
{
	pgbf_filter *filter = create();

	CHECK_ERROR(pgbf_add_number(filter, family, wrong, &error), code);
	CHECK(pgbf_get_family(filter) == PGBF_NONE);
	CHECK(pgbf_add_number(filter, family, low, &error));
	CHECK(pgbf_add_number(filter, family, high, &error));
	CHECK(pgbf_has_number(filter, family, low, &error) == 1);
	CHECK(pgbf_has_number(filter, family, high, &error) == 1);
	CHECK_MINUS(pgbf_has_number(filter, family, wrong, &error), code);
	CHECK_ERROR(pgbf_hash_number(filter, family, wrong, &low, &error), code);
	pgbf_free(filter);
}

static void
test_ranges(void)
{
	const int64_t first_date = -2451545;
	const int64_t first_time = INT64_C(-211813488000000000);
	const int64_t end_time = INT64_C(9223371331200000000);

	check_range(PGBF_BOOLEAN, 2, 0, 1, PGBF_ERROR_RANGE);
	check_range(PGBF_BOOLEAN, -1, 0, 1, PGBF_ERROR_RANGE);
	check_range(PGBF_OID, -1, 0, UINT32_MAX, PGBF_ERROR_RANGE);
	check_range(PGBF_OID, INT64_C(1) << 32, 0, UINT32_MAX, PGBF_ERROR_RANGE);
	check_range(PGBF_CHAR, 256, 0, 255, PGBF_ERROR_RANGE);
	check_range(PGBF_CHAR, -1, 0, 255, PGBF_ERROR_RANGE);
	check_range(PGBF_DATE, first_date - 1, first_date, INT32_MAX, PGBF_ERROR_TIME);
	check_range(PGBF_DATE, INT64_C(1) << 32, INT32_MIN, 0, PGBF_ERROR_TIME);
	check_range(PGBF_TIME, -1, 0, INT64_C(86400000000), PGBF_ERROR_TIME);
	check_range(PGBF_TIME, INT64_C(86400000001), 0, INT64_C(86400000000), PGBF_ERROR_TIME);
	check_range(PGBF_TIMESTAMP, first_time - 1, first_time, INT64_MAX, PGBF_ERROR_TIME);
	check_range(PGBF_TIMESTAMPTZ, end_time, INT64_MIN, end_time - 1, PGBF_ERROR_TIME);
	tap_group("ranges of numbers", 100);
}

static void
test_families(void)
{
	pgbf_filter *filter = create();
	int64_t		hash;

	CHECK_ERROR(pgbf_add_number(filter, PGBF_TEXT, 1, &error), PGBF_ERROR_MISMATCH);
	CHECK(strstr(error.hint, "bytes") != NULL);
	CHECK_ERROR(pgbf_add_number(filter, PGBF_FLOAT, 1, &error), PGBF_ERROR_MISMATCH);
	CHECK(strstr(error.hint, "floats") != NULL);
	CHECK_ERROR(pgbf_add_bytes(filter, PGBF_INTEGER, "1", 1, &error), PGBF_ERROR_MISMATCH);
	CHECK(strstr(error.hint, "numbers") != NULL);
	CHECK_ERROR(pgbf_add_number(filter, PGBF_NONE, 1, &error), PGBF_ERROR_PARAMETER);
	CHECK_ERROR(pgbf_add_number(filter, PGBF_OWN, 1, &error), PGBF_ERROR_PARAMETER);
	CHECK_ERROR(pgbf_add_bytes(filter, (pgbf_family) 15, "1", 1, &error), PGBF_ERROR_PARAMETER);
	CHECK_ERROR(pgbf_add_number_array(filter, PGBF_UUID, NULL, 0, &error), PGBF_ERROR_MISMATCH);
	CHECK(pgbf_get_family(filter) == PGBF_NONE);

	CHECK(add_text(filter, "1"));
	CHECK_MINUS(pgbf_has_number(filter, PGBF_INTEGER, 1, &error), PGBF_ERROR_MISMATCH);
	CHECK(strcmp(error.detail, "The filter holds values of type text, the value is of type integer.") == 0);
	CHECK_MINUS(pgbf_has_float(filter, 1, &error), PGBF_ERROR_MISMATCH);
	CHECK_ERROR(pgbf_hash_float(filter, 1, &hash, &error), PGBF_ERROR_MISMATCH);
	CHECK_ERROR(pgbf_add_float_array(filter, NULL, 0, &error), PGBF_ERROR_MISMATCH);
	CHECK_MINUS(pgbf_has_float_array(filter, NULL, 0, NULL, &error), PGBF_ERROR_MISMATCH);
	CHECK(pgbf_has_number(filter, PGBF_INTEGER, 1, NULL) == -1);
	pgbf_free(filter);
	tap_group("families", 30);
}

/* Bytes that are no text, each of them whole, and text of the same lengths. */
static const char *const no_text[] = {
	"\xFC", "Z\xFCrich", "12345678\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
	"\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xE2\x28\xA1",
	"\xF0\x9F\x90", "\xFF", "1234567\xC3", "\xF0\x9F\x28\x98"
};
static const char *const texts[] = {
	"", "a", "Z\xC3\xBCrich", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
	"\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "1234567\xC3\xBC",
	"12345678", "123456789\xF0\x9F\x90\x98"
};

static void
test_text(void)
{
	pgbf_filter *filter = create();
	size_t		i;

	for (i = 0; i < sizeof(no_text) / sizeof(*no_text); i++)
	{
		CHECK_ERROR(add_text(filter, no_text[i]), PGBF_ERROR_ENCODING);
		CHECK_MINUS(has_text(filter, no_text[i]), PGBF_ERROR_ENCODING);
		CHECK_MINUS(pgbf_has_bytes(filter, PGBF_BPCHAR, no_text[i], strlen(no_text[i]), &error),
					PGBF_ERROR_ENCODING);
	}
	CHECK_ERROR(add_text(filter, "Z\xFCrich"), PGBF_ERROR_ENCODING);
	CHECK(strcmp(error.message, "invalid byte sequence for encoding \"UTF8\": 0xfc") == 0);
	CHECK_ERROR(pgbf_add_bytes(filter, PGBF_TEXT, "a\0b", 3, &error), PGBF_ERROR_ENCODING);
	CHECK_ERROR(pgbf_add_bytes(filter, PGBF_TEXT, "1234567\0", 8, &error), PGBF_ERROR_ENCODING);
	CHECK_ERROR(pgbf_add_bytes(filter, PGBF_TEXT, "\0001234567", 8, &error), PGBF_ERROR_ENCODING);
	CHECK(pgbf_get_family(filter) == PGBF_NONE);
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CHECK(add_text(filter, texts[i]) && has_text(filter, texts[i]) == 1);
	/* no bytes may be NULL */
	CHECK(pgbf_has_bytes(filter, PGBF_TEXT, NULL, 0, &error) == 1);

	/* blanks count in a filter of text, and not those of a bpchar */
	CHECK(add_text(filter, "x"));
	CHECK(has_text(filter, "x ") == 0);
	CHECK(pgbf_has_bytes(filter, PGBF_BPCHAR, "x ", 2, &error) == 1);
	pgbf_free(filter);
	filter = create();
	CHECK(pgbf_add_bytes(filter, PGBF_BPCHAR, "x  ", 3, &error));
	CHECK(has_text(filter, "x ") == 1 && has_text(filter, "x") == 1 && has_text(filter, " x") == 0);
	pgbf_free(filter);
	tap_group("text", 100);
}

static void
test_bytes(void)
{
	pgbf_filter *filter = create();

	CHECK_ERROR(pgbf_add_bytes(filter, PGBF_UUID, "0123456789abcde", 15, &error), PGBF_ERROR_TEXT);
	CHECK(pgbf_add_bytes(filter, PGBF_UUID, "0123456789abcdef", 16, &error));
	CHECK_MINUS(pgbf_has_bytes(filter, PGBF_UUID, "", 0, &error), PGBF_ERROR_TEXT);
	pgbf_free(filter);
	filter = create();
	CHECK(pgbf_add_bytes(filter, PGBF_BYTEA, "\0\xFF", 2, &error));
	CHECK(pgbf_has_bytes(filter, PGBF_BYTEA, "\0\xFF", 2, &error) == 1);
	CHECK(pgbf_has_bytes(filter, PGBF_BYTEA, "\0", 1, &error) == 0);
	pgbf_free(filter);
	tap_group("bytes", 8);
}

/* ---------- arrays ---------- */

/* More than are hashed at once, and enough to make blocks of a list. */
#define MANY	1000

static void
test_number_arrays(void)
{
	pgbf_filter *filter = create();
	pgbf_filter *one_by_one = create();
	static int64_t values[MANY];
	static int64_t hashes[MANY];
	static uint8_t found[MANY];
	int			i;

	for (i = 0; i < MANY; i++)
		values[i] = i * INT64_C(7919);
	CHECK(pgbf_add_number_array(filter, PGBF_INTEGER, NULL, 0, &error));
	CHECK(pgbf_get_family(filter) == PGBF_NONE);
	CHECK(pgbf_add_number_array(filter, PGBF_INTEGER, values, MANY, &error));
	for (i = 0; i < MANY; i++)
		CHECK(pgbf_add_number(one_by_one, PGBF_INTEGER, values[i], &error) &&
			  pgbf_hash_number(filter, PGBF_INTEGER, values[i], &hashes[i], &error));
	CHECK(pgbf_equal(filter, one_by_one, &error) == 1);
	CHECK(pgbf_has_number_array(filter, PGBF_INTEGER, values, MANY, found, &error) == MANY);
	CHECK(memchr(found, 0, MANY) == NULL);
	CHECK(pgbf_has_hash_array(filter, hashes, MANY, found) == MANY);

	/* half of them, and false positives */
	for (i = 0; i < MANY; i += 2)
		values[i] = -1 - i;
	CHECK(pgbf_has_number_array(filter, PGBF_INTEGER, values, MANY, found, &error) < MANY * 6 / 10);
	for (i = 0; i < MANY; i++)
	{
		CHECK(found[i] == pgbf_has_number(filter, PGBF_INTEGER, values[i], &error));
		pgbf_hash_number(filter, PGBF_INTEGER, values[i], &hashes[i], &error);
	}
	memset(found, 2, MANY);
	CHECK(pgbf_has_hash_array(filter, hashes, MANY, found) < MANY * 6 / 10);
	for (i = 0; i < MANY; i++)
		CHECK(found[i] == pgbf_has_hash(filter, hashes[i]));
	pgbf_free(one_by_one);
	pgbf_free(filter);

	/* what is wrong in the second batch */
	filter = create();
	values[500] = -1;
	CHECK_ERROR(pgbf_add_number_array(filter, PGBF_OID, values, MANY, &error), PGBF_ERROR_RANGE);
	CHECK_MINUS(pgbf_has_number_array(filter, PGBF_OID, values, MANY, found, &error),
				PGBF_ERROR_RANGE);
	pgbf_free(filter);
	tap_group("arrays of numbers", 2 * MANY);
}

static void
test_other_arrays(void)
{
	static const double floats[] = {0.5, -0.0, 1e300};
	static const int64_t offsets[] = {1, 4, 4, 6};
	static const int64_t descending[] = {0, 3, 2};
	static const int64_t negative[] = {-1, 0};
	uint8_t		found[3];
	pgbf_filter *filter = create();

	CHECK(pgbf_add_float_array(filter, floats, 3, &error));
	CHECK(pgbf_has_float(filter, 0.0, &error) == 1 && pgbf_has_float(filter, 1, &error) == 0);
	CHECK(pgbf_has_float_array(filter, floats, 3, found, &error) == 3);
	pgbf_free(filter);

	filter = create();
	CHECK(pgbf_add_bytes_array(filter, PGBF_TEXT, "-abcde", offsets, 3, &error));
	CHECK(has_text(filter, "abc") == 1 && has_text(filter, "") == 1 && has_text(filter, "de") == 1);
	CHECK(has_text(filter, "-abc") == 0);
	CHECK(pgbf_has_bytes_array(filter, PGBF_TEXT, "-abcxx", offsets, 3, found, &error) == 2);
	CHECK(found[0] == 1 && found[1] == 1 && found[2] == 0);
	CHECK(pgbf_add_bytes_array(filter, PGBF_TEXT, NULL, NULL, 0, &error));
	CHECK_ERROR(pgbf_add_bytes_array(filter, PGBF_TEXT, "abc", descending, 2, &error),
				PGBF_ERROR_PARAMETER);
	CHECK_MINUS(pgbf_has_bytes_array(filter, PGBF_TEXT, "abc", negative, 1, found, &error),
				PGBF_ERROR_PARAMETER);
	pgbf_free(filter);
	tap_group("arrays of floats and bytes", 10);
}

/* ---------- whole filters ---------- */

static void
test_sets(void)
{
	pgbf_filter *a = create();
	pgbf_filter *b = create();
	pgbf_filter *copy;
	pgbf_filter *small;
	int			i;

	for (i = 0; i < 300; i++)
	{
		CHECK(pgbf_add_number(a, PGBF_INTEGER, i, &error));
		CHECK(i % 10 != 0 || pgbf_add_number(b, PGBF_INTEGER, i, &error));
	}
	copy = pgbf_copy(a, &error);
	CHECK(pgbf_unite(a, a, &error) && pgbf_equal(a, copy, &error) == 1);
	CHECK(pgbf_intersect(a, a, &error) && pgbf_equal(a, copy, &error) == 1);
	CHECK(pgbf_unite(b, b, &error) && pgbf_intersect(b, b, &error));
	CHECK(pgbf_equal(a, a, &error) == 1 && pgbf_equal(a, b, &error) == 0);
	CHECK(pgbf_unite(a, b, &error) && pgbf_equal(a, copy, &error) == 1);
	for (i = 0; i < 300; i += 10)
		CHECK(pgbf_has_number(b, PGBF_INTEGER, i, &error) == 1);

	small = pgbf_shrink(a, 2, &error);
	CHECK(pgbf_has_number(small, PGBF_INTEGER, 299, &error) == 1);
	CHECK_ERROR(pgbf_shrink(a, 3, &error), PGBF_ERROR_PARAMETER);
	CHECK_ERROR(pgbf_unite(a, small, &error), PGBF_ERROR_PARAMETER);
	CHECK_ERROR(pgbf_intersect(a, small, &error), PGBF_ERROR_PARAMETER);
	/* the copy is independent */
	CHECK(pgbf_add_number(a, PGBF_INTEGER, 1000, &error));
	CHECK(pgbf_has_number(copy, PGBF_INTEGER, 1000, &error) == 0);
	pgbf_free(a);
	pgbf_free(b);
	pgbf_free(copy);
	pgbf_free(small);
	tap_group("union, intersection, copies", 600);
}

/* Of another version of the library, the struct may be longer. */
static void
test_info(void)
{
	struct
	{
		pgbf_info	info;
		char		later[64];
	}			longer;
	pgbf_filter *filter = create();

	CHECK(add_text(filter, "x"));
	memset(&longer, 0xFF, sizeof(longer));
	CHECK(pgbf_get_info(filter, &longer.info, sizeof(longer), &error));
	CHECK(strcmp(longer.info.element_type, "text") == 0 && longer.info.estimated_items == 1);
	CHECK(longer.later[0] == 0 && longer.later[63] == 0);
	CHECK_ERROR(pgbf_get_info(filter, &longer.info, 8, &error), PGBF_ERROR_PARAMETER);
	pgbf_free(filter);
	tap_group("info of other lengths", 5);
}

/* ---------- threads ---------- */

/* All begin at once, with the function that initializes the library. */
#define THREADS	8

static pthread_barrier_t together;

static void *
make_and_fill(void *argument)
{
	pgbf_filter *filter;
	int64_t		i;
	int			missed = 0;

	pthread_barrier_wait(&together);
	filter = pgbf_create(MANY, 0.001, 0, NULL);
	for (i = 0; i < MANY; i++)
		pgbf_add_number(filter, PGBF_INTEGER, i, NULL);
	for (i = 0; i < MANY; i++)
		missed += pgbf_has_number(filter, PGBF_INTEGER, i, NULL) != 1;
	pgbf_free(filter);
	return missed == 0 ? argument : NULL;
}

static void
test_threads(void)
{
	pthread_t	threads[THREADS];
	int			i;

	pthread_barrier_init(&together, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		CHECK(pthread_create(&threads[i], NULL, make_and_fill, threads) == 0);
	for (i = 0; i < THREADS; i++)
	{
		void	   *result;

		pthread_join(threads[i], &result);
		CHECK(result != NULL);
	}
	tap_group("threads that call the library for the first time", 2 * THREADS);
}

int
main(void)
{
	test_threads();
	test_parameters();
	test_ranges();
	test_families();
	test_text();
	test_bytes();
	test_number_arrays();
	test_other_arrays();
	test_sets();
	test_info();
	return tap_status();
}
