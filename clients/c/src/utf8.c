/*-------------------------------------------------------------------------
 *
 * utf8.c
 *		Is it text as the server has it?
 *
 * What the server would refuse is in none of its tables.  A test of such a
 * string would be answered "no", and be a mistake of the program's: Latin-1 was
 * passed instead of UTF-8, and the value itself may well be in the filter.
 *
 *-------------------------------------------------------------------------
 */
#include "library.h"

/* Eight bytes of ASCII, none of which is zero? */
static bool
eight_plain(const uint8_t *s)
{
	uint64_t	word = bf_load_u64(s);

	/* the high bit of a byte is set if it was there, or by a borrow from zero */
	return ((word | (word - UINT64_C(0x0101010101010101))) & UINT64_C(0x8080808080808080)) == 0;
}

/* The length of the character that starts here, 0 if there is none. */
static size_t
character_length(const uint8_t *s, size_t len)
{
	/* what the second byte may be: not of overlong forms, surrogates, or > U+10FFFF */
	uint8_t		low = 0x80;
	uint8_t		high = 0xBF;
	size_t		length = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
	size_t		i;

	if (s[0] < 0x80)
		return s[0] != 0;
	if (s[0] < 0xC2 || s[0] > 0xF4 || length > len)
		return 0;
	if (s[0] == 0xE0)
		low = 0xA0;
	else if (s[0] == 0xED)
		high = 0x9F;
	else if (s[0] == 0xF0)
		low = 0x90;
	else if (s[0] == 0xF4)
		high = 0x8F;
	if (s[1] < low || s[1] > high)
		return 0;
	for (i = 2; i < length; i++)
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	return length;
}

size_t
bf_utf8_valid_length(const uint8_t *s, size_t len)
{
	size_t		i = 0;

	while (i < len)
	{
		size_t		length = len - i >= 8 && eight_plain(s + i) ? 8 :
			character_length(s + i, len - i);

		if (length == 0)
			break;
		i += length;
	}
	return i;
}
