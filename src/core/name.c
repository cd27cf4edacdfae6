/*-------------------------------------------------------------------------
 *
 * name.c
 *		Names of types that are hashed by their own function.
 *
 *-------------------------------------------------------------------------
 */
#include "core/name.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool
is_printable_ascii(uint32_t code)
{
	return code >= 0x20 && code <= 0x7E;
}

/* Is the character allowed in a plain identifier? */
static bool
is_plain(uint32_t code, bool first)
{
	if ((code >= 'a' && code <= 'z') || code == '_')
		return true;
	return !first && ((code >= '0' && code <= '9') || code == '$');
}

/* Decode a UTF-8 character.  Returns its length, or 0 if it is malformed. */
static size_t
utf8_decode(const char *text, size_t len, uint32_t *code)
{
	const uint8_t *s = (const uint8_t *) text;
	size_t		n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 :
		s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
	size_t		i;

	if (n == 0 || n > len)
		return 0;
	*code = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
	for (i = 1; i < n; i++)
	{
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3F);
	}
	/* overlong forms, surrogates, beyond U+10FFFF */
	if ((n == 3 && *code < 0x800) || (n == 4 && *code < 0x10000) ||
		(*code >= 0xD800 && *code <= 0xDFFF) || *code > 0x10FFFF)
		return 0;
	return n;
}

static size_t
utf8_encode(uint32_t code, char *dst)
{
	size_t		n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	size_t		i;

	for (i = n - 1; i > 0; i--, code >>= 6)
		dst[i] = (char) (0x80 | (code & 0x3F));
	dst[0] = (char) (n == 1 ? code : (0xF00u >> n & 0xFF) | code);
	return n;
}

/* ---------- writing ---------- */

/* How an identifier has to be written. */
typedef enum Spelling
{
	PLAIN,
	QUOTED,
	ESCAPED
} Spelling;

/*
 * Find out how the identifier has to be written.  Returns false if it is
 * empty, contains a zero byte or is not UTF-8.
 */
static bool
choose_spelling(const char *utf8, size_t len, Spelling *spelling)
{
	size_t		at = 0;

	*spelling = PLAIN;
	while (at < len)
	{
		uint32_t	code;
		size_t		n = utf8_decode(utf8 + at, len - at, &code);

		if (n == 0 || code == 0)
			return false;
		if (!is_printable_ascii(code))
			*spelling = ESCAPED;
		else if (*spelling == PLAIN && !is_plain(code, at == 0))
			*spelling = QUOTED;
		at += n;
	}
	return len > 0;
}

size_t
bf_identifier_write(const char *utf8, size_t len, char *dst)
{
	Spelling	spelling;
	char	   *at = dst;
	size_t		i;
	size_t		n;

	if (!choose_spelling(utf8, len, &spelling))
		return 0;
	if (spelling == PLAIN)
	{
		memcpy(dst, utf8, len);
		return len;
	}

	if (spelling == ESCAPED)
	{
		*at++ = 'U';
		*at++ = '&';
	}
	*at++ = '"';
	for (i = 0; i < len; i += n)
	{
		uint32_t	code = 0;

		n = utf8_decode(utf8 + i, len - i, &code);
		if (!is_printable_ascii(code))
		{
			char		escape[16];
			int			length = snprintf(escape, sizeof(escape), code > 0xFFFF ?
										  "\\+%06x" : "\\%04x", (unsigned) code);

			memcpy(at, escape, (size_t) length);
			at += length;
			continue;
		}
		if (code == '"' || (code == '\\' && spelling == ESCAPED))
			*at++ = (char) code;
		*at++ = (char) code;
	}
	*at++ = '"';
	return (size_t) (at - dst);
}

/* ---------- reading ---------- */

/* Read so many lower-case hexadecimal digits. */
static bool
read_hex(const char *text, size_t digits, uint32_t *value)
{
	*value = 0;
	for (; digits > 0; digits--, text++)
	{
		if (*text >= '0' && *text <= '9')
			*value = *value << 4 | (uint32_t) (*text - '0');
		else if (*text >= 'a' && *text <= 'f')
			*value = *value << 4 | (uint32_t) (*text - 'a' + 10);
		else
			return false;
	}
	return true;
}

/*
 * Decode the escape at the start of the text.  Returns its length, or 0 if it
 * is malformed or not the way in which the character must be written.
 */
static size_t
read_escape(const char *text, size_t len, uint32_t *code)
{
	if (len >= 2 && text[1] == '\\')
	{
		*code = '\\';
		return 2;
	}
	if (len >= 8 && text[1] == '+')
		return read_hex(text + 2, 6, code) && *code > 0xFFFF && *code <= 0x10FFFF ? 8 : 0;
	if (len >= 5 && read_hex(text + 1, 4, code) && *code != 0 && !is_printable_ascii(*code) &&
		(*code < 0xD800 || *code > 0xDFFF))
		return 5;
	return 0;
}

/*
 * Decode the next character within quotes.  Returns its length as written; 0
 * at the closing quote, or if the text is malformed.
 */
static size_t
read_quoted(const char *text, size_t len, Spelling spelling, uint32_t *code)
{
	if (len == 0 || !is_printable_ascii((uint8_t) text[0]))
		return 0;
	*code = (uint8_t) text[0];
	if (text[0] == '"')
		return len >= 2 && text[1] == '"' ? 2 : 0;
	if (text[0] == '\\' && spelling == ESCAPED)
		return read_escape(text, len, code);
	return 1;
}

/*
 * The length of the quote, or of U&", before the identifier's first character.
 */
static size_t
opening_length(const char *text, size_t len, Spelling *spelling)
{
	*spelling = ESCAPED;
	if (len >= 3 && memcmp(text, "U&\"", 3) == 0)
		return 3;
	*spelling = QUOTED;
	if (len >= 1 && text[0] == '"')
		return 1;
	*spelling = PLAIN;
	return 0;
}

/*
 * The length of the identifier at the start of the text; 0 if there is none,
 * or if it is not spelled in the one way that is allowed.
 */
static size_t
identifier_length(const char *text, size_t len)
{
	Spelling	spelling;
	Spelling	needed = PLAIN;
	size_t		start = opening_length(text, len, &spelling);
	size_t		at = start;
	size_t		n;
	uint32_t	code;

	if (spelling == PLAIN)
	{
		while (at < len && is_plain((uint8_t) text[at], at == 0))
			at++;
		return at;
	}
	while ((n = read_quoted(text + at, len - at, spelling, &code)) > 0)
	{
		if (!is_printable_ascii(code))
			needed = ESCAPED;
		else if (needed == PLAIN && !is_plain(code, at == start))
			needed = QUOTED;
		at += n;
	}
	if (at == len || text[at] != '"' || spelling != needed)
		return 0;
	return at + 1;
}

size_t
bf_type_name_length(const char *text, size_t len)
{
	size_t		schema = identifier_length(text, len);
	size_t		type;
	size_t		n;

	if (schema == 0 || schema >= len || text[schema] != '.')
		return 0;
	type = identifier_length(text + schema + 1, len - schema - 1);
	if (type == 0)
		return 0;
	n = schema + 1 + type;
	while (len - n >= 2 && text[n] == '[' && text[n + 1] == ']')
		n += 2;
	return n <= BF_MAX_NAME ? n : 0;
}

size_t
bf_type_name_readable(const char *name, size_t len, char *utf8)
{
	char	   *dst = utf8;
	size_t		at = 0;

	while (at < len)
	{
		Spelling	spelling;
		size_t		start = opening_length(name + at, len - at, &spelling);
		size_t		n;
		uint32_t	code;

		if (spelling == PLAIN)
		{
			*dst++ = name[at++];
			continue;
		}
		at += start;
		*dst++ = '"';
		while ((n = read_quoted(name + at, len - at, spelling, &code)) > 0)
		{
			if (code == '"')
				*dst++ = '"';
			dst += utf8_encode(code, dst);
			at += n;
		}
		*dst++ = '"';
		at++;
	}
	return (size_t) (dst - utf8);
}
