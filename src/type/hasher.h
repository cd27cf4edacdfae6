/*-------------------------------------------------------------------------
 *
 * hasher.h
 *		The hash of a type that is hashed by its own function, and of arrays,
 *		ranges and multiranges of such.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_HASHER_H
#define BF_HASHER_H

#include "postgres.h"

typedef struct BfHasher BfHasher;

/*
 * By the functions that the catalogs have now, called with the collation.
 * Raises 42883 if the type, or one that it consists of, has none.  Lives in a
 * child of mcxt.
 */
extern BfHasher *bf_hasher_create(Oid typid, Oid collation, MemoryContext mcxt);

/* Free it, and all that its functions keep. */
extern void bf_hasher_free(BfHasher *hasher);

/*
 * What the type's extended hash function returns for the value and the seed.
 * Raises 22004 if a function returns NULL.
 */
extern uint64 bf_hasher_hash(BfHasher *hasher, Datum value, uint64 seed);

#endif							/* BF_HASHER_H */
