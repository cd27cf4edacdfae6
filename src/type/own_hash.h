/*-------------------------------------------------------------------------
 *
 * own_hash.h
 *		Types that are hashed by their own function: that function, and the
 *		name by which they are known.
 *
 * Whatever is looked up for that is watched, see generation.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_OWN_HASH_H
#define BF_OWN_HASH_H

#include "postgres.h"

/* The type's extended hash function.  Raises 42883 if it has none. */
extern Oid	bf_own_hash_function(Oid typid);

/*
 * The name under which a type is recorded, as core/name.h has it: of an array
 * that of its element's base type with brackets behind, else its own.  NULL if
 * it has none in Unicode, or too long a one.
 */
extern char *bf_own_hash_name(Oid typid);

/*
 * The name of something with that of its schema in front, written likewise;
 * NULL if it has none in Unicode.
 */
extern char *bf_qualified_name(Oid schema, const char *name);

#endif							/* BF_OWN_HASH_H */
