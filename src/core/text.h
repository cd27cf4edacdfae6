/*-------------------------------------------------------------------------
 *
 * text.h
 *		Parser of a filter's text form.
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
 * Take the text form apart.  Only its syntax is checked here; what the fields
 * say is for bf_validate().  Returns NULL, or the reason why it cannot be
 * read.
 */
extern const char *bf_text_parse(const char *text, size_t len, BfText *result);

/* The representation's name in text form. */
extern const char *bf_representation_name(BfRepresentation representation);

#endif							/* BF_TEXT_H */
