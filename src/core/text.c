/*-------------------------------------------------------------------------
 *
 * text.c
 *		Parser and writer of a filter's text form.
 *
 *	bloomfilter(1, integer, n=1000, p=0.01, blocks=20, k=7, seed=0, sparse,
 *				crc=5f2a8c01, BASE64)
 *
 * on one line.  A counting filter's text begins with "counting_bloomfilter"
 * and is otherwise the same.  The name of an own-hash type is followed by env=
 * and the environment as 16 hexadecimal digits.  A filter without values has
 * the element type "none"; a filter without data ends after the checksum.
 * White space is allowed between tokens and within the base64.  All characters
 * are ASCII.
 *
 *-------------------------------------------------------------------------
 */
#include "core/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any number's shortest form; a double requires 24 characters. */
#define MAX_NUMBER	40

/* The part of the text that is still to be read. */
typedef struct Cursor
{
	const char *at;
	const char *end;
} Cursor;

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static void
skip_space(Cursor *cursor)
{
	while (cursor->at < cursor->end && is_space(*cursor->at))
		cursor->at++;
}

/* Consume the token and white space around it, if the token comes next. */
static bool
accept(Cursor *cursor, const char *token)
{
	size_t		len = strlen(token);

	skip_space(cursor);
	if ((size_t) (cursor->end - cursor->at) < len ||
		memcmp(cursor->at, token, len) != 0)
		return false;
	cursor->at += len;
	skip_space(cursor);
	return true;
}

/* Consume "key =". */
static bool
accept_key(Cursor *cursor, const char *key)
{
	return accept(cursor, key) && accept(cursor, "=");
}

/*
 * Copy the characters up to the next comma, parenthesis or space into a
 * terminated buffer.
 */
static bool
take_number(Cursor *cursor, char *buffer)
{
	size_t		n = 0;

	while (cursor->at < cursor->end && *cursor->at != ',' &&
		   *cursor->at != ')' && !is_space(*cursor->at))
	{
		if (n == MAX_NUMBER)
			return false;
		buffer[n++] = *cursor->at++;
	}
	buffer[n] = '\0';
	return n > 0;
}

/* Read digits of the base, without sign or prefix, of a number up to max. */
static bool
take_unsigned(Cursor *cursor, int base, uint64_t max, uint64_t *result)
{
	static const char digits[] = "0123456789abcdef";
	char		buffer[MAX_NUMBER + 1];
	uint64_t	value = 0;
	const char *c;

	if (!take_number(cursor, buffer))
		return false;
	for (c = buffer; *c != '\0'; c++)
	{
		const char *digit = memchr(digits, *c, (size_t) base);
		uint64_t	unit;

		if (digit == NULL)
			return false;
		unit = (uint64_t) (digit - digits);
		if (value > (max - unit) / (uint64_t) base)
			return false;
		value = value * (uint64_t) base + unit;
	}
	*result = value;
	return true;
}

static bool
take_signed(Cursor *cursor, int64_t *result)
{
	bool		negative = cursor->at < cursor->end && *cursor->at == '-';
	uint64_t	magnitude;

	if (negative)
		cursor->at++;
	if (!take_unsigned(cursor, 10, (uint64_t) INT64_MAX + negative, &magnitude))
		return false;
	/* correct in two's complement for the smallest number, too */
	*result = (int64_t) (negative ? -magnitude : magnitude);
	return true;
}

static bool
take_double(Cursor *cursor, double *result)
{
	char		buffer[MAX_NUMBER + 1];
	char	   *end;

	if (!take_number(cursor, buffer) ||
		buffer[strspn(buffer, "0123456789.e+-")] != '\0')
		return false;
	*result = strtod(buffer, &end);
	return *end == '\0';
}

static bool
take_element_type(Cursor *cursor, BfHeader *header)
{
	size_t		rest = (size_t) (cursor->end - cursor->at);
	size_t		len = bf_type_name_length(cursor->at, rest);

	header->environment = 0;
	header->name = NULL;
	header->name_len = 0;
	if (len > 0)
	{
		header->family = BF_FAMILY_OWN;
		header->name = cursor->at;
		header->name_len = len;
		cursor->at += len;
		return accept(cursor, ",") && accept_key(cursor, "env") &&
			take_unsigned(cursor, 16, UINT64_MAX, &header->environment);
	}

	for (len = 0; len < rest && cursor->at[len] != ',' && !is_space(cursor->at[len]); len++)
		;
	header->family = bf_family_by_name(cursor->at, len);
	if (header->family == BF_FAMILY_NONE &&
		!(len == strlen("none") && memcmp(cursor->at, "none", len) == 0))
		return false;
	cursor->at += len;
	return true;
}

const char *
bf_representation_name(BfRepresentation representation)
{
	return representation == BF_SPARSE ? "sparse" :
		representation == BF_DENSE ? "dense" : "unsized";
}

static bool
take_representation(Cursor *cursor, BfHeader *header)
{
	int			candidate;

	for (candidate = BF_SPARSE; candidate <= BF_UNSIZED; candidate++)
		if (accept(cursor, bf_representation_name((BfRepresentation) candidate)))
		{
			header->representation = (BfRepresentation) candidate;
			return true;
		}
	return false;
}

/* Consume the start of the text of a filter of the type. */
static bool
accept_start(Cursor *cursor, BfFilterType type)
{
	return accept(cursor, bf_filter_type_name(type)) && accept(cursor, "(");
}

const char *
bf_text_hint(BfFilterType type, const char *text, size_t len)
{
	Cursor		cursor = {text, text + len};

	if (!accept_start(&cursor, type == BF_COUNTING ? BF_PLAIN : BF_COUNTING))
		return NULL;
	return type == BF_COUNTING ?
		"This is a bloomfilter, which has no counts: build the filter from the values with counting_bloom_agg." :
		"This is a counting_bloomfilter: cast it to counting_bloomfilter first, then to bloomfilter.";
}

const char *
bf_text_parse(BfFilterType type, const char *text, size_t len, BfText *result)
{
	Cursor		cursor = {text, text + len};
	BfHeader   *header = &result->header;
	uint64_t	number;

	header->type = type;
	if (!accept_start(&cursor, type))
		return type == BF_COUNTING ? "it must start with \"counting_bloomfilter(\"" :
			"it must start with \"bloomfilter(\"";
	if (!take_unsigned(&cursor, 10, UINT8_MAX, &number) || number != BF_FORMAT_VERSION)
		return "unknown format version";
	if (!accept(&cursor, ",") || !take_element_type(&cursor, header))
		return "malformed element type";
	if (!accept(&cursor, ",") || !accept_key(&cursor, "n") ||
		!take_unsigned(&cursor, 10, UINT64_MAX, &header->capacity))
		return "malformed capacity \"n\"";
	if (!accept(&cursor, ",") || !accept_key(&cursor, "p") ||
		!take_double(&cursor, &header->rate))
		return "malformed false positive rate \"p\"";
	if (!accept(&cursor, ",") || !accept_key(&cursor, "blocks") ||
		!take_unsigned(&cursor, 10, UINT32_MAX, &number))
		return "malformed number of blocks \"blocks\"";
	header->blocks = (uint32_t) number;
	if (!accept(&cursor, ",") || !accept_key(&cursor, "k") ||
		!take_unsigned(&cursor, 10, UINT8_MAX, &number))
		return "malformed number of hashes \"k\"";
	header->hashes = (int) number;
	if (!accept(&cursor, ",") || !accept_key(&cursor, "seed") ||
		!take_signed(&cursor, &header->seed))
		return "malformed seed \"seed\"";
	if (!accept(&cursor, ",") || !take_representation(&cursor, header))
		return "unknown representation";
	if (!accept(&cursor, ",") || !accept_key(&cursor, "crc") ||
		!take_unsigned(&cursor, 16, UINT32_MAX, &number))
		return "malformed checksum \"crc\"";
	result->crc = (uint32_t) number;

	result->base64 = cursor.at;
	result->base64_len = 0;
	if (accept(&cursor, ","))
	{
		const char *close;

		result->base64 = cursor.at;
		close = memchr(cursor.at, ')', (size_t) (cursor.end - cursor.at));
		if (close == NULL)
			return "the closing parenthesis is missing";
		result->base64_len = (size_t) (close - cursor.at);
		cursor.at = close;
	}
	if (!accept(&cursor, ")"))
		return "the closing parenthesis is missing";
	if (cursor.at != cursor.end)
		return "junk after the closing parenthesis";
	return NULL;
}

/*
 * "%.*g" gives the decimal nearest to the number, without zeroes at its end.
 * Any decimal of up to DBL_DIG (15) digits survives the way to a double and
 * back, so if one reads back as the number, this is it; 17 digits always do.
 * The shortest of 16 is the nearest, except perhaps for powers of two, whose
 * neighbours are at unequal distances; those that are rates are exact in fewer
 * digits than would matter.
 */
void
bf_number_write(double value, char dst[BF_NUMBER_ROOM])
{
	int			digits = DBL_DIG;

	if (isnan(value))
		strcpy(dst, "NaN");
	else if (isinf(value))
		strcpy(dst, value < 0 ? "-Infinity" : "Infinity");
	else
		do
			snprintf(dst, BF_NUMBER_ROOM, "%.*g", digits, value);
		while (strtod(dst, NULL) != value && digits++ < 17);
}

size_t
bf_text_write(const BfHeader *header, uint32_t crc, char *dst)
{
	size_t		room = BF_TEXT_ROOM;
	size_t		len;
	char		rate[BF_NUMBER_ROOM];

	bf_number_write(header->rate, rate);
	len = (size_t) snprintf(dst, room, "%s(%d, ", bf_filter_type_name(header->type),
							BF_FORMAT_VERSION);
	if (header->family == BF_FAMILY_OWN)
	{
		memcpy(dst + len, header->name, header->name_len);
		len += header->name_len;
		len += (size_t) snprintf(dst + len, room - len, ", env=%016" PRIx64,
								 header->environment);
	}
	else
		len += (size_t) snprintf(dst + len, room - len, "%s",
								 header->family == BF_FAMILY_NONE ? "none" :
								 bf_family_name(header->family));
	len += (size_t) snprintf(dst + len, room - len,
							 ", n=%" PRIu64 ", p=%s, blocks=%" PRIu32 ", k=%d, seed=%" PRId64
							 ", %s, crc=%08" PRIx32 "%s",
							 header->capacity, rate, header->blocks, header->hashes,
							 header->seed, bf_representation_name(header->representation), crc,
							 bf_data_length(header) > 0 ? ", " : "");
	return len;
}
