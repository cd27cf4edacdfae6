/*-------------------------------------------------------------------------
 *
 * environment.h
 *		What the hash of a type that is hashed by its own function depends on
 *		beyond the value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_TYPE_ENVIRONMENT_H
#define BF_TYPE_ENVIRONMENT_H

#include "postgres.h"

/*
 * What the type's hash depends on, packed as core/format.h has it;
 * docs/format-environments.md says what it is for which type, and how the tag
 * is made.
 * Whatever is looked up for that is watched, see generation.h.
 */
extern uint64 bf_own_hash_environment(Oid typid);

/*
 * In words, for error messages: that in which two environments differ, as it
 * is in each of them.
 */
extern void bf_environment_differences(uint64 a, uint64 b, char **in_a, char **in_b);

#endif							/* BF_TYPE_ENVIRONMENT_H */
