/* text.h: declarations of text.c */
#ifndef BF_TEXT_H
#define BF_TEXT_H

#include "core/format.h"

typedef struct BfText
{
	BfHeader	header;			/* all but count; name points into the text */
	uint32_t	crc;			/* CRC-32C of the payload */
	const char *base64;			/* the data after the header; may contain
								 * white space */
	size_t		base64_len;
} BfText;

/*
 * Parse the text form of a filter of the type.  Checks only the syntax:
 * bf_validate() checks the values of the fields.  Returns NULL, or the
 * reason why the text cannot be read.
 */
extern const char *bf_text_parse(BfFilterType type, const char *text, size_t len, BfText *result);

/*
 * A hint for a text that begins like a filter of the other type; NULL if it
 * does not begin so.
 */
extern const char *bf_text_hint(BfFilterType type, const char *text, size_t len);

/* Room for bf_number_write(): a sign, 17 digits, a point, and e-308. */
#define BF_NUMBER_ROOM	32

/*
 * Write the shortest decimal that reads back as the same number; NaN, Infinity
 * and -Infinity as the server writes them.  The locale's decimal point must be
 * a point.
 */
extern void bf_number_write(double value, char dst[BF_NUMBER_ROOM]);

/* Room for bf_text_write(): the name, and all other fields. */
#define BF_TEXT_ROOM	(BF_MAX_NAME + 256)

/*
 * Write the text form up to the base64.  The caller adds the base64 and the
 * closing parenthesis.  Returns the length written.
 */
extern size_t bf_text_write(const BfHeader *header, uint32_t crc, char *dst);

/* The representation's name in text form. */
extern const char *bf_representation_name(BfRepresentation representation);

#endif							/* BF_TEXT_H */
