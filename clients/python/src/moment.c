/*-------------------------------------------------------------------------
 *
 * moment.c
 *		Python's dates and times as PostgreSQL counts them.
 *
 * The stable ABI has no access to what a datetime holds.  Its difference from
 * the epoch has three attributes to be asked for, which is faster than seven.
 * Only of Python's own classes: somebody's own may subtract otherwise.
 *
 *-------------------------------------------------------------------------
 */
#include "moment.h"

/* date(2000, 1, 1).toordinal() */
#define ORDINAL_2000			730120

#define MICROSECONDS_PER_SECOND	INT64_C(1000000)
#define MICROSECONDS_PER_DAY	(86400 * MICROSECONDS_PER_SECOND)

/* An attribute that is an int. */
static int
int_attribute(const BfModule *module, PyObject *object, BfName name, int64_t *result)
{
	PyObject   *number = bf_attribute(module, object, name);

	if (number == NULL)
		return -1;
	*result = PyLong_AsLongLong(number);
	Py_DECREF(number);
	return *result == -1 && PyErr_Occurred() ? -1 : 0;
}

int
bf_has_zone(const BfModule *module, PyObject *time)
{
	PyObject   *tzinfo = bf_attribute(module, time, BF_NAME_TZINFO);
	int			result;

	if (tzinfo == NULL)
		return -1;
	result = !Py_IsNone(tzinfo);
	Py_DECREF(tzinfo);
	return result;
}

/* ---------- dates ---------- */

int
bf_days_of(const BfModule *module, PyObject *date, int64_t *days)
{
	bool		own_class = Py_TYPE(date) != module->date;
	PyObject   *number = own_class ?
		PyObject_CallMethodObjArgs(date, module->names[BF_NAME_TOORDINAL], NULL) :
		PyNumber_Subtract(date, module->epoch_date);
	int			result = 0;

	if (number == NULL)
		return -1;
	if (!own_class)
		result = int_attribute(module, number, BF_NAME_DAYS, days);
	else
	{
		*days = PyLong_AsLongLong(number) - ORDINAL_2000;
		if (PyErr_Occurred())
			result = -1;
	}
	Py_DECREF(number);
	return result;
}

/* ---------- times ---------- */

int
bf_time_of(const BfModule *module, PyObject *time, int64_t *microseconds)
{
	int64_t		hour;
	int64_t		minute;
	int64_t		second;
	int64_t		microsecond;

	if (int_attribute(module, time, BF_NAME_HOUR, &hour) < 0 ||
		int_attribute(module, time, BF_NAME_MINUTE, &minute) < 0 ||
		int_attribute(module, time, BF_NAME_SECOND, &second) < 0 ||
		int_attribute(module, time, BF_NAME_MICROSECOND, &microsecond) < 0)
		return -1;
	*microseconds = ((hour * 60 + minute) * 60 + second) * MICROSECONDS_PER_SECOND + microsecond;
	return 0;
}

/* Microseconds of a timedelta. */
static int
duration_of(const BfModule *module, PyObject *delta, int64_t *microseconds)
{
	int64_t		days;
	int64_t		second;
	int64_t		microsecond;

	if (int_attribute(module, delta, BF_NAME_DAYS, &days) < 0 ||
		int_attribute(module, delta, BF_NAME_SECONDS, &second) < 0 ||
		int_attribute(module, delta, BF_NAME_MICROSECONDS, &microsecond) < 0)
		return -1;
	*microseconds = days * MICROSECONDS_PER_DAY + second * MICROSECONDS_PER_SECOND + microsecond;
	return 0;
}

/* ---------- dates with times ---------- */

/* Microseconds that a datetime with a time zone is ahead of UTC. */
static int
offset_of(const BfModule *module, PyObject *datetime, int64_t *microseconds)
{
	PyObject   *offset = PyObject_CallMethodObjArgs(datetime, module->names[BF_NAME_UTCOFFSET],
													NULL);
	int			result;

	if (offset == NULL)
		return -1;
	/* to Python it is naive then, but whoever gave it a tzinfo thought not */
	if (Py_IsNone(offset))
		result = bf_raise(module, "22009", "the time zone has no offset from UTC", NULL,
						  "Give the value another tzinfo, or none.");
	else
		result = duration_of(module, offset, microseconds);
	Py_DECREF(offset);
	return result;
}

/*
 * A pandas.Timestamp is a datetime with nanoseconds, and so is pandas.NaT, but
 * for having a NaN of them.
 */
static int
check_nanoseconds(const BfModule *module, PyObject *datetime)
{
	int64_t		nanoseconds = 0;

	if (int_attribute(module, datetime, BF_NAME_NANOSECOND, &nanoseconds) < 0)
	{
		bool		missing = PyErr_ExceptionMatches(PyExc_TypeError);

		if (!missing && !PyErr_ExceptionMatches(PyExc_AttributeError))
			return -1;
		PyErr_Clear();
		if (missing)
			return bf_raise_problem(module, &bf_no_time, -1);
	}
	return nanoseconds == 0 ? 0 : bf_raise_problem(module, &bf_below_microseconds, -1);
}

/* By all attributes of a datetime. */
static int
sum_of_attributes(const BfModule *module, PyObject *datetime, bool aware, int64_t *microseconds)
{
	int64_t		days;
	int64_t		time;
	int64_t		offset = 0;

	if ((aware && offset_of(module, datetime, &offset) < 0) ||
		bf_days_of(module, datetime, &days) < 0 || bf_time_of(module, datetime, &time) < 0)
		return -1;
	*microseconds = days * MICROSECONDS_PER_DAY + time - offset;
	return 0;
}

int
bf_moment_of(const BfModule *module, PyObject *datetime, bool aware, int64_t *microseconds)
{
	PyObject   *delta;
	int			result;

	if (Py_TYPE(datetime) != module->datetime)
		return check_nanoseconds(module, datetime) < 0 ? -1 :
			sum_of_attributes(module, datetime, aware, microseconds);

	delta = PyNumber_Subtract(datetime, aware ? module->epoch_utc : module->epoch);
	if (delta == NULL)
	{
		/* what is said of a time zone without an offset, say as of all values */
		if (!PyErr_ExceptionMatches(PyExc_TypeError))
			return -1;
		PyErr_Clear();
		return sum_of_attributes(module, datetime, aware, microseconds);
	}
	result = duration_of(module, delta, microseconds);
	Py_DECREF(delta);
	return result;
}
