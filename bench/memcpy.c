/*
 * memcpy.c: how long copying bytes takes, as a measure for what is done to
 * whole filters.
 *
 *		memcpy BYTES
 *
 * prints the milliseconds of one memcpy to memory that was used before, and
 * of one to memory fresh from malloc, which the kernel has yet to provide: so
 * is that of a filter's result.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* The compiler must not know it, or it would leave out what has no effect. */
static void *(*volatile copy) (void *, const void *, size_t) = memcpy;

int
main(int argc, char **argv)
{
	size_t		bytes = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
	char	   *from = malloc(bytes);
	char	   *used = malloc(bytes);
	double		start;
	double		ms_used;
	double		ms_fresh;
	char	   *fresh;

	if (bytes == 0 || from == NULL || used == NULL)
	{
		fprintf(stderr, "usage: memcpy BYTES\n");
		return 1;
	}
	memset(from, 1, bytes);
	memset(used, 2, bytes);
	start = now_ms();
	copy(used, from, bytes);
	ms_used = now_ms() - start;

	start = now_ms();
	fresh = malloc(bytes);
	if (fresh == NULL)
		return 1;
	copy(fresh, from, bytes);
	free(fresh);
	ms_fresh = now_ms() - start;

	printf("%.6f %.6f\n", ms_used, ms_fresh);
	return 0;
}
