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
 * Allocate memory of any size in the context, to be freed by pfree(): zeroed,
 * or with what it happens to hold, for what is going to be overwritten whole.
 */
extern void *bf_allocate_array(MemoryContext mcxt, Size bytes);
extern void *bf_allocate_unset_array(MemoryContext mcxt, Size bytes);

#endif							/* BF_MEMORY_H */
