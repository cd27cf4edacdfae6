/*-------------------------------------------------------------------------
 *
 * text.h
 *		Parser and writer of a filter's text form.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_TEXT_H
#define BF_TEXT_H

#include "core/format.h"

typedef struct BfText
{
	BfHeader	header;			/* all but count; name points into the text */
	uint32_t	crc;			/* CRC-32C of the payload */
	const char *base64;			/* the payload behind the header; may hold
								 * white space */
	size_t		base64_len;
} BfText;

/*
 * Take the text form of a filter of the type apart.  Only its syntax is checked
 * here; what the fields say is for bf_validate_as().  Returns NULL, or the
 * reason why it cannot be read.
 */
extern const char *bf_text_parse_as(BfFilterType type, const char *text, size_t len,
									BfText *result);

/* The same, of a bloomfilter. */
static inline const char *
bf_text_parse(const char *text, size_t len, BfText *result)
{
	return bf_text_parse_as(BF_PLAIN, text, len, result);
}

/*
 * What to do with a text that is of the other type than this; NULL if it is
 * not, as far as its start tells.
 */
extern const char *bf_text_hint(BfFilterType type, const char *text, size_t len);

/* Room for bf_text_write(): the name, and all that is around and behind it. */
#define BF_TEXT_ROOM	(BF_MAX_NAME + 256)

/*
 * Write the text form up to the base64, which follows, as well as the closing
 * parenthesis.  Returns its length.
 */
extern size_t bf_text_write(const BfHeader *header, uint32_t crc, char *dst);

/* The representation's name in text form. */
extern const char *bf_representation_name(BfRepresentation representation);

#endif							/* BF_TEXT_H */
