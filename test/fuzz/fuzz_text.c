/*-------------------------------------------------------------------------
 *
 * fuzz_text.c
 *		The parser of the text form.
 *
 * An input that starts with a zero byte is a payload: if its header is right,
 * its text form, with any white space, must parse to the same fields.  One that
 * starts with a byte 1 is base64, or nearly.  Every other input is text: what is
 * accepted must be ASCII up to the base64, parse to the same fields again when
 * it is written anew, and must not be accepted when it is cut short or goes on.
 *
 * Base64 is accepted if and only if that is how its bytes are written, white
 * space aside, and in pieces as well as in one.
 *
 *-------------------------------------------------------------------------
 */
#include <math.h>

#include "core/base64.h"
#include "core/text.h"
#include "base64_model.h"
#include "fuzz.h"
#include "print_text.h"

/* The type that the text is read as. */
static BfFilterType type;

/* Parse a copy that ends where the text does, without a zero byte behind. */
static const char *
parse(const char *text, size_t len, char **copy, BfText *result)
{
	*copy = malloc(len > 0 ? len : 1);
	memcpy(*copy, text, len);
	return bf_text_parse(type, *copy, len, result);
}

static bool
is_accepted(const char *text, size_t len)
{
	BfText		ignored;
	char	   *copy;
	bool		accepted = parse(text, len, &copy, &ignored) == NULL;

	free(copy);
	return accepted;
}

/* Equal fields; but what is no number at all never gets this far. */
static void
require_same(const BfHeader *a, const BfHeader *b)
{
	REQUIRE(a->type == b->type);
	REQUIRE(a->representation == b->representation);
	REQUIRE(a->hashes == b->hashes);
	REQUIRE(a->blocks == b->blocks);
	REQUIRE(a->family == b->family);
	REQUIRE(a->environment == b->environment);
	REQUIRE(a->seed == b->seed);
	REQUIRE(a->capacity == b->capacity);
	REQUIRE(memcmp(&a->rate, &b->rate, sizeof(double)) == 0);
	REQUIRE(a->name_len == b->name_len);
	REQUIRE(a->name_len == 0 || memcmp(a->name, b->name, a->name_len) == 0);
}

/* The fields, written by the code under test and read again. */
static void
check_written(const BfHeader *header, uint32_t crc)
{
	char	   *text = malloc(BF_TEXT_ROOM);
	size_t		len = bf_text_write(header, crc, text);
	BfText		again;
	char	   *copy;
	size_t		i;

	REQUIRE(len < BF_TEXT_ROOM - 1);
	for (i = 0; i < len; i++)
		REQUIRE(text[i] >= ' ' && text[i] <= '~');
	text[len++] = ')';
	REQUIRE(parse(text, len, &copy, &again) == NULL);
	require_same(header, &again.header);
	REQUIRE(again.crc == crc);
	REQUIRE(again.base64_len == 0);
	free(copy);
	free(text);
}

/* Write the fields and read them again. */
static void
check_printed(const BfHeader *header, uint32_t crc, const char *base64, size_t base64_len,
			  uint64_t spaces)
{
	char	   *text = malloc(PRINT_TEXT_ROOM(base64_len));
	size_t		len = print_text(header, crc, base64, base64_len, spaces, text);
	BfText		again;
	char	   *copy;

	REQUIRE(parse(text, len, &copy, &again) == NULL);
	require_same(header, &again.header);
	REQUIRE(again.crc == crc);
	REQUIRE(again.base64_len == base64_len);
	REQUIRE(base64_len == 0 || memcmp(again.base64, base64, base64_len) == 0);
	free(copy);
	free(text);
}

/*
 * Read base64, the first part of it as one piece and the rest by so many
 * characters at a time.  Returns the number of bytes, or -1.
 */
static long
decode(const char *text, size_t len, size_t first, size_t step, uint8_t *bytes)
{
	BfBase64Reader reader;
	size_t		at = first < len ? first : len;
	bool		right;

	bf_base64_begin(&reader, bytes);
	right = bf_base64_read(&reader, text, at);
	for (; right && at < len; at += step)
		right = bf_base64_read(&reader, text + at, len - at < step ? len - at : step);
	return right && bf_base64_end(&reader) ? (long) (reader.dst - bytes) : -1;
}

static void
check_base64(const char *text, size_t len)
{
	/* as large as promised, so that the sanitizer sees what is behind */
	size_t		room = bf_base64_room(len);
	uint8_t    *bytes = malloc(room > 0 ? room : 1);
	uint8_t    *expected = malloc(len + 1);
	char	   *again = malloc(len + 8);
	long		n = base64_model_decode(text, len, expected);

	REQUIRE(decode(text, len, len, 1, bytes) == n);
	REQUIRE(n <= 0 || memcmp(bytes, expected, (size_t) n) == 0);
	memset(bytes, 0, room);
	REQUIRE(decode(text, len, len / 3, len % 7 + 1, bytes) == n);
	REQUIRE(n <= 0 || memcmp(bytes, expected, (size_t) n) == 0);
	if (n > 0)
	{
		size_t		chars = base64_model_encode(expected, (size_t) n, again);
		char	   *written = malloc(chars);

		REQUIRE(bf_base64_length((size_t) n) == chars);
		bf_base64_encode(expected, (size_t) n, written);
		REQUIRE(memcmp(written, again, chars) == 0);
		free(written);
	}
	free(again);
	free(expected);
	free(bytes);
}

/* What the parser may point to lies within the text. */
static void
check_bounds(const char *text, size_t len, const BfText *parsed)
{
	const BfHeader *header = &parsed->header;

	REQUIRE(header->type == type);
	REQUIRE(parsed->base64 >= text);
	REQUIRE((size_t) (parsed->base64 - text) + parsed->base64_len < len);
	REQUIRE(header->representation >= BF_SPARSE && header->representation <= BF_UNSIZED);
	REQUIRE(header->family >= BF_FAMILY_NONE && header->family <= BF_FAMILY_LAST);
	REQUIRE((header->name_len > 0) == (header->family == BF_FAMILY_OWN));
	if (header->name_len > 0)
	{
		REQUIRE(header->name > text && header->name + header->name_len < text + len);
		REQUIRE(bf_type_name_length(header->name, header->name_len) == header->name_len);
	}
	else
		REQUIRE(header->environment == 0);
	for (; text < parsed->base64; text++)
		REQUIRE(*text > 0 && *text <= '~');
}

/*
 * The number of the field that comes next in accepted text, in so large a type
 * that it cannot overflow unnoticed: 40 digits are at most saturated.
 */
static unsigned __int128
next_number(const char **at, const char *key, unsigned base)
{
	unsigned __int128 value = 0;

	*at = strstr(*at, key) + strlen(key);
	*at += strspn(*at, " \t\n\r\f\v=-");
	for (; strchr(", )\t\n\r\f\v", **at) == NULL; ++*at)
	{
		unsigned	digit = (unsigned) (**at <= '9' ? **at - '0' : **at - 'a' + 10);

		REQUIRE(digit < base);
		if (value >> 120 == 0)
			value = value * base + digit;
	}
	return value;
}

/* Fields are what the text says, not that modulo something. */
static void
check_numbers(const char *text, size_t len, const BfText *parsed)
{
	const BfHeader *header = &parsed->header;
	char	   *copy = calloc(len + 1, 1);
	const char *at = copy;

	memcpy(copy, text, len);
	if (header->name_len > 0)
	{
		at += header->name + header->name_len - text;
		REQUIRE(next_number(&at, "env", 16) == header->environment);
	}
	else
	{
		/* behind the version and the family, where the first "n" is the key */
		at += strcspn(at, ",") + 1;
		at += strcspn(at, ",");
	}
	REQUIRE(next_number(&at, "n", 10) == header->capacity);
	REQUIRE(next_number(&at, "blocks", 10) == header->blocks);
	REQUIRE(next_number(&at, "k", 10) == (unsigned) header->hashes);
	REQUIRE(next_number(&at, "seed", 10) ==
			(header->seed < 0 ? -(unsigned __int128) header->seed : (unsigned __int128) header->seed));
	REQUIRE(next_number(&at, "crc", 16) == parsed->crc);
	free(copy);
}

/* The text goes up to its last parenthesis, no further, and is whole. */
static void
check_extent(const char *text, size_t len)
{
	char	   *longer = malloc(len + 1);
	size_t		close = len;

	memcpy(longer, text, len);
	longer[len] = ')';
	REQUIRE(!is_accepted(longer, len + 1));
	longer[len] = ' ';
	REQUIRE(is_accepted(longer, len + 1));
	free(longer);

	while (text[close - 1] != ')')
		close--;
	REQUIRE(is_accepted(text, close));
	REQUIRE(!is_accepted(text, close - 1));
}

/* Returns whether it can be read. */
static bool
check_text(const char *text, size_t len)
{
	BfText		parsed;
	char	   *copy;
	bool		right = parse(text, len, &copy, &parsed) == NULL;

	if (right)
	{
		check_bounds(copy, len, &parsed);
		check_numbers(copy, len, &parsed);
		check_extent(copy, len);
		/* only so large a number has no decimal form that reads back */
		if (!isinf(parsed.header.rate))
		{
			check_printed(&parsed.header, parsed.crc, parsed.base64, parsed.base64_len, len);
			/* without data, of which the text says nothing more */
			parsed.header.count = 0;
			if (parsed.header.representation != BF_DENSE)
				check_written(&parsed.header, parsed.crc);
		}
		check_base64(parsed.base64, parsed.base64_len);
	}
	free(copy);
	return right;
}

static void
check_payload(const uint8_t *payload, size_t len)
{
	FuzzInput	input = {payload, len};
	uint64_t	spaces = fuzz_take(&input, 8);
	uint32_t	crc = (uint32_t) fuzz_take(&input, 4);
	BfHeader	header;

	if (bf_header_read(type, input.at, input.left, &header) == NULL)
	{
		check_printed(&header, crc, "AAAA AAAA", crc % 10, spaces);
		header.count = 0;
		if (header.representation != BF_DENSE)
			check_written(&header, crc);
	}
}

/* Read it as the type; returns whether it is text of that. */
static bool
check_input(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == '\0')
		check_payload(data + 1, size - 1);
	else if (size > 0 && data[0] == 1)
		check_base64((const char *) data + 1, size - 1);
	else
		/* no text holds a zero byte, or the server would not see the rest */
		return check_text((const char *) data, strnlen((const char *) data, size));
	return false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool		is_plain;

	type = BF_PLAIN;
	is_plain = check_input(data, size);
	type = BF_COUNTING;
	/* no text is of both types */
	REQUIRE(!(check_input(data, size) && is_plain));
	return 0;
}
