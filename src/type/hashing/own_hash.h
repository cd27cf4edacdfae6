/*-------------------------------------------------------------------------
 *
 * own_hash.h
 *		Types with their own hash function: that function, and the name under
 *		which a type is recorded.
 *
 * All catalog rows that are read are watched, see generation.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_OWN_HASH_H
#define BF_OWN_HASH_H

/* The type's extended hash function.  Raises 42883 if it has none. */
extern Oid	bf_own_hash_function(Oid typid);

/*
 * The name under which a type is recorded, in the form of core/name.h: for an
 * array the name of its element's base type with brackets after it, otherwise
 * the type's own name.  NULL if the name has no equivalent in Unicode, or is
 * too long.
 */
extern char *bf_own_hash_name(Oid typid);

/*
 * The name of an object after that of its schema, in the same form.  NULL if
 * it has no equivalent in Unicode.
 */
extern char *bf_qualified_name(Oid schema, const char *name);

#endif							/* BF_OWN_HASH_H */
