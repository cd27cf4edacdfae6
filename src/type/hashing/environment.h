/* environment.h: declarations of environment.c */
#ifndef BF_TYPE_ENVIRONMENT_H
#define BF_TYPE_ENVIRONMENT_H

/*
 * What the type's hash depends on, packed as described in core/format.h.
 * docs/format-environments.md lists the dependencies of each type, and how the
 * tag is made.  All rows that are read are watched, see generation.h.
 */
extern uint64 bf_own_hash_environment(Oid typid);

/* What differs from another environment, in words, for error messages. */
extern char *bf_environment_in_words(uint64 environment, uint64 other);

#endif							/* BF_TYPE_ENVIRONMENT_H */
