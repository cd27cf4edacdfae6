/*-------------------------------------------------------------------------
 *
 * damage.c
 *		Filters of clients/vectors.json with a byte changed, cut off or added:
 *		no damaged binary form is read, and no damaged text as another filter.
 *
 *-------------------------------------------------------------------------
 */
#include "lines.h"
#include "tap.h"

/* Every position of a short form, and so many of a long one. */
#define POSITIONS	64

/* What a byte becomes. */
static const unsigned char masks[] = {0x01, 0x80, 0xFF, 0x20};

static pgbf_error error;

/* A copy in memory of exactly that size, so that reading on is noticed. */
static char *
exact_copy(const char *bytes, size_t length)
{
	char	   *copy = malloc(length > 0 ? length : 1);

	memcpy(copy, bytes, length);
	return copy;
}

/* Must be refused, with that SQLSTATE. */
static void
check_refused(const char *bytes, size_t length, bool counting)
{
	char	   *copy = exact_copy(bytes, length);
	bool		refused;

	strcpy(error.sqlstate, "");
	if (counting)
	{
		pgbf_counting_filter *filter = pgbf_counting_from_bytes(copy, length, &error);

		refused = filter == NULL;
		pgbf_counting_free(filter);
	}
	else
	{
		pgbf_filter *filter = pgbf_from_bytes(copy, length, &error);

		refused = filter == NULL;
		pgbf_free(filter);
	}
	CHECK(refused && strcmp(error.sqlstate, PGBF_ERROR_BINARY) == 0);
	free(copy);
}

/* Must be refused, or be the same filter, written in another way. */
static void
check_text(const char *text, size_t length, const char *original)
{
	char	   *copy = exact_copy(text, length);
	pgbf_filter *filter = pgbf_from_text(copy, length, &error);
	char	   *written = filter != NULL ? pgbf_to_text(filter, NULL, NULL) : NULL;

	CHECK(filter != NULL ? strcmp(written, original) == 0 :
		  strcmp(error.sqlstate, PGBF_ERROR_TEXT) == 0);
	pgbf_release(written);
	pgbf_free(filter);

	/* any form may be met with there; what is no filter must not crash */
	pgbf_free(pgbf_parse(copy, length, &error));
	pgbf_counting_free(pgbf_counting_parse(copy, length, &error));
	free(copy);
}

static size_t
step(size_t length)
{
	return length / POSITIONS + 1;
}

static void
damage_bytes(Bytes bytes, bool counting)
{
	size_t		at;
	size_t		i;

	for (at = 0; at < bytes.length; at += at < 72 ? 1 : step(bytes.length))
	{
		check_refused(bytes.start, at, counting);
		for (i = 0; i < sizeof(masks); i++)
		{
			bytes.start[at] = (char) (bytes.start[at] ^ masks[i]);
			check_refused(bytes.start, bytes.length, counting);
			bytes.start[at] = (char) (bytes.start[at] ^ masks[i]);
		}
	}
	/* behind the end is the zero byte of decode() */
	check_refused(bytes.start, bytes.length + 1, counting);
}

static void
damage_text(Bytes text)
{
	char	   *original = exact_copy(text.start, text.length + 1);
	size_t		at;
	size_t		i;

	for (at = 0; at < text.length; at += step(text.length))
	{
		check_text(text.start, at, original);
		for (i = 0; i < sizeof(masks); i++)
		{
			text.start[at] = (char) (text.start[at] ^ masks[i]);
			check_text(text.start, text.length, original);
			text.start[at] = (char) (text.start[at] ^ masks[i]);
		}
	}
	free(original);
}

int
main(int argc, char **argv)
{
	static Line line;
	FILE	   *file = argc > 1 ? fopen(argv[1], "r") : NULL;

	if (file == NULL)
	{
		perror("damage");
		return EXIT_FAILURE;
	}
	while (line_read(file, &line))
	{
		bool		filter = strcmp(line.fields[0], "filter") == 0;
		bool		own = strcmp(line.fields[0], "own") == 0;
		bool		counting = strcmp(line.fields[0], "counting") == 0;

		if (filter || own)
			damage_text(decode(line.fields[filter ? 2 : 1]));
		if (filter || own || counting)
			damage_bytes(decode(line.fields[filter ? 3 : 2]), counting);
	}
	fclose(file);
	tap_group("damaged filters are refused", 10000);
	return tap_status();
}
