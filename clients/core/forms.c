/*-------------------------------------------------------------------------
 *
 * forms.c
 *		Filters outside the server: reading and writing their text and binary
 *		forms.
 *
 * As in the server, every input is checked by bf_validate().
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "core/base64.h"
#include "core/text.h"
#include "core/wire.h"
#include "crc32c.h"
#include "internal.h"

/* How much of a bad text an error message repeats, in bytes. */
#define SHOWN_TEXT	64

/* ---------- binary ---------- */

BfFilter *
bf_filter_from_bytes_as(BfFilterType type, const uint8_t *bytes, size_t len, BfError *error)
{
	BfHeader	header;
	BfStorage	storage;
	const char *reason = bf_wire_validate(type, bytes, len, bf_crc32c, &header);

	if (reason != NULL)
	{
		bf_error_set(error, BF_ERROR_BINARY, "invalid binary representation of type %s",
					 bf_filter_type_name(type));
		bf_error_detail(error, "It cannot be read: %s.", reason);
		return NULL;
	}
	if (!bf_storage_allocate(&storage, BF_HEADER_BYTES, bf_data_length(&header), error))
		return NULL;
	memcpy(storage.data, bytes + BF_WIRE_MAGIC_BYTES + bf_header_length(&header),
		   bf_data_length(&header));
	return bf_filter_make(&header, storage, error);
}

BfFilter *
bf_filter_from_bytes(const uint8_t *bytes, size_t len, BfError *error)
{
	return bf_filter_from_bytes_as(BF_PLAIN, bytes, len, error);
}

/* The header with the current count. */
static BfHeader
current_header(const BfFilter *filter)
{
	BfHeader	header = filter->header;

	header.count = bf_filter_count(filter);
	return header;
}

size_t
bf_filter_bytes_length(const BfFilter *filter)
{
	BfHeader	header = current_header(filter);

	return BF_WIRE_AROUND + bf_header_length(&header) + bf_data_length(&header);
}

void
bf_filter_write_bytes(const BfFilter *filter, uint8_t *dst)
{
	BfHeader	header = current_header(filter);
	size_t		header_len = bf_header_length(&header);
	size_t		data_len = bf_data_length(&header);
	uint8_t    *payload = dst + BF_WIRE_MAGIC_BYTES;

	bf_header_write(&header, payload);
	if (filter->tree != NULL)
		bf_hashtree_write(filter->tree, payload + header_len);
	else
		memcpy(payload + header_len, filter->data, data_len);
	bf_wire_finish(header.type, dst, header_len + data_len, bf_crc32c);
}

/* ---------- text ---------- */

/* The number of bytes of the text to show, without cutting a character. */
static int
shown_length(const char *text, size_t len)
{
	size_t		shown = SHOWN_TEXT;

	if (len <= SHOWN_TEXT)
		return (int) len;
	while (shown > 0 && ((uint8_t) text[shown] & 0xC0) == 0x80)
		shown--;
	return (int) shown;
}

/*
 * Make a filter from a parsed text.  The payload is put together first, and
 * validated as a whole.
 */
static BfFilter *
from_parsed_text(const BfText *text, const char **reason, BfError *error)
{
	BfHeader	header = text->header;
	size_t		header_len = bf_header_length(&header);
	size_t		data_len;
	BfStorage	storage;
	BfBase64Reader reader;

	if (!bf_storage_allocate(&storage, header_len, bf_base64_room(text->base64_len), error))
		return NULL;
	bf_base64_begin(&reader, storage.data);
	if (!bf_base64_read(&reader, text->base64, text->base64_len) || !bf_base64_end(&reader))
		*reason = "malformed base64";
	else
	{
		data_len = (size_t) (reader.dst - storage.data);
		header.count = header.representation == BF_DENSE ? 0 :
			data_len / bf_listed_bytes(header.type);
		bf_header_write(&header, storage.payload);
		*reason = bf_validate(header.type, storage.payload, header_len + data_len, &header);
		if (*reason == NULL &&
			bf_crc32c(storage.payload, header_len + data_len) != text->crc)
			*reason = "wrong checksum";
	}
	if (*reason != NULL)
	{
		free(storage.allocated);
		return NULL;
	}
	return bf_filter_make(&header, storage, error);
}

BfFilter *
bf_filter_from_text_as(BfFilterType type, const char *text, size_t len, BfError *error)
{
	BfText		parsed;
	BfFilter   *filter = NULL;
	BfLocale	locale = bf_locale_enter();
	const char *reason = bf_text_parse(type, text, len, &parsed);

	bf_locale_leave(locale);
	if (reason == NULL)
		filter = from_parsed_text(&parsed, &reason, error);
	if (reason != NULL)
	{
		const char *hint = bf_text_hint(type, text, len);

		bf_error_set(error, BF_ERROR_TEXT, "invalid input syntax for type %s: \"%.*s%s\"",
					 bf_filter_type_name(type), shown_length(text, len), text,
					 len > SHOWN_TEXT ? "..." : "");
		bf_error_detail(error, "It cannot be read: %s.", reason);
		if (hint != NULL)
			bf_error_hint(error, "%s", hint);
	}
	return filter;
}

BfFilter *
bf_filter_from_text(const char *text, size_t len, BfError *error)
{
	return bf_filter_from_text_as(BF_PLAIN, text, len, error);
}

size_t
bf_filter_text_room(const BfFilter *filter)
{
	BfHeader	header = current_header(filter);

	return BF_TEXT_ROOM + bf_base64_length(bf_data_length(&header)) + 1;
}

size_t
bf_filter_write_text(BfFilter *filter, char *dst, BfError *error)
{
	uint8_t		header[BF_HEADER_BYTES + BF_MAX_NAME];
	size_t		data_len;
	size_t		len;
	uint32_t	crc;
	BfLocale	locale;

	if (!bf_filter_settle(filter, error))
		return 0;
	bf_header_write(&filter->header, header);
	data_len = bf_data_length(&filter->header);
	crc = bf_crc32c(header, bf_header_length(&filter->header));
	crc = bf_crc32c_extend(crc, filter->data, data_len);

	locale = bf_locale_enter();
	len = bf_text_write(&filter->header, crc, dst);
	bf_locale_leave(locale);
	bf_base64_encode(filter->data, data_len, dst + len);
	len += bf_base64_length(data_len);
	dst[len++] = ')';
	return len;
}

/* ---------- any form ---------- */

static bool
is_space(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int
hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Decode pairs of digits to dst.  Returns false if there is any other
 * character.
 */
static bool
decode_hex(const uint8_t *hex, size_t len, uint8_t *dst)
{
	size_t		i;

	if (len % 2 != 0)
		return false;
	for (i = 0; i < len; i += 2)
	{
		int			high = hex_digit(hex[i]);
		int			low = hex_digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return false;
		*dst++ = (uint8_t) (high << 4 | low);
	}
	return true;
}

/* Make a filter from its binary form in hexadecimal digits or base64. */
static BfFilter *
from_encoded(BfFilterType type, const uint8_t *input, size_t len, bool hex, BfError *error)
{
	size_t		room = hex ? len / 2 : bf_base64_room(len);
	uint8_t    *bytes = malloc(room + 1);
	size_t		decoded = room;
	bool		well_formed;
	BfFilter   *filter = NULL;

	if (bytes == NULL)
	{
		bf_error_memory(error);
		return NULL;
	}
	if (hex)
		well_formed = decode_hex(input, len, bytes);
	else
	{
		BfBase64Reader reader;

		bf_base64_begin(&reader, bytes);
		well_formed = bf_base64_read(&reader, (const char *) input, len) && bf_base64_end(&reader);
		decoded = (size_t) (reader.dst - bytes);
	}
	if (well_formed)
		filter = bf_filter_from_bytes_as(type, bytes, decoded, error);
	else
	{
		bf_error_set(error, BF_ERROR_BINARY, "invalid binary representation of type %s",
					 bf_filter_type_name(type));
		bf_error_detail(error, "It cannot be read: malformed %s.",
						hex ? "hexadecimal digits" : "base64");
	}
	free(bytes);
	return filter;
}

/* Does the input start with this? */
static bool
starts_with(const uint8_t *input, size_t len, const char *start)
{
	return len >= strlen(start) && memcmp(input, start, strlen(start)) == 0;
}

/*
 * The start of the base64 of the type's magic.  The next function returns the
 * magic in hexadecimal digits.
 */
static const char *
base64_magic(BfFilterType type)
{
	return type == BF_COUNTING ? "UEdDQ" : "UEdCR";
}

static const char *
hex_magic(BfFilterType type)
{
	return type == BF_COUNTING ? "\\x50474342" : "\\x50474246";
}

/* The input without white space around it. */
static const uint8_t *
trim(const uint8_t *input, size_t *len)
{
	while (*len > 0 && is_space(input[*len - 1]))
		(*len)--;
	for (; *len > 0 && is_space(*input); input++, (*len)--)
		;
	return input;
}

BfFilter *
bf_filter_parse_as(BfFilterType type, const uint8_t *input, size_t len, BfError *error)
{
	/* the binary form may end in any byte, so it is not trimmed */
	if (starts_with(input, len, bf_wire_magic(type)))
		return bf_filter_from_bytes_as(type, input, len, error);

	input = trim(input, &len);
	if (starts_with(input, len, "\\x"))
		return from_encoded(type, input + 2, len - 2, true, error);
	if (starts_with(input, len, base64_magic(type)))
		return from_encoded(type, input, len, false, error);
	return bf_filter_from_text_as(type, (const char *) input, len, error);
}

/* Does the input start like a filter of the type, in any form? */
static bool
looks_like(BfFilterType type, const uint8_t *input, size_t len)
{
	if (starts_with(input, len, bf_wire_magic(type)))
		return true;
	input = trim(input, &len);
	return starts_with(input, len, bf_filter_type_name(type)) ||
		starts_with(input, len, hex_magic(type)) || starts_with(input, len, base64_magic(type));
}

BfFilter *
bf_filter_parse(const uint8_t *input, size_t len, BfError *error)
{
	if (looks_like(BF_COUNTING, input, len))
	{
		bf_error_set(error, BF_ERROR_MISMATCH, "this is a %s, not a %s",
					 bf_filter_type_name(BF_COUNTING), bf_filter_type_name(BF_PLAIN));
		bf_error_hint(error, "Cast it to %s, or read it as what it is.",
					  bf_filter_type_name(BF_PLAIN));
		return NULL;
	}
	return bf_filter_parse_as(BF_PLAIN, input, len, error);
}
