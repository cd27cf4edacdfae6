/*-------------------------------------------------------------------------
 *
 * own_hash.h
 *		What is recorded of a type that is hashed by its own function: its
 *		name, and what its hash depends on beyond the value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_OWN_HASH_H
#define BF_OWN_HASH_H

#include "postgres.h"

/*
 * The name under which a type is recorded: its own if it is no array; the
 * element's canonical one with brackets if it is.  In UTF-8, so that a dump
 * restores into a database of any encoding.
 */
extern char *bf_own_hash_name(Oid typid);

/*
 * The byte order, the encoding, and a tag of the database's locale and the
 * type's definition as far as its hash may depend on them; docs/format.md
 * says how they are put together.
 */
extern uint64_t bf_own_hash_environment(Oid typid);

/* An environment in words, for error messages. */
extern const char *bf_environment_description(uint64_t environment);

/* The text in another encoding, always a copy, with a zero byte at the end. */
extern char *bf_convert_encoding(const char *text, size_t len, int from, int to);

#endif							/* BF_OWN_HASH_H */
