/*-------------------------------------------------------------------------
 *
 * base64.c
 *		Base64 (RFC 4648, section 4).  Bytes have exactly one encoding; when it
 *		is read, only white space may differ.
 *
 *-------------------------------------------------------------------------
 */
#include "core/base64.h"

/* The characters of a group, and the bytes that they encode. */
#define GROUP_CHARS	4
#define GROUP_BYTES	3

static const char alphabet[] =
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Meanings of characters outside the alphabet; all negative. */
#define NO	(-1)				/* nothing */
#define SP	(-2)				/* white space */
#define PD	(-3)				/* padding */

/*
 * Values of characters, the inverse of the alphabet.  Bytes from 128 on mean
 * nothing.
 */
static const int8_t meanings[128] = {
	NO, NO, NO, NO, NO, NO, NO, NO, NO, SP, SP, SP, SP, SP, NO, NO,
	NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
	SP, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 62, NO, NO, NO, 63,
	52, 53, 54, 55, 56, 57, 58, 59, 60, 61, NO, NO, NO, PD, NO, NO,
	NO, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
	15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, NO, NO, NO, NO, NO,
	NO, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
	41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, NO, NO, NO, NO, NO,
};

static inline int
meaning(char c)
{
	uint8_t		byte = (uint8_t) c;

	return byte < 128 ? meanings[byte] : NO;
}

size_t
bf_base64_length(size_t bytes)
{
	return (bytes + GROUP_BYTES - 1) / GROUP_BYTES * GROUP_CHARS;
}

size_t
bf_base64_room(size_t chars)
{
	return chars / GROUP_CHARS * GROUP_BYTES;
}

void
bf_base64_encode(const uint8_t *src, size_t len, char *dst)
{
	for (; len >= GROUP_BYTES; src += GROUP_BYTES, len -= GROUP_BYTES)
	{
		uint32_t	group = (uint32_t) src[0] << 16 | (uint32_t) src[1] << 8 | src[2];

		*dst++ = alphabet[group >> 18];
		*dst++ = alphabet[(group >> 12) & 63];
		*dst++ = alphabet[(group >> 6) & 63];
		*dst++ = alphabet[group & 63];
	}
	if (len > 0)
	{
		uint32_t	group = (uint32_t) src[0] << 16 | (len > 1 ? (uint32_t) src[1] << 8 : 0);

		*dst++ = alphabet[group >> 18];
		*dst++ = alphabet[(group >> 12) & 63];
		*dst++ = len > 1 ? alphabet[(group >> 6) & 63] : '=';
		*dst++ = '=';
	}
}

void
bf_base64_begin(BfBase64Reader *reader, uint8_t *dst)
{
	reader->dst = dst;
	reader->group = 0;
	reader->chars = 0;
	reader->padding = 0;
}

/* Write the bytes of a complete group. */
static bool
take_group(BfBase64Reader *reader)
{
	int			bytes = GROUP_BYTES - reader->padding;

	/* bits after the last byte must be zero */
	if ((reader->group & ((UINT32_C(1) << (8 * reader->padding)) - 1)) != 0)
		return false;
	*reader->dst++ = (uint8_t) (reader->group >> 16);
	if (bytes > 1)
		*reader->dst++ = (uint8_t) (reader->group >> 8);
	if (bytes > 2)
		*reader->dst++ = (uint8_t) reader->group;
	reader->group = 0;
	reader->chars = 0;
	return true;
}

/* Read one character. */
static bool
take_character(BfBase64Reader *reader, char c)
{
	int			value = meaning(c);

	if (value == SP)
		return true;
	if (value == PD)
	{
		/* at most two padding characters, in the same group */
		if (reader->chars < 2)
			return false;
		reader->padding++;
		value = 0;
	}
	else if (value == NO || reader->padding > 0)
		return false;
	reader->group = reader->group << 6 | (uint32_t) value;
	return ++reader->chars < GROUP_CHARS || take_group(reader);
}

/*
 * Read whole groups up to the first one with white space, padding or an
 * invalid character.  Returns where that group begins.
 */
static const char *
take_plain_groups(BfBase64Reader *reader, const char *src, const char *end)
{
	uint8_t    *dst = reader->dst;

	while (end - src >= GROUP_CHARS)
	{
		int			a = meaning(src[0]);
		int			b = meaning(src[1]);
		int			c = meaning(src[2]);
		int			d = meaning(src[3]);

		if ((a | b | c | d) < 0)
			break;
		*dst++ = (uint8_t) (a << 2 | b >> 4);
		*dst++ = (uint8_t) (b << 4 | c >> 2);
		*dst++ = (uint8_t) (c << 6 | d);
		src += GROUP_CHARS;
	}
	reader->dst = dst;
	return src;
}

bool
bf_base64_read(BfBase64Reader *reader, const char *src, size_t len)
{
	const char *end = src + len;

	while (src < end)
	{
		if (reader->chars == 0 && reader->padding == 0)
			src = take_plain_groups(reader, src, end);
		if (src < end && !take_character(reader, *src++))
			return false;
	}
	return true;
}

bool
bf_base64_end(const BfBase64Reader *reader)
{
	return reader->chars == 0;
}
