/*-------------------------------------------------------------------------
 *
 * memory.h
 *		Large arrays that are accessed at random.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_MEMORY_H
#define BF_MEMORY_H

#include "postgres.h"

/*
 * Allocate zeroed memory of any size in the context, to be freed by pfree().
 */
extern void *bf_allocate_array(MemoryContext mcxt, Size bytes);

/* The same, but NULL if there is no memory. */
extern void *bf_try_allocate_array(MemoryContext mcxt, Size bytes);

#endif							/* BF_MEMORY_H */
