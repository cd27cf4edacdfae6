/* hasher.h: declarations of hasher.c */
#ifndef BF_HASHER_H
#define BF_HASHER_H

typedef struct BfHasher BfHasher;

/*
 * A hasher for the type.  Uses the hash functions that are now in the catalogs
 * and calls them with the collation.  Raises 42883 if the type, or one of its
 * parts, has none.  Lives in a child of mcxt.
 */
extern BfHasher *bf_hasher_create(Oid typid, Oid collation, MemoryContext mcxt);

/* Free the hasher, and all memory that its functions keep. */
extern void bf_hasher_free(BfHasher *hasher);

/*
 * The result of the type's extended hash function for the value and the seed.
 * Raises 22004 if a function returns NULL.
 */
extern uint64 bf_hasher_hash(BfHasher *hasher, Datum value, uint64 seed);

#endif							/* BF_HASHER_H */
