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

/* The common size of a huge page. */
#define BF_HUGE_PAGE_BYTES	((Size) 2 * 1024 * 1024)

/*
 * Allocate memory of any size in the context, to be freed by pfree(): zeroed,
 * or with what it happens to hold, for what is going to be overwritten whole.
 */
extern void *bf_allocate_array(MemoryContext mcxt, Size bytes);
extern void *bf_allocate_unset_array(MemoryContext mcxt, Size bytes);

/* The first, but NULL if there is no memory. */
extern void *bf_try_allocate_array(MemoryContext mcxt, Size bytes);

/*
 * Have memory that is in use, of any origin, moved to huge pages, if that is
 * possible.  It takes somewhat longer than copying it.
 */
extern void bf_collapse_pages(const void *memory, Size bytes);

#endif							/* BF_MEMORY_H */
