/*-------------------------------------------------------------------------
 *
 * threads_test.c
 *		Filters made by several threads at once, right after the clients'
 *		core was initialized.
 *
 * What only the first call of a function does must not be done by two of them:
 * so every round is a process of its own.  Prints one line per check and exits
 * with 1 if any failed.
 *
 *-------------------------------------------------------------------------
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter.h"

#define ROUNDS	100
#define THREADS	8

static const double rates[THREADS] = {0.5, 0.2, 0.1, 0.05, 0.01, 0.001, 0.0001, 0.00001};

static pthread_barrier_t together;

/* What is chosen for a number of values and a rate. */
typedef struct Size
{
	uint32_t	blocks;
	int			hashes;
} Size;

static Size
size_for(double rate)
{
	BfError		error;
	BfFilter   *filter = bf_filter_create(1000, rate, 0, &error);
	Size		size = {0};

	if (filter != NULL)
	{
		size.blocks = filter->header.blocks;
		size.hashes = filter->header.hashes;
		bf_filter_free(filter);
	}
	return size;
}

/* All threads make filters of all sizes, each beginning with another one. */
static void *
make_filters(void *argument)
{
	const Size *expected = argument;
	bool		right = true;
	int			i;

	pthread_barrier_wait(&together);
	for (i = 0; i < THREADS; i++)
	{
		Size		size = size_for(rates[i]);

		right &= size.blocks == expected[i].blocks && size.hashes == expected[i].hashes;
	}
	return right ? argument : NULL;
}

static bool
run_round(Size *expected)
{
	pthread_t	threads[THREADS];
	bool		right = true;
	int			i;

	bf_clients_init();
	pthread_barrier_init(&together, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, make_filters, expected) != 0)
			exit(EXIT_FAILURE);
	for (i = 0; i < THREADS; i++)
	{
		void	   *result;

		pthread_join(threads[i], &result);
		right &= result != NULL;
	}
	return right;
}

/* The sizes, made by one thread in a process of its own. */
static bool
read_sizes(Size *sizes)
{
	const size_t bytes = THREADS * sizeof(Size);
	int			ends[2];
	int			i;

	if (pipe(ends) != 0)
		return false;
	if (fork() == 0)
	{
		bf_clients_init();
		for (i = 0; i < THREADS; i++)
			sizes[i] = size_for(rates[i]);
		_exit(write(ends[1], sizes, bytes) == (ssize_t) bytes ? 0 : 1);
	}
	close(ends[1]);
	wait(NULL);
	return read(ends[0], sizes, bytes) == (ssize_t) bytes && sizes[0].blocks > 0;
}

int
main(void)
{
	Size		sizes[THREADS];
	int			failures = 0;
	int			round;

	if (!read_sizes(sizes))
		return EXIT_FAILURE;
	for (round = 0; round < ROUNDS; round++)
	{
		int			status;

		if (fork() == 0)
			_exit(run_round(sizes) ? 0 : 1);
		if (wait(&status) < 0 || status != 0)
			failures++;
	}
	printf("%sok - filters that %d threads make have their sizes, %d of %d times\n",
		   failures == 0 ? "" : "not ", THREADS, ROUNDS - failures, ROUNDS);
	return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
