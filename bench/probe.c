/*-------------------------------------------------------------------------
 *
 * probe.c
 *		Measures what a test of a value costs by where the blocks lie.
 *
 *		probe BYTES
 *
 * Blocks of so many bytes are tested by random hashes.  Each hash depends on
 * the result before, so that nothing overlaps, as little does between the rows
 * of a query.  Prints processor time in nanoseconds per test for blocks in
 * pages of 4 kB and in huge pages, in either at the offset from a cache line
 * that they have in a datum, and on the line.
 *
 * Does not depend on the server.
 *
 * A datum begins at a multiple of 8 bytes and its blocks 68 bytes later, so each
 * block of a filter that a sub-select made lies on two cache lines.  A copy on
 * cache lines would have to be recognized for each row.  The address does not
 * tell: another datum may come to the same place (loops, correlated sub-selects).
 * Nothing that a function sees tells that its argument is the result of an
 * InitPlan, and the server's tuples hold flat values only, no expanded objects.
 * What can be changed is the pages: src/type/memory/arrays.c has the kernel
 * collapse those of a filter of 8 MB or more to huge pages once it is tested
 * often.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include "core/block_avx2.h"

#define TESTS		2000000
#define HASHES		6			/* per value, as at 1 % */
#define HUGE_PAGE	((size_t) 2 << 20)

/*
 * The length word and the header are before the blocks, and a datum lies on a
 * multiple of eight bytes.
 */
#define DATUM_OFFSET	(4 + 64)

static double
processor_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * 1e9 + used.tv_nsec;
}

/* Rand's "rrmxmx" mixer. */
static inline uint64_t
mix(uint64_t x)
{
	x ^= (x << 15 | x >> 49) ^ (x << 40 | x >> 24);
	x *= BF_ROUND2_MULTIPLIER;
	x ^= x >> 28;
	x *= BF_ROUND2_MULTIPLIER;
	return x ^ x >> 28;
}

/* Sets *found, lest the compiler leave out the tests. */
#define PROBE(contains) \
	uint64_t	last = 0; \
	double		start = processor_ns(); \
	int			i; \
	for (i = 0; i < TESTS; i++) \
	{ \
		uint64_t	hash = mix(last + i); \
		last += contains(blocks + bf_block_offset(hash, nblocks), hash, HASHES); \
	} \
	*found += last; \
	return (processor_ns() - start) / TESTS

static double
probe_portable(const uint8_t *blocks, uint32_t nblocks, uint64_t *found)
{
	PROBE(bf_block_contains);
}

#ifdef BF_HAVE_AVX2
BF_TARGET_AVX2 static double
probe_avx2(const uint8_t *blocks, uint32_t nblocks, uint64_t *found)
{
	PROBE(bf_block_contains_avx2);
}
#endif

static double
probe(const uint8_t *blocks, uint32_t nblocks, uint64_t *found)
{
#ifdef BF_HAVE_AVX2
	if (__builtin_cpu_supports("avx2"))
		return probe_avx2(blocks, nblocks, found);
#endif
	return probe_portable(blocks, nblocks, found);
}

/* In memory of its own, which the process keeps. */
static double
measure(size_t bytes, int advice, size_t offset, uint64_t *found)
{
	size_t		length = bytes + 2 * HUGE_PAGE;
	char	   *memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
							  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t    *blocks;
	size_t		i;

	if (memory == MAP_FAILED)
		exit(1);
	(void) madvise(memory, length, advice);
	blocks = (uint8_t *) (((uintptr_t) memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE) + offset;
	for (i = 0; i < bytes; i += 8)
		bf_store_u64(blocks + i, mix(i));
	/* once to fill the caches */
	(void) probe(blocks, (uint32_t) (bytes / BF_BLOCK_BYTES), found);
	return probe(blocks, (uint32_t) (bytes / BF_BLOCK_BYTES), found);
}

int
main(int argc, char **argv)
{
	size_t		bytes = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t	found = 0;

	if (bytes == 0)
	{
		fprintf(stderr, "usage: probe BYTES\n");
		return 1;
	}
	printf("%.6f ", measure(bytes, MADV_NOHUGEPAGE, DATUM_OFFSET, &found));
	printf("%.6f ", measure(bytes, MADV_NOHUGEPAGE, 0, &found));
	printf("%.6f ", measure(bytes, MADV_HUGEPAGE, DATUM_OFFSET, &found));
	printf("%.6f\n", measure(bytes, MADV_HUGEPAGE, 0, &found));
	return found == 0;
}
