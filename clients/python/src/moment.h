/*-------------------------------------------------------------------------
 *
 * moment.h
 *		Python's dates and times as PostgreSQL counts them.
 *
 * Functions return -1 with an exception set if they fail.  They run whatever
 * code the value's class, or that of its time zone, has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_MOMENT_H
#define BF_MOMENT_H

#include "python.h"

/* Does a time or datetime have a time zone? */
extern int	bf_has_zone(const BfModule *module, PyObject *time);

/* Days since 2000-01-01 of a date. */
extern int	bf_days_of(const BfModule *module, PyObject *date, int64_t *days);

/* Microseconds since midnight of a time or datetime. */
extern int	bf_time_of(const BfModule *module, PyObject *time, int64_t *microseconds);

/*
 * Microseconds since 2000-01-01 00:00 of a datetime, with a time zone in UTC.
 * Fails where it is none, as pandas.NaT, or has nanoseconds.
 */
extern int	bf_moment_of(const BfModule *module, PyObject *datetime, bool aware,
						 int64_t *microseconds);

#endif							/* BF_MOMENT_H */
