/*-------------------------------------------------------------------------
 *
 * memory.c
 *		Large arrays that are accessed at random.
 *
 * A filter or a set of hashes is touched at another page for every value.
 * With pages of 4 kB, almost every access to more than a few megabytes misses
 * the translation buffer as well as the cache.  Linux gives huge pages to
 * those who ask for them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "utils/memutils.h"

#include "type/memory.h"

/* The common size of a huge page; where it is another, advice does no harm. */
#define HUGE_PAGE_BYTES		((Size) 2 * 1024 * 1024)

/* Ask for huge pages where they fit wholly into the array. */
static void
advise_huge_pages(char *array, Size bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
	char	   *start = (char *) TYPEALIGN(HUGE_PAGE_BYTES, array);
	char	   *end = (char *) TYPEALIGN_DOWN(HUGE_PAGE_BYTES, array + bytes);

	/* advice only, so that it may fail */
	if (start < end)
		(void) madvise(start, end - start, MADV_HUGEPAGE);
#endif
}

static void *
allocate_array(MemoryContext mcxt, Size bytes, int flags)
{
	char	   *array = MemoryContextAllocExtended(mcxt, bytes, MCXT_ALLOC_HUGE | flags);

	if (array == NULL)
		return NULL;
	advise_huge_pages(array, bytes);
	memset(array, 0, bytes);
	return array;
}

void *
bf_allocate_array(MemoryContext mcxt, Size bytes)
{
	return allocate_array(mcxt, bytes, 0);
}

void *
bf_try_allocate_array(MemoryContext mcxt, Size bytes)
{
	return allocate_array(mcxt, bytes, MCXT_ALLOC_NO_OOM);
}
