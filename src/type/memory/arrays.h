/* arrays.h: declarations of arrays.c */
#ifndef BF_ARRAYS_H
#define BF_ARRAYS_H

/* The common size of a huge page. */
#define BF_HUGE_PAGE_BYTES	((Size) 2 * 1024 * 1024)

/*
 * Allocate memory of any size in the context; free it with pfree().  The first
 * function zeroes it; the second does not initialize it, for callers that
 * overwrite all of it.
 */
extern void *bf_allocate_array(MemoryContext mcxt, Size bytes);
extern void *bf_allocate_unset_array(MemoryContext mcxt, Size bytes);

/* Like bf_allocate_array(), but returns NULL if there is no memory. */
extern void *bf_try_allocate_array(MemoryContext mcxt, Size bytes);

/*
 * Move memory that is in use, of any origin, to huge pages if possible.  This
 * takes somewhat longer than copying it.
 */
extern void bf_collapse_pages(const void *memory, Size bytes);

#endif							/* BF_ARRAYS_H */
