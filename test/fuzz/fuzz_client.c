/*-------------------------------------------------------------------------
 *
 * fuzz_client.c
 *		libpgbloomfilter, and with it clients/core, which all clients are made
 *		of.
 *
 * The inputs are those of fuzz_io: the first byte says what the rest is, modulo
 * ten:
 *		0		the binary form, as it is
 *		1, 4	a payload, to which magic and checksum are added
 *		2, 3	text, as it is
 *		5..9	the same of a counting filter
 *
 * Binary form is accepted if and only if the validator accepts it and the
 * checksum is right.  What is accepted comes back from each form unchanged, and
 * is still a filter after each function, which holds the value that was added.
 *
 *-------------------------------------------------------------------------
 */
#include "crc32c.h"
#include "filter.h"
#include "fuzz.h"
#include "mutate_payload.h"
#include "pgbloomfilter.h"

#define KINDS	5

static pgbf_error error;

/* ---------- forms ---------- */

/* Bytes or text that the library wrote. */
typedef struct Written
{
	char	   *start;
	size_t		length;
} Written;

static Written
written_bytes(const pgbf_filter *filter)
{
	Written		bytes;

	bytes.start = pgbf_to_bytes(filter, &bytes.length, &error);
	REQUIRE(bytes.start != NULL);
	return bytes;
}

static Written
written_text(pgbf_filter *filter)
{
	Written		text;

	text.start = pgbf_to_text(filter, &text.length, &error);
	REQUIRE(text.start != NULL && strlen(text.start) == text.length);
	return text;
}

/* Is it the filter of these bytes?  Frees both. */
static void
require_bytes(pgbf_filter *filter, Written bytes)
{
	Written		again;

	REQUIRE(filter != NULL);
	again = written_bytes(filter);
	REQUIRE(again.length == bytes.length && memcmp(again.start, bytes.start, bytes.length) == 0);
	pgbf_release(again.start);
	pgbf_release(bytes.start);
	pgbf_free(filter);
}

/* A filter that any function has left is what the validator accepts. */
static void
require_filter(pgbf_filter *filter)
{
	Written		bytes = written_bytes(filter);
	Written		text = written_text(filter);

	require_bytes(pgbf_from_text(text.start, text.length, &error), bytes);
	bytes = written_bytes(filter);
	require_bytes(pgbf_parse(bytes.start, bytes.length, &error), bytes);
	pgbf_release(text.start);
}

/* ---------- filters ---------- */

static void
check_error(void)
{
	REQUIRE(strlen(error.sqlstate) == 5 && error.message[0] != '\0');
	REQUIRE(strcmp(error.sqlstate, PGBF_ERROR_MEMORY) != 0);
}

/* It takes values of one way of passing them, or of none. */
static void
check_adding(pgbf_filter *filter, int64_t number)
{
	pgbf_family family = pgbf_get_family(filter);
	bool		added = pgbf_add_number(filter, PGBF_INTEGER, number, &error);

	REQUIRE(added == (family == PGBF_NONE || family == PGBF_INTEGER));
	if (added)
		REQUIRE(pgbf_has_number(filter, PGBF_INTEGER, number, &error) == 1);
	else
	{
		check_error();
		REQUIRE(pgbf_has_number(filter, PGBF_INTEGER, number, &error) == -1);
	}
	added = pgbf_add_bytes(filter, PGBF_TEXT, &number, sizeof(number), &error);
	if (added)
		REQUIRE(pgbf_has_bytes(filter, PGBF_TEXT, &number, sizeof(number), &error) == 1);
	else
		check_error();
	require_filter(filter);
}

static void
check_shrinking(pgbf_filter *filter, int32_t factor)
{
	pgbf_filter *small = pgbf_shrink(filter, factor, &error);

	if (small == NULL)
		check_error();
	else
		require_filter(small);
	pgbf_free(small);
}

static void
check_filter(pgbf_filter *filter, int64_t number)
{
	pgbf_filter *copy = pgbf_copy(filter, &error);
	pgbf_info	info;

	REQUIRE(copy != NULL && pgbf_equal(filter, copy, &error) == 1);
	require_filter(filter);
	REQUIRE(pgbf_get_info(filter, &info, sizeof(info), &error));
	REQUIRE(pgbf_unite(filter, copy, &error) && pgbf_equal(filter, copy, &error) == 1);
	REQUIRE(pgbf_intersect(filter, filter, &error) && pgbf_equal(filter, copy, &error) == 1);
	check_shrinking(filter, (int32_t) number);
	check_shrinking(filter, 2);
	REQUIRE(pgbf_equal(filter, copy, &error) == 1);
	check_adding(filter, number);
	/* what was added to one is in the union, and all of the other */
	REQUIRE(pgbf_unite(copy, filter, &error) && pgbf_equal(copy, filter, &error) == 1);
	pgbf_free(copy);
	pgbf_free(filter);
}

static void
check_counting(pgbf_counting_filter *counting, int64_t number)
{
	pgbf_filter *filter = pgbf_counting_to_filter(counting, &error);
	size_t		length;
	char	   *text = pgbf_counting_to_text(counting, &length, &error);
	pgbf_counting_filter *again = pgbf_counting_parse(text, length, &error);
	char	   *same = pgbf_counting_to_text(again, NULL, &error);
	int			count = pgbf_count_hash(counting, number);

	REQUIRE(strcmp(text, same) == 0);
	REQUIRE(count >= 0 && count <= 15 && (count > 0) == (pgbf_has_hash(filter, number) == 1));
	pgbf_release(same);
	pgbf_release(text);
	pgbf_counting_free(again);
	pgbf_counting_free(counting);
	check_filter(filter, number);
}

/* ---------- inputs ---------- */

/* A number that the input has somewhere: of a list, one of its hashes. */
static int64_t
some_number(const uint8_t *data, size_t size)
{
	FuzzInput	end = {data, size};

	if (size > 12)
	{
		end.at += size - 12;
		end.left = 12;
	}
	return (int64_t) fuzz_take(&end, 8);
}

static void
check_wire(const uint8_t *wire, size_t len, bool is_counting)
{
	BfHeader	header;
	BfFilterType type = is_counting ? BF_COUNTING : BF_PLAIN;
	bool		right = len >= 8 && memcmp(wire, is_counting ? "PGCB" : "PGBF", 4) == 0 &&
		bf_validate(type, wire + 4, len - 8, &header) == NULL;
	pgbf_counting_filter *counting = NULL;
	pgbf_filter *filter = NULL;

	if (right)
	{
		FuzzInput	end = {wire + len - 4, 4};

		right = fuzz_take(&end, 4) == bf_crc32c(wire + 4, len - 8);
	}
	if (is_counting)
		counting = pgbf_counting_from_bytes(wire, len, &error);
	else
		filter = pgbf_from_bytes(wire, len, &error);
	REQUIRE((counting != NULL || filter != NULL) == right);
	if (counting != NULL)
		check_counting(counting, some_number(wire, len));
	else if (filter != NULL)
		check_filter(filter, some_number(wire, len));
	else
		check_error();
}

static void
check_payload(const uint8_t *payload, size_t len, bool is_counting)
{
	uint8_t    *wire = malloc(len + 8);
	uint32_t	crc = bf_crc32c(payload, len);
	int			i;

	memcpy(wire, is_counting ? "PGCB" : "PGBF", 4);
	memcpy(wire + 4, payload, len);
	for (i = 0; i < 4; i++)
		wire[4 + len + i] = (uint8_t) (crc >> (8 * i));
	check_wire(wire, len + 8, is_counting);
	free(wire);
}

static void
check_text(const char *text, size_t len, bool is_counting)
{
	pgbf_counting_filter *counting = NULL;
	pgbf_filter *filter = NULL;

	if (is_counting)
		counting = pgbf_counting_from_text(text, len, &error);
	else
		filter = pgbf_from_text(text, len, &error);
	if (counting != NULL)
		check_counting(counting, some_number((const uint8_t *) text, len));
	else if (filter != NULL)
		check_filter(filter, some_number((const uint8_t *) text, len));
	else
		check_error();
}

/* Whatever it is, it is some form or an error. */
static void
check_any_form(const void *input, size_t len)
{
	pgbf_filter *filter = pgbf_parse(input, len, &error);
	pgbf_counting_filter *counting = pgbf_counting_parse(input, len, NULL);

	if (filter != NULL)
		require_filter(filter);
	else
		check_error();
	pgbf_free(filter);
	pgbf_counting_free(counting);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool		is_counting;

	if (size == 0)
		return 0;
	bf_clients_init();
	is_counting = data[0] % (2 * KINDS) >= KINDS;
	check_any_form(data + 1, size - 1);
	switch (data[0] % KINDS)
	{
		case 0:
			check_wire(data + 1, size - 1, is_counting);
			break;
		case 1:
		case 4:
			check_payload(data + 1, size - 1, is_counting);
			break;
		default:
			check_text((const char *) data + 1, size - 1, is_counting);
			break;
	}
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	/* a payload, behind the byte that says so */
	if (size > 1 && (data[0] % KINDS == 1 || data[0] % KINDS == 4) && seed % 16 != 0)
		return 1 + mutate_payload(data + 1, size - 1, max_size - 1, seed);
	return LLVMFuzzerMutate(data, size, max_size);
}
