/*-------------------------------------------------------------------------
 *
 * hashset.c
 *		Measures sets of hashes: as tables, and as they are for right-sized
 *		aggregation, which makes logs of them when they are large.
 *
 *		hashset table|gathering DISTINCT REPETITIONS
 *
 * Hashes of random values, so many distinct ones, each so often on average;
 * with one repetition, in sequence.  Prints processor time in nanoseconds per
 * hash for inserting, counting and reading all of them, and the most memory
 * that the process had, in bytes per distinct hash.
 *
 * The server's part is played by malloc(), in server.c.
 *
 * A table larger than the caches costs a line from memory for each hash, and as
 * much again for moving it when it grows.  A log writes in sequence and sorts
 * within the cache.  While hashes repeat in a table that is in the cache, nothing
 * is faster.  So a set begins as a table and becomes a log above 512 kB; a set
 * that is read while it grows, as the list of a filter of a given size, stays a
 * table.  Tried and rejected: a small cache of the last hashes in front of the
 * log (good where few values are most of the rows, a loss elsewhere), one array
 * instead of partitions, and sorting a partition anew instead of merging what is
 * new with what is sorted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <time.h>

#include "type/memory/hashset.h"

#define BATCH	32

/* Fewer are taken several times, to tell their time. */
#define MIN_HASHES	1000000

static double
processor_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * 1e9 + used.tv_nsec;
}

/* In bytes. */
static double
peak_memory(void)
{
	FILE	   *status = fopen("/proc/self/status", "r");
	char		line[256];
	long		kilobytes = 0;

	while (status != NULL && fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1)
			break;
	if (status != NULL)
		fclose(status);
	return kilobytes * 1024.0;
}

/* A bijection that mixes well: Rand's "rrmxmx" mixer. */
static inline uint64_t
mix(uint64_t x)
{
	x ^= (x << 15 | x >> 49) ^ (x << 40 | x >> 24);
	x *= BF_ROUND2_MULTIPLIER;
	x ^= x >> 28;
	x *= BF_ROUND2_MULTIPLIER;
	return x ^ x >> 28;
}

/*
 * The hashes, to the set if there is one.  Returns something of them, lest
 * the compiler leave them out.
 */
static uint64_t
make_hashes(BfHashSet *set, uint64_t distinct, uint64_t repetitions)
{
	uint64_t	total = distinct * repetitions;
	uint64_t	hashes[BATCH];
	uint64_t	sum = 0;
	uint64_t	done;

	for (done = 0; done < total; done += BATCH)
	{
		int			n = (int) Min(total - done, BATCH);
		int			i;

		for (i = 0; i < n; i++)
		{
			uint64_t	value = done + i;

			if (repetitions > 1)
				value = ((mix(value) >> 32) * distinct) >> 32;
			hashes[i] = mix(value);
		}
		if (set != NULL)
			bf_hashset_insert(set, hashes, n);
		for (i = 0; i < n; i++)
			sum += hashes[i];
	}
	return sum;
}

static uint64_t
read_set(const BfHashSet *set)
{
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	uint64_t	sum = 0;
	int			n;

	bf_hashset_scan_begin(&scan, set);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
		while (n > 0)
			sum += hashes[--n];
	return sum;
}

int
main(int argc, char **argv)
{
	uint64_t	distinct = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t	repetitions = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
	uint64_t	turns;
	uint64_t	turn;
	volatile uint64_t sum = 0;
	double		memory;
	double		start;
	double		idle;
	double		busy;
	uint64_t	found = 0;

	if (distinct == 0 || distinct > UINT32_MAX || repetitions == 0)
	{
		fprintf(stderr, "usage: hashset table|gathering DISTINCT REPETITIONS\n");
		return 1;
	}
	turns = 1 + MIN_HASHES / (distinct * repetitions);

	start = processor_ns();
	for (turn = 0; turn < turns; turn++)
		sum += make_hashes(NULL, distinct, repetitions);
	idle = processor_ns() - start;

	memory = peak_memory();
	start = processor_ns();
	for (turn = 0; turn < turns; turn++)
	{
		BfHashSet	set;

		if (strcmp(argv[1], "gathering") == 0)
			bf_hashset_init_gathering(&set, NULL);
		else
			bf_hashset_init(&set, NULL);
		sum += make_hashes(&set, distinct, repetitions);
		found = bf_hashset_count(&set);
		sum += read_set(&set);
		bf_hashset_free(&set);
	}
	busy = processor_ns() - start;
	memory = peak_memory() - memory;

	printf("%.6f %.6f\n", (busy - idle) / ((double) distinct * repetitions * turns),
		   memory / found);
	return 0;
}
