/*-------------------------------------------------------------------------
 *
 * vectors.c
 *		Does libpgbloomfilter say what the server says?  clients/vectors.json,
 *		as lines of vectors.py.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>

#include "lines.h"
#include "tap.h"

/* How many filters' members are followed at once: the one read, and two built. */
typedef struct Following
{
	pgbf_filter *filter;		/* of the last line that has members */
	pgbf_filter *built;			/* of its members, NULL if it cannot be built */
	pgbf_filter *by_array;		/* likewise, each member as an array */
	char		text[1 << 16];	/* what the built ones must become */
	pgbf_counting_filter *counting;
} Following;

static pgbf_error error;

static pgbf_filter *
read_text(char *field)
{
	Bytes		text = decode(field);

	return pgbf_from_text(text.start, text.length, &error);
}

static bool
is_text(pgbf_filter *filter, const char *expected)
{
	size_t		length;
	char	   *text = pgbf_to_text(filter, &length, NULL);
	bool		same = length == strlen(expected) && strcmp(text, expected) == 0;

	pgbf_release(text);
	return same;
}

static bool
is_bytes(const pgbf_filter *filter, Bytes expected)
{
	size_t		length;
	void	   *bytes = pgbf_to_bytes(filter, &length, NULL);
	bool		same = length == expected.length && memcmp(bytes, expected.start, length) == 0;

	pgbf_release(bytes);
	return same;
}

/* Numbers are given to 12 digits. */
static bool
is_near(double value, const char *expected)
{
	double		number = strtod(expected, NULL);

	return fabs(value - number) <= 1e-9 * fabs(number);
}

static void
check_info(pgbf_filter *filter, char **fields)
{
	pgbf_info	info;

	CHECK(pgbf_get_info(filter, &info, sizeof(info), &error));
	CHECK(info.expected_items == strtoll(fields[0], NULL, 10));
	CHECK(is_near(info.target_rate, fields[1]));
	CHECK(info.seed == strtoll(fields[2], NULL, 10));
	CHECK(info.bits == strtoll(fields[3], NULL, 10));
	CHECK(info.bits_set == strtoll(fields[4], NULL, 10));
	CHECK(is_near(info.fill, fields[5]));
	CHECK(info.estimated_items == strtoll(fields[6], NULL, 10));
	CHECK(is_near(info.estimated_rate, fields[7]));
	CHECK(info.bytes == strtoll(fields[8], NULL, 10));
	CHECK(info.hashes == atoi(fields[9]));
	CHECK(info.representation == atoi(fields[10]));
	CHECK(strcmp(info.element_type, decode(fields[11]).start) == 0);
}

/* ---------- lines ---------- */

static void
check_hash(char **fields)
{
	pgbf_filter *filter = pgbf_create(1000, 0.01, strtoll(fields[1], NULL, 10), &error);
	Value		value = read_value(fields + 2);
	int64_t		hash = 0;

	CHECK(value.passed == 'n' ?
		  pgbf_hash_number(filter, value.family, value.number, &hash, &error) :
		  value.passed == 'f' ? pgbf_hash_float(filter, value.real, &hash, &error) :
		  pgbf_hash_bytes(filter, value.family, value.bytes.start, value.bytes.length, &hash,
						  &error));
	CHECK(hash == strtoll(fields[5], NULL, 10));
	pgbf_free(filter);
}

static void
check_size(char **fields)
{
	pgbf_filter *filter = pgbf_create(strtod(fields[1], NULL), strtod(fields[2], NULL), 0, &error);
	pgbf_info	info;

	CHECK(pgbf_get_info(filter, &info, sizeof(info), &error));
	CHECK(info.bits == 512 * strtoll(fields[3], NULL, 10));
	CHECK(info.hashes == atoi(fields[4]));
	pgbf_free(filter);
}

/* What was built of the members of the line before is complete. */
static void
end_following(Following *f)
{
	if (f->built != NULL)
		CHECK(is_text(f->built, f->text));
	if (f->by_array != NULL)
		CHECK(is_text(f->by_array, f->text));
	pgbf_free(f->filter);
	pgbf_free(f->built);
	pgbf_free(f->by_array);
	pgbf_counting_free(f->counting);
	memset(f, 0, sizeof(*f));
}

static void
check_filter(Following *f, char **fields)
{
	Bytes		text = decode(fields[2]);
	Bytes		bytes = decode(fields[3]);
	pgbf_filter *from_bytes = pgbf_from_bytes(bytes.start, bytes.length, &error);
	pgbf_filter *parsed = pgbf_parse(bytes.start, bytes.length, &error);

	strcpy(f->text, text.start);
	f->filter = pgbf_from_text(text.start, text.length, &error);
	CHECK(is_text(f->filter, text.start) && is_bytes(f->filter, bytes));
	CHECK(is_text(from_bytes, text.start) && is_bytes(from_bytes, bytes));
	CHECK(is_text(parsed, text.start) && is_bytes(parsed, bytes));
	CHECK(pgbf_equal(f->filter, from_bytes, &error) == 1);
	check_info(f->filter, fields + 4);
	if (fields[16][0] == '1')
	{
		double		n = strtod(fields[4], NULL);
		double		rate = strtod(fields[5], NULL);
		int64_t		seed = strtoll(fields[6], NULL, 10);

		f->built = pgbf_create(n, rate, seed, &error);
		f->by_array = pgbf_create(n, rate, seed, &error);
	}
	pgbf_free(from_bytes);
	pgbf_free(parsed);
}

/* Adds a value as an array of one, and tests that. */
static void
check_array(pgbf_filter *filter, const Value *value)
{
	int64_t		offsets[2] = {0};
	uint8_t		found = 2;
	int64_t		hits;

	offsets[1] = (int64_t) value->bytes.length;
	if (value->passed == 'n')
	{
		CHECK(pgbf_add_number_array(filter, value->family, &value->number, 1, &error));
		hits = pgbf_has_number_array(filter, value->family, &value->number, 1, &found, &error);
	}
	else if (value->passed == 'f')
	{
		CHECK(pgbf_add_float_array(filter, &value->real, 1, &error));
		hits = pgbf_has_float_array(filter, &value->real, 1, &found, &error);
	}
	else
	{
		CHECK(pgbf_add_bytes_array(filter, value->family, value->bytes.start, offsets, 1, &error));
		hits = pgbf_has_bytes_array(filter, value->family, value->bytes.start, offsets, 1, &found,
									&error);
	}
	CHECK(hits == 1 && found == 1);
}

static void
check_member(Following *f, char **fields)
{
	Value		value = read_value(fields + 1);

	/* of "grow", the filter is the one that is built */
	if (f->filter != NULL)
		CHECK(has_value(f->filter, &value, &error) == 1);
	if (f->built != NULL)
		CHECK(add_value(f->built, &value, &error));
	if (f->by_array != NULL)
		check_array(f->by_array, &value);
}

static void
check_other(const Following *f, char **fields)
{
	Value		value = read_value(fields + 1);

	CHECK(has_value(f->filter, &value, &error) == atoi(fields[4]));
}

static void
check_grow(Following *f, char **fields)
{
	f->built = read_text(fields[1]);
	strcpy(f->text, decode(fields[2]).start);
}

static void
check_error(char **fields)
{
	CHECK(strcmp(error.sqlstate, decode(fields[1]).start) == 0);
	CHECK(strcmp(error.message, decode(fields[2]).start) == 0);
	CHECK(strcmp(error.detail, decode(fields[3]).start) == 0);
	CHECK(strcmp(error.hint, decode(fields[4]).start) == 0);
}

static void
check_combined(char **fields)
{
	bool		unite = strcmp(fields[0], "unite") == 0;
	pgbf_filter *a = read_text(fields[1]);
	pgbf_filter *b = read_text(fields[2]);
	pgbf_filter *before = pgbf_copy(a, &error);
	bool		done = unite ? pgbf_unite(a, b, &error) : pgbf_intersect(a, b, &error);

	CHECK(done == (strcmp(fields[3], "ok") == 0));
	if (done)
		CHECK(is_text(a, decode(fields[4]).start));
	else
	{
		check_error(fields + 3);
		CHECK(pgbf_equal(a, before, &error) == 1);
	}
	CHECK(is_text(b, fields[2]));
	pgbf_free(a);
	pgbf_free(b);
	pgbf_free(before);
}

static void
check_takes(char **fields)
{
	pgbf_filter *filter = pgbf_create(10, 0.01, 0, &error);
	Value		held = read_value(fields + 1);
	Value		other = read_value(fields + 4);

	CHECK(add_value(filter, &held, &error));
	CHECK(pgbf_get_family(filter) == held.family);
	if (atoi(fields[7]) == 1)
		CHECK(has_value(filter, &other, &error) >= 0);
	else
	{
		CHECK(has_value(filter, &other, &error) == -1);
		CHECK(strcmp(error.sqlstate, PGBF_ERROR_MISMATCH) == 0);
		CHECK(!add_value(filter, &other, &error));
	}
	pgbf_free(filter);
}

static void
check_own(char **fields)
{
	Bytes		text = decode(fields[1]);
	Bytes		bytes = decode(fields[2]);
	pgbf_filter *filter = pgbf_parse(text.start, text.length, &error);

	CHECK(is_text(filter, text.start) && is_bytes(filter, bytes));
	check_info(filter, fields + 3);
	CHECK(pgbf_get_family(filter) == PGBF_OWN);
	CHECK(pgbf_has_hash(filter, -1) >= 0);
	CHECK(pgbf_has_number(filter, PGBF_INTEGER, 1, &error) == -1);
	CHECK(strcmp(error.sqlstate, PGBF_ERROR_UNSUPPORTED) == 0);
	CHECK(strcmp(error.message, decode(fields[15]).start) == 0);
	CHECK(!pgbf_add_float(filter, 1, &error));
	CHECK(pgbf_unite(filter, filter, &error) && is_text(filter, text.start));
	pgbf_free(filter);
}

static void
check_counting(Following *f, char **fields)
{
	Bytes		text = decode(fields[1]);
	Bytes		bytes = decode(fields[2]);
	pgbf_counting_filter *from_bytes = pgbf_counting_from_bytes(bytes.start, bytes.length, &error);
	pgbf_filter *plain;
	size_t		length = 0;
	char	   *written = pgbf_counting_to_text(from_bytes, &length, &error);

	CHECK(length == text.length && strcmp(written, text.start) == 0);
	pgbf_release(written);
	pgbf_counting_free(from_bytes);

	CHECK(pgbf_parse(text.start, text.length, &error) == NULL);
	f->counting = pgbf_counting_parse(text.start, text.length, &error);
	written = pgbf_counting_to_bytes(f->counting, &length, &error);
	CHECK(length == bytes.length && memcmp(written, bytes.start, length) == 0);
	pgbf_release(written);
	plain = pgbf_counting_to_filter(f->counting, &error);
	CHECK(is_text(plain, decode(fields[3]).start));
	pgbf_free(plain);
}

static void
check_count(const Following *f, char **fields)
{
	Value		value = read_value(fields + 1);

	CHECK((value.passed == 'n' ?
		   pgbf_count_number(f->counting, value.family, value.number, &error) :
		   pgbf_count_bytes(f->counting, value.family, value.bytes.start, value.bytes.length,
							&error)) == atoi(fields[4]));
}

static void
check_malformed(char **fields)
{
	Bytes		input = decode(fields[2]);
	pgbf_filter *filter = strcmp(fields[1], "text") == 0 ?
		pgbf_from_text(input.start, input.length, &error) :
		pgbf_from_bytes(input.start, input.length, &error);

	CHECK((filter != NULL) == (strcmp(fields[3], "ok") == 0));
	if (filter == NULL)
		check_error(fields + 3);
	else
		CHECK(is_text(filter, decode(fields[4]).start));
	pgbf_free(filter);
}

/* ---------- all of them ---------- */

static void
check_line(Following *f, char **fields)
{
	const char *kind = fields[0];

	if (strcmp(kind, "member") == 0)
	{
		check_member(f, fields);
		return;
	}
	if (strcmp(kind, "other") == 0)
	{
		check_other(f, fields);
		return;
	}
	if (strcmp(kind, "count") == 0)
	{
		check_count(f, fields);
		return;
	}
	end_following(f);
	if (strcmp(kind, "hash") == 0)
		check_hash(fields);
	else if (strcmp(kind, "size") == 0)
		check_size(fields);
	else if (strcmp(kind, "filter") == 0)
		check_filter(f, fields);
	else if (strcmp(kind, "grow") == 0)
		check_grow(f, fields);
	else if (strcmp(kind, "takes") == 0)
		check_takes(fields);
	else if (strcmp(kind, "own") == 0)
		check_own(fields);
	else if (strcmp(kind, "counting") == 0)
		check_counting(f, fields);
	else if (strcmp(kind, "malformed") == 0)
		check_malformed(fields);
	else
		check_combined(fields);
}

/* Do the lines belong to the same group? */
static bool
same_group(const char *group, const char *kind)
{
	return strcmp(group, kind) == 0 || strcmp(kind, "member") == 0 ||
		strcmp(kind, "other") == 0 || strcmp(kind, "count") == 0 ||
		(strcmp(group, "unite") == 0 && strcmp(kind, "intersect") == 0) ||
		(strcmp(group, "intersect") == 0 && strcmp(kind, "unite") == 0);
}

int
main(int argc, char **argv)
{
	static Line line;
	static Following following;
	char		group[32] = "hash";
	FILE	   *file = argc > 1 ? fopen(argv[1], "r") : NULL;

	if (file == NULL)
	{
		perror("vectors");
		return EXIT_FAILURE;
	}
	while (line_read(file, &line))
	{
		if (!same_group(group, line.fields[0]))
		{
			end_following(&following);
			tap_group(group, 6);
			strcpy(group, line.fields[0]);
		}
		check_line(&following, line.fields);
	}
	end_following(&following);
	tap_group(group, 6);
	fclose(file);
	return tap_status();
}
