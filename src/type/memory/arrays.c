/*-------------------------------------------------------------------------
 *
 * arrays.c
 *		Large arrays that are accessed at random.
 *
 * Every value accesses another page of a filter or of a set of hashes.  With
 * pages of 4 kB, almost every access to more than a few megabytes misses the
 * translation buffer as well as the cache.  Linux provides huge pages to
 * processes that ask for them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "storage/fd.h"
#include "utils/memutils.h"

#include "type/memory/arrays.h"

/* Linux has it since 6.1; older C libraries do not define it. */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif
/* not every system defines it */
#ifndef MADV_HUGEPAGE
#define MADV_HUGEPAGE	14
#endif

/*
 * Ask for huge pages for those parts of the memory that huge pages can cover.
 * If huge pages have another size, the advice does no harm.  Returns false if
 * there was an error.
 */
static bool
advise_huge_pages(const char *memory, Size bytes, int advice)
{
#ifdef __linux__
	char	   *start = (char *) TYPEALIGN(BF_HUGE_PAGE_BYTES, memory);
	char	   *end = (char *) TYPEALIGN_DOWN(BF_HUGE_PAGE_BYTES, memory + bytes);

	return start >= end || madvise(start, end - start, advice) == 0;
#else
	return false;
#endif
}

/* Does the kernel give huge pages to processes that ask for them? */
static bool
huge_pages_allowed(void)
{
	FILE	   *file = AllocateFile("/sys/kernel/mm/transparent_hugepage/enabled", "r");
	char		line[64];
	bool		allowed;

	if (file == NULL)
		return false;
	allowed = fgets(line, sizeof(line), file) != NULL && strstr(line, "[never]") == NULL;
	FreeFile(file);
	return allowed;
}

void
bf_collapse_pages(const void *memory, Size bytes)
{
	static bool asked = false;
	static bool possible = false;

	/* MADV_COLLAPSE works even where huge pages are not allowed */
	if (!asked)
		possible = huge_pages_allowed();
	asked = true;
	/* after an error, say because memory is fragmented, do not try again */
	if (possible)
		possible = advise_huge_pages(memory, bytes, MADV_COLLAPSE);
}

/* NULL if there is no memory and the flags allow that. */
static void *
allocate(MemoryContext mcxt, Size bytes, int flags)
{
	char	   *array = MemoryContextAllocExtended(mcxt, bytes, MCXT_ALLOC_HUGE | flags);

	if (array != NULL)
		(void) advise_huge_pages(array, bytes, MADV_HUGEPAGE);
	return array;
}

void *
bf_allocate_unset_array(MemoryContext mcxt, Size bytes)
{
	return allocate(mcxt, bytes, 0);
}

void *
bf_allocate_array(MemoryContext mcxt, Size bytes)
{
	return memset(allocate(mcxt, bytes, 0), 0, bytes);
}

void *
bf_try_allocate_array(MemoryContext mcxt, Size bytes)
{
	void	   *array = allocate(mcxt, bytes, MCXT_ALLOC_NO_OOM);

	return array != NULL ? memset(array, 0, bytes) : NULL;
}
