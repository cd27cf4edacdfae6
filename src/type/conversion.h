/*-------------------------------------------------------------------------
 *
 * conversion.h
 *		Between the database encoding and UTF-8.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_CONVERSION_H
#define BF_CONVERSION_H

#include "postgres.h"

/* Text of these bytes only is the same in every encoding of a database. */
static inline bool
bf_is_ascii(const char *text, size_t len)
{
	uint64		word;
	uint64		bits = 0;

	for (; len >= sizeof(word); text += sizeof(word), len -= sizeof(word))
	{
		memcpy(&word, text, sizeof(word));
		bits |= word;
	}
	for (; len > 0; text++, len--)
		bits |= (uint8) *text;
	return (bits & UINT64CONST(0x8080808080808080)) == 0;
}

/*
 * Do texts of the database have to be converted?  Those of SQL_ASCII are taken
 * as they are.
 */
extern bool bf_needs_conversion(void);

/*
 * The text in UTF-8, always a copy, with a zero byte at the end.  An error if
 * it has no equivalent.
 */
extern char *bf_to_utf8(const char *text, size_t len);

/* The same in either direction, but NULL instead of the error. */
extern char *bf_try_to_utf8(const char *text, size_t len);
extern char *bf_try_from_utf8(const char *text, size_t len);

#endif							/* BF_CONVERSION_H */
