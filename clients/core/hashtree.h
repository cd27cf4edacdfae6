/*-------------------------------------------------------------------------
 *
 * hashtree.h
 *		A set of hashes in ascending order, to which hashes can be added.
 *
 * A tree of two levels.  Adding a hash moves only hashes of one leaf, and
 * takes the same time for any hashes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_HASHTREE_H
#define BF_HASHTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct BfHashTree BfHashTree;

/*
 * A tree of the hashes of a sorted list, in a filter's stored form.  NULL if
 * there is no memory.
 */
extern BfHashTree *bf_hashtree_create(const uint8_t *list, uint64_t count);

extern void bf_hashtree_free(BfHashTree *tree);

extern uint64_t bf_hashtree_count(const BfHashTree *tree);

/* Bytes of memory that the tree takes. */
extern size_t bf_hashtree_memory(const BfHashTree *tree);

extern bool bf_hashtree_contains(const BfHashTree *tree, uint64_t hash);

/* Returns false, and does not change the tree, if there is no memory. */
extern bool bf_hashtree_insert(BfHashTree *tree, uint64_t hash);

/* Write all hashes as they are stored, 8 bytes each. */
extern void bf_hashtree_write(const BfHashTree *tree, uint8_t *list);

#endif							/* BF_HASHTREE_H */
