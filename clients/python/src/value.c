/*-------------------------------------------------------------------------
 *
 * value.c
 *		From an object of Python's to its family and hash.
 *
 * The order of the questions matters where classes are other classes'
 * children: a bool is an int, and a datetime is a date.
 *
 *-------------------------------------------------------------------------
 */
#include "value.h"

#include "column.h"

/* date(2000, 1, 1).toordinal() */
#define ORDINAL_2000			730120

#define MICROSECONDS_PER_SECOND	INT64_C(1000000)
#define MICROSECONDS_PER_DAY	(86400 * MICROSECONDS_PER_SECOND)

/* A value, on its way. */
typedef struct Hashing
{
	const BfModule *module;
	const BfTarget *target;
	PyObject   *value;
	BfFamily	family;
	uint64_t	hash;
} Hashing;

/* Settle the family, now that the kind of value is known. */
static int
settle_family(Hashing *h, BfKind kind)
{
	h->family = bf_kind_family(kind, h->target->wanted);
	if (h->family == BF_FAMILY_NONE)
		return bf_raise_wrong_kind(h->module, kind, h->target->wanted);
	return 0;
}

/*
 * What one of the functions of kind.h that may find a problem has returned.  A
 * pointer to the problem: arguments are evaluated in any order.
 */
static int
outcome(Hashing *h, bool hashed, const BfProblem *const *problem)
{
	return hashed ? 0 : bf_raise_problem(h->module, *problem, -1);
}

static int
hash_bool(Hashing *h)
{
	if (settle_family(h, BF_PY_BOOL) < 0)
		return -1;
	h->hash = bf_hash_bool(Py_IsTrue(h->value), h->target->seed);
	return 0;
}

static int
hash_int(Hashing *h)
{
	const BfProblem *problem = NULL;
	int			overflow;
	int64_t		number;

	if (settle_family(h, BF_PY_INT) < 0)
		return -1;
	number = PyLong_AsLongLongAndOverflow(h->value, &overflow);
	if (overflow != 0)
		return bf_raise_problem(h->module, h->family == BF_FAMILY_OID ?
								&bf_oid_out_of_range : &bf_integer_out_of_range, -1);
	return outcome(h, bf_hash_int(h->family, number, h->target->seed, &h->hash, &problem),
				   &problem);
}

static int
hash_float(Hashing *h)
{
	if (settle_family(h, BF_PY_FLOAT) < 0)
		return -1;
	h->hash = bf_hash_double(PyFloat_AsDouble(h->value), h->target->seed);
	return PyErr_Occurred() ? -1 : 0;
}

static int
hash_str(Hashing *h)
{
	const BfProblem *problem = NULL;
	Py_ssize_t	len;
	const char *utf8;

	if (settle_family(h, BF_PY_STR) < 0)
		return -1;
	utf8 = PyUnicode_AsUTF8AndSize(h->value, &len);
	if (utf8 == NULL)
	{
		if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
			return -1;
		PyErr_Clear();
		return bf_raise_problem(h->module, &bf_not_utf8, -1);
	}
	return outcome(h, bf_hash_utf8(h->family, h->target->strip_blanks || h->family == BF_FAMILY_BPCHAR,
								   utf8, (size_t) len, h->target->seed, &h->hash, &problem), &problem);
}

/* bytes, or a bytearray or memoryview, if that is one of bytes */
static int
hash_bytes(Hashing *h)
{
	const BfProblem *problem = NULL;
	Py_buffer	view;
	int			result;

	if (settle_family(h, BF_PY_BYTES) < 0 ||
		PyObject_GetBuffer(h->value, &view, PyBUF_CONTIG_RO | PyBUF_FORMAT) < 0)
		return -1;
	if (view.ndim != 1 || (view.format != NULL && strcmp(view.format, "B") != 0))
		result = bf_raise_no_element(h->module, "memoryview", "Its items are not bytes.");
	else
		result = outcome(h, bf_hash_bytes(h->family, view.buf, (size_t) view.len,
										  h->target->seed, &h->hash, &problem), &problem);
	PyBuffer_Release(&view);
	return result;
}

static int
hash_uuid(Hashing *h)
{
	const BfProblem *problem = NULL;
	PyObject   *bytes;
	char	   *s;
	Py_ssize_t	len;
	int			result = -1;

	if (settle_family(h, BF_PY_UUID) < 0)
		return -1;
	bytes = PyObject_GetAttrString(h->value, "bytes");
	if (bytes == NULL)
		return -1;
	if (PyBytes_AsStringAndSize(bytes, &s, &len) == 0)
		result = outcome(h, bf_hash_bytes(h->family, s, (size_t) len, h->target->seed, &h->hash,
										  &problem), &problem);
	Py_DECREF(bytes);
	return result;
}

/* ---------- dates and times ---------- */

/* An attribute that is an int. */
static int
int_attribute(PyObject *object, const char *name, int64_t *result)
{
	PyObject   *attribute = PyObject_GetAttrString(object, name);

	if (attribute == NULL)
		return -1;
	*result = PyLong_AsLongLong(attribute);
	Py_DECREF(attribute);
	return PyErr_Occurred() ? -1 : 0;
}

/* Days since 2000. */
static int
days_of(PyObject *date, int64_t *days)
{
	PyObject   *ordinal = PyObject_CallMethod(date, "toordinal", NULL);

	if (ordinal == NULL)
		return -1;
	*days = PyLong_AsLongLong(ordinal) - ORDINAL_2000;
	Py_DECREF(ordinal);
	return PyErr_Occurred() ? -1 : 0;
}

/* Microseconds since midnight. */
static int
time_of(PyObject *time, int64_t *result)
{
	int64_t		hour;
	int64_t		minute;
	int64_t		second;
	int64_t		microsecond;

	if (int_attribute(time, "hour", &hour) < 0 || int_attribute(time, "minute", &minute) < 0 ||
		int_attribute(time, "second", &second) < 0 ||
		int_attribute(time, "microsecond", &microsecond) < 0)
		return -1;
	*result = ((hour * 60 + minute) * 60 + second) * MICROSECONDS_PER_SECOND + microsecond;
	return 0;
}

/* Does the time have a time zone?  Or -1. */
static int
has_zone(PyObject *time)
{
	PyObject   *tzinfo = PyObject_GetAttrString(time, "tzinfo");
	int			result;

	if (tzinfo == NULL)
		return -1;
	result = !Py_IsNone(tzinfo);
	Py_DECREF(tzinfo);
	return result;
}

/* Microseconds that a datetime with a time zone is ahead of UTC. */
static int
offset_of(Hashing *h, int64_t *result)
{
	PyObject   *offset = PyObject_CallMethod(h->value, "utcoffset", NULL);
	int64_t		days;
	int64_t		seconds;
	int64_t		microseconds;
	int			status = -1;

	if (offset == NULL)
		return -1;
	/* to Python it is naive then, but whoever gave it a tzinfo thought not */
	if (Py_IsNone(offset))
		bf_raise(h->module, "22009", "the time zone has no offset from UTC", NULL,
				 "Give the value another tzinfo, or none.");
	else if (int_attribute(offset, "days", &days) == 0 &&
			 int_attribute(offset, "seconds", &seconds) == 0 &&
			 int_attribute(offset, "microseconds", &microseconds) == 0)
	{
		*result = days * MICROSECONDS_PER_DAY + seconds * MICROSECONDS_PER_SECOND + microseconds;
		status = 0;
	}
	Py_DECREF(offset);
	return status;
}

/*
 * A pandas.Timestamp is a datetime with nanoseconds, and so is pandas.NaT, but
 * for having a NaN of them.
 */
static int
check_nanoseconds(Hashing *h)
{
	int64_t		nanoseconds = 0;

	if (Py_TYPE(h->value) == h->module->datetime)
		return 0;
	if (int_attribute(h->value, "nanosecond", &nanoseconds) < 0)
	{
		bool		missing = PyErr_ExceptionMatches(PyExc_TypeError);

		if (!missing && !PyErr_ExceptionMatches(PyExc_AttributeError))
			return -1;
		PyErr_Clear();
		if (missing)
			return bf_raise_problem(h->module, &bf_no_time, -1);
	}
	return nanoseconds == 0 ? 0 : bf_raise_problem(h->module, &bf_below_microseconds, -1);
}

static int
hash_datetime(Hashing *h)
{
	const BfProblem *problem = NULL;
	int			aware = has_zone(h->value);
	int64_t		days;
	int64_t		time;
	int64_t		offset = 0;

	if (aware < 0 || check_nanoseconds(h) < 0 ||
		settle_family(h, aware ? BF_PY_DATETIME_TZ : BF_PY_DATETIME) < 0 ||
		(aware && offset_of(h, &offset) < 0) ||
		days_of(h->value, &days) < 0 || time_of(h->value, &time) < 0)
		return -1;
	return outcome(h, bf_hash_timestamp(days * MICROSECONDS_PER_DAY + time - offset,
										h->target->seed, &h->hash, &problem), &problem);
}

static int
hash_date(Hashing *h)
{
	const BfProblem *problem = NULL;
	int64_t		days;

	if (settle_family(h, BF_PY_DATE) < 0 || days_of(h->value, &days) < 0)
		return -1;
	return outcome(h, bf_hash_date(days, h->target->seed, &h->hash, &problem), &problem);
}

static int
hash_time(Hashing *h)
{
	int			aware = has_zone(h->value);
	int64_t		time;

	if (aware < 0)
		return -1;
	if (aware)
		return bf_raise_no_element(h->module, "datetime.time with a time zone",
								   "It is a timetz, which only the server can hash.");
	if (settle_family(h, BF_PY_TIME) < 0 || time_of(h->value, &time) < 0)
		return -1;
	h->hash = bf_hash_time(time, h->target->seed);
	return 0;
}

/* ---------- everything else ---------- */

static int
refuse(Hashing *h)
{
	PyObject   *name = PyType_GetQualName(Py_TYPE(h->value));
	const char *s = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);

	if (s != NULL)
		bf_raise_no_element(h->module, s, NULL);
	Py_XDECREF(name);
	return -1;
}

/* The one item of a column without dimensions. */
static int
hash_item(Hashing *h, const BfColumn *column)
{
	const BfProblem *problem = NULL;
	BfHashing	hashing = {.seed = h->target->seed};
	BfWalk		walk;
	const char *item;

	if (column->item == BF_ITEM_OBJECT)
		return refuse(h);
	if (settle_family(h, column->kind) < 0)
		return -1;
	hashing.family = h->family;
	hashing.strip_blanks = h->target->strip_blanks || h->family == BF_FAMILY_BPCHAR;
	bf_walk_begin(&walk, column);
	bf_walk_next(&walk, 1, &item);
	return outcome(h, bf_column_hash(column, &hashing, item, walk.stride, 1, &h->hash,
									 &problem) == 1, &problem);
}

/*
 * A scalar of numpy's, or of whoever else exports a value as a buffer without
 * dimensions, and what is none of them.
 */
static int
hash_scalar(Hashing *h)
{
	BfColumn	column;
	int			result = bf_column_open(h->module, h->value, &column);

	if (result < 0)
		return -1;
	if (result == 0)
		return refuse(h);
	result = column.view.ndim == 0 ? hash_item(h, &column) : refuse(h);
	bf_column_close(&column);
	return result;
}

static int
hash_by_type(Hashing *h)
{
	PyTypeObject *type = Py_TYPE(h->value);
	const BfModule *module = h->module;

	if (PyBool_Check(h->value))
		return hash_bool(h);
	if (PyLong_Check(h->value))
		return hash_int(h);
	if (PyUnicode_Check(h->value))
		return hash_str(h);
	if (PyFloat_Check(h->value))
		return hash_float(h);
	if (PyBytes_Check(h->value) || PyByteArray_Check(h->value) || PyMemoryView_Check(h->value))
		return hash_bytes(h);
	if (PyType_IsSubtype(type, module->uuid))
		return hash_uuid(h);
	if (PyType_IsSubtype(type, module->datetime))
		return hash_datetime(h);
	if (PyType_IsSubtype(type, module->date))
		return hash_date(h);
	if (PyType_IsSubtype(type, module->time))
		return hash_time(h);
	if (Py_IsNone(h->value))
		return bf_raise(module, "22004", "None is no value", NULL, "Leave missing values out.");
	return hash_scalar(h);
}

int
bf_value_hash(const BfModule *module, const BfTarget *target, PyObject *value, BfFamily *family,
			  uint64_t *hash)
{
	Hashing		h = {.module = module, .target = target, .value = value};

	if (hash_by_type(&h) < 0)
		return -1;
	*family = h.family;
	*hash = h.hash;
	return 0;
}
