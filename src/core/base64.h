/*-------------------------------------------------------------------------
 *
 * base64.h
 *		Base64 (RFC 4648, section 4), written in one way and read in that way
 *		only, but for white space.
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_BASE64_H
#define BF_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of so many bytes in base64, with padding. */
extern size_t bf_base64_length(size_t bytes);

/*
 * Encode to dst, which has room for bf_base64_length(len).  A long text can
 * be written in pieces, of multiples of 3 bytes but for the last one.
 */
extern void bf_base64_encode(const uint8_t *src, size_t len, char *dst);

/* As many bytes as so many characters can stand for, at most. */
extern size_t bf_base64_room(size_t chars);

/* A text being read, piece by piece. */
typedef struct BfBase64Reader
{
	uint8_t    *dst;			/* where the next byte goes */
	uint32_t	group;			/* the bits of the characters of a group of four */
	int			chars;			/* how many of them were read */
	int			padding;		/* "=" so far: nothing else may follow */
} BfBase64Reader;

/* Begin to decode to dst, which has room for what all pieces stand for. */
extern void bf_base64_begin(BfBase64Reader *reader, uint8_t *dst);

/*
 * Decode the next piece.  White space may stand anywhere in it.  Returns false
 * if it is not how bytes are written: a character that does not belong there,
 * padding that is not at the end, bits that padding makes meaningless.
 */
extern bool bf_base64_read(BfBase64Reader *reader, const char *src, size_t len);

/* Does it end here, after a whole group? */
extern bool bf_base64_end(const BfBase64Reader *reader);

#endif							/* BF_BASE64_H */
