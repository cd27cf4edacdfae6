/*-------------------------------------------------------------------------
 *
 * server.c
 *		A stand-in for the server's memory, for hashset.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

volatile sig_atomic_t InterruptPending = false;
MemoryContext CurrentMemoryContext;

void
ProcessInterrupts(void)
{
}

void *
MemoryContextAllocExtended(MemoryContext context, Size size, int flags)
{
	void	   *chunk = flags & MCXT_ALLOC_ZERO ? calloc(1, size) : malloc(size);

	if (chunk == NULL)
		abort();
	return chunk;
}

void *
MemoryContextAllocZero(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, MCXT_ALLOC_ZERO);
}

void *
MemoryContextAllocHuge(MemoryContext context, Size size)
{
	return MemoryContextAllocExtended(context, size, MCXT_ALLOC_HUGE);
}

void
pfree(void *pointer)
{
	free(pointer);
}
