/* conversion.h: declarations of conversion.c */
#ifndef BF_CONVERSION_H
#define BF_CONVERSION_H

/* ASCII text has the same bytes in every database encoding. */
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
 * Must text of the database that is not ASCII be converted?  In SQL_ASCII, that
 * is an error.
 */
extern bool bf_needs_conversion(void);

/*
 * The text in UTF-8, always a copy, with a zero byte at the end.  Raises an
 * error if a character has no equivalent, and in SQL_ASCII.
 */
extern char *bf_to_utf8(const char *text, size_t len);

/*
 * The same in either direction, but these return NULL instead of raising an
 * error, and use bytes of SQL_ASCII as they are.
 */
extern char *bf_try_to_utf8(const char *text, size_t len);
extern char *bf_try_from_utf8(const char *text, size_t len);

#endif							/* BF_CONVERSION_H */
