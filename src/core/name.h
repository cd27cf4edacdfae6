/*-------------------------------------------------------------------------
 *
 * name.h
 *		Names of types that are hashed by their own function.
 *
 * A name is printable ASCII, so that every database and every program can
 * write it, and there is one way only to spell it, so that names are compared
 * by their bytes: two identifiers with a dot between them, and a pair of
 * brackets behind for each level of arrays.  Identifiers are written as
 * PostgreSQL reads them:
 *
 *		plain			if it is nothing but a-z, _, 0-9 and $, and starts with
 *						one of the former two
 *		"Quoted ""x"""	if it is printable ASCII (U+0020 to U+007E)
 *		U&"gr\00f6\00dfe \+01f418"
 *						if there is any other character in it, all of which are
 *						written with lower-case hexadecimal digits; a backslash
 *						is doubled then
 *
 * Free of the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_NAME_H
#define BF_NAME_H

#include <stddef.h>

/*
 * Longest name, in bytes.  Two identifiers of the server's, 63 bytes each, of
 * which none takes more than five in an escape, a dot and the brackets of an
 * array stay below 1,024, unless arrays are nested some 190 times.
 */
#define BF_MAX_NAME			1024

/* Room for an identifier of so many bytes in UTF-8, as it is written. */
#define BF_IDENTIFIER_ROOM(len)	(5 * (len) + 4)

/*
 * Write the identifier, given in UTF-8.  Returns its length; 0 if it is empty,
 * no UTF-8 or has a zero byte in it.
 */
extern size_t bf_identifier_write(const char *utf8, size_t len, char *dst);

/*
 * The length of the name that the text starts with, 0 if it starts with none.
 */
extern size_t bf_type_name_length(const char *text, size_t len);

/*
 * Write a name in UTF-8 for people to read, with its characters instead of
 * their escapes: never longer than the name.  Returns its length.
 */
extern size_t bf_type_name_readable(const char *name, size_t len, char *utf8);

#endif							/* BF_NAME_H */
