/* base64.h: declarations of base64.c */
#ifndef BF_BASE64_H
#define BF_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the base64 of so many bytes, with padding. */
extern size_t bf_base64_length(size_t bytes);

/*
 * Encode to dst, which has room for bf_base64_length(len).  A long text can be
 * written in pieces: the length of each but the last is a multiple of 3 bytes.
 */
extern void bf_base64_encode(const uint8_t *src, size_t len, char *dst);

/* The largest number of bytes that so many characters can encode. */
extern size_t bf_base64_room(size_t chars);

/* A text being read, piece by piece. */
typedef struct BfBase64Reader
{
	uint8_t    *dst;			/* where the next byte goes */
	uint32_t	group;			/* bits of the current group's characters */
	int			chars;			/* characters read of the current group */
	int			padding;		/* "=" so far: nothing else may follow */
} BfBase64Reader;

/* Begin to decode to dst, which has room for the bytes of all pieces. */
extern void bf_base64_begin(BfBase64Reader *reader, uint8_t *dst);

/*
 * Decode the next piece, which may contain white space anywhere.  Returns
 * false if it contains an invalid character, padding before the end, or a bit
 * other than zero after the last byte.
 */
extern bool bf_base64_read(BfBase64Reader *reader, const char *src, size_t len);

/* Has the text ended after a whole group? */
extern bool bf_base64_end(const BfBase64Reader *reader);

#endif							/* BF_BASE64_H */
