/*-------------------------------------------------------------------------
 *
 * base64_model.h
 *		Base64 by the letter of docs/format.md, without a thought for speed.
 *
 * Does not depend on the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BASE64_MODEL_H
#define BASE64_MODEL_H

#include "fuzz.h"

static const char base64_letters[] =
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encode; returns the length.  dst has room for len / 3 * 4 + 4. */
static inline size_t
base64_model_encode(const uint8_t *src, size_t len, char *dst)
{
	size_t		n = 0;
	size_t		bit;

	for (bit = 0; bit < 8 * len; bit += 6)
	{
		unsigned	value = 0;
		size_t		i;

		for (i = bit; i < bit + 6; i++)
			value = value * 2 + (i < 8 * len ? src[i / 8] >> (7 - i % 8) & 1 : 0);
		dst[n++] = base64_letters[value];
	}
	while (n % 4 != 0)
		dst[n++] = '=';
	return n;
}

/*
 * Decode; returns the number of bytes, or -1 if encoding them would not give
 * the same text, but for white space.  dst has room for len bytes.
 */
static inline long
base64_model_decode(const char *src, size_t len, uint8_t *dst)
{
	char	   *packed = malloc(len + 1);
	char	   *again = malloc(len + 8);
	size_t		chars = 0;
	size_t		bits = 0;
	size_t		i;
	long		result;

	for (i = 0; i < len; i++)
		if (src[i] == '\0' || strchr(" \t\n\r\f\v", src[i]) == NULL)
			packed[chars++] = src[i];
	memset(dst, 0, len);
	for (i = 0; i < chars && packed[i] != '\0'; i++)
	{
		const char *letter = strchr(base64_letters, packed[i]);
		unsigned	bit;

		if (letter == NULL)
			break;
		for (bit = 0; bit < 6; bit++, bits++)
			if ((letter - base64_letters) >> (5 - bit) & 1)
				dst[bits / 8] |= 0x80 >> bits % 8;
	}
	result = (long) bits / 8;
	if (base64_model_encode(dst, bits / 8, again) != chars || memcmp(again, packed, chars) != 0)
		result = -1;
	free(again);
	free(packed);
	return result;
}

#endif							/* BASE64_MODEL_H */
