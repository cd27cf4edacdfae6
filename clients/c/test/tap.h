/*-------------------------------------------------------------------------
 *
 * tap.h
 *		How the tests of libpgbloomfilter report: a line for each group of
 *		checks.
 *
 * C99 and C++11.
 *
 *-------------------------------------------------------------------------
 */
#ifndef TAP_H
#define TAP_H

#include <stdio.h>
#include <stdlib.h>

static int	tap_checks;			/* of this group */
static int	tap_failures;
static int	tap_all_failures;

/* One check of the group. */
#define CHECK(condition) \
	((condition) ? (void) tap_checks++ : \
	 (void) (tap_checks++, tap_failures++, \
			 printf("# %s:%d: %s\n", __FILE__, __LINE__, #condition)))

/* Ends a group, which must have had so many checks. */
static inline void
tap_group(const char *name, int at_least)
{
	int			failed = tap_failures > 0 || tap_checks < at_least;

	printf("%sok - %s (%d checks)\n", failed ? "not " : "", name, tap_checks);
	tap_all_failures += failed;
	tap_checks = 0;
	tap_failures = 0;
}

static inline int
tap_status(void)
{
	return tap_all_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif							/* TAP_H */
