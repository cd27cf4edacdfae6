/*-------------------------------------------------------------------------
 *
 * name.h
 *		Names of types that are hashed by their own function.
 *
 * A name is printable ASCII, so that every database and every program can
 * write it, and has only one spelling, so that names can be compared byte by
 * byte.  It consists of two identifiers with a dot between them and, for
 * arrays, a pair of brackets for each level.  Identifiers are written in
 * PostgreSQL's syntax:
 *
 *		plain			if it contains only a-z, _, 0-9 and $, and starts with
 *						a-z or _
 *		"Quoted ""x"""	if it contains only printable ASCII (U+0020 to U+007E)
 *		U&"gr\00f6\00dfe \+01f418"
 *						if it contains any other character; these are written
 *						with lower-case hexadecimal digits, and a backslash is
 *						doubled
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_NAME_H
#define BF_NAME_H

#include <stddef.h>

/*
 * Longest name, in bytes.  Two of the server's identifiers, 63 bytes each and
 * at most five characters per byte when escaped, a dot and the brackets of an
 * array stay below 1,024, unless arrays are nested some 190 times.
 */
#define BF_MAX_NAME			1024

/* Room for the written form of an identifier of so many bytes in UTF-8. */
#define BF_IDENTIFIER_ROOM(len)	(5 * (len) + 4)

/*
 * Write the identifier, given in UTF-8.  Returns its length; 0 if it is empty,
 * is not UTF-8 or contains a zero byte.
 */
extern size_t bf_identifier_write(const char *utf8, size_t len, char *dst);

/* The length of the name at the start of the text; 0 if there is none. */
extern size_t bf_type_name_length(const char *text, size_t len);

/*
 * Write a name in UTF-8 for people to read, with characters in place of their
 * escapes.  The result is never longer than the name.  Returns its length.
 */
extern size_t bf_type_name_readable(const char *name, size_t len, char *utf8);

#endif							/* BF_NAME_H */
