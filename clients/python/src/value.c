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

#include <string.h>

#include "column.h"
#include "moment.h"

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
	PyObject   *copy = NULL;
	const char *s;
	int			result = -1;

	if (settle_family(h, BF_PY_BYTES) < 0 ||
		PyObject_GetBuffer(h->value, &view, PyBUF_FULL_RO) < 0)
		return -1;
	s = view.buf;
	if (view.ndim != 1 || (view.format != NULL && strcmp(view.format, "B") != 0))
		bf_raise_no_element(h->module, "memoryview", "Its items are not bytes.");
	else if (PyBuffer_IsContiguous(&view, 'C') ||
			 ((copy = PyBytes_FromObject(h->value)) != NULL && (s = PyBytes_AsString(copy)) != NULL))
		result = outcome(h, bf_hash_bytes(h->family, s, (size_t) view.len,
										  h->target->seed, &h->hash, &problem), &problem);
	Py_XDECREF(copy);
	PyBuffer_Release(&view);
	return result;
}

/* ---------- uuid ---------- */

/*
 * The 16 bytes of the attribute "int", which has them faster than "bytes".
 * Returns false, without an exception, if it is none of 128 bits.
 */
static bool
bytes_of_int(const Hashing *h, uint8_t bytes[16])
{
	PyObject   *number = bf_attribute(h->module, h->value, BF_NAME_INT);
	PyObject   *rest = NULL;
	uint64_t	low = 0;
	uint64_t	high = 0;
	bool		result;

	if (number != NULL && PyLong_Check(number))
		rest = PyNumber_Rshift(number, h->module->half_uuid);
	if (rest != NULL)
	{
		low = PyLong_AsUnsignedLongLongMask(number);
		high = PyLong_AsUnsignedLongLong(rest);
	}
	result = rest != NULL && !PyErr_Occurred();
	PyErr_Clear();
	Py_XDECREF(number);
	Py_XDECREF(rest);
	/* the first byte is the highest */
	bf_store_u64(bytes, __builtin_bswap64(high));
	bf_store_u64(bytes + 8, __builtin_bswap64(low));
	return result;
}

static int
hash_uuid(Hashing *h)
{
	const BfProblem *problem = NULL;
	uint8_t		known[16];
	PyObject   *bytes;
	char	   *s;
	Py_ssize_t	len;
	int			result = -1;

	if (settle_family(h, BF_PY_UUID) < 0)
		return -1;
	/* somebody's own class may have other bytes */
	if (Py_TYPE(h->value) == h->module->uuid && bytes_of_int(h, known))
		return outcome(h, bf_hash_bytes(h->family, known, sizeof(known), h->target->seed, &h->hash,
										&problem), &problem);
	bytes = bf_attribute(h->module, h->value, BF_NAME_BYTES);
	if (bytes == NULL)
		return -1;
	if (PyBytes_AsStringAndSize(bytes, &s, &len) == 0)
		result = outcome(h, bf_hash_bytes(h->family, s, (size_t) len, h->target->seed, &h->hash,
										  &problem), &problem);
	Py_DECREF(bytes);
	return result;
}

/* ---------- dates and times ---------- */

static int
hash_datetime(Hashing *h)
{
	const BfProblem *problem = NULL;
	int			aware = bf_has_zone(h->module, h->value);
	int64_t		moment;

	if (aware < 0 || bf_moment_of(h->module, h->value, aware, &moment) < 0 ||
		settle_family(h, aware ? BF_PY_DATETIME_TZ : BF_PY_DATETIME) < 0)
		return -1;
	return outcome(h, bf_hash_timestamp(moment, h->target->seed, &h->hash, &problem), &problem);
}

static int
hash_date(Hashing *h)
{
	const BfProblem *problem = NULL;
	int64_t		days;

	if (settle_family(h, BF_PY_DATE) < 0 || bf_days_of(h->module, h->value, &days) < 0)
		return -1;
	return outcome(h, bf_hash_date(days, h->target->seed, &h->hash, &problem), &problem);
}

static int
hash_time(Hashing *h)
{
	int			aware = bf_has_zone(h->module, h->value);
	int64_t		time;

	if (aware < 0)
		return -1;
	if (aware)
		return bf_raise_no_element(h->module, "datetime.time with a time zone",
								   "It is a timetz, which only the server can hash.");
	if (settle_family(h, BF_PY_TIME) < 0 || bf_time_of(h->module, h->value, &time) < 0)
		return -1;
	h->hash = bf_hash_time(time, h->target->seed);
	return 0;
}

/* ---------- everything else ---------- */

/*
 * Types that have one value, which says that there is none: of pandas, and of
 * numpy, where it looks like the number 0.
 */
static const struct
{
	const char *type;
	const char *message;
}			missing_types[] = {
	{"NAType", "NA is no value"},
	{"MaskedConstant", "masked is no value"}
};

/* Raises the error of a missing value; false: it is none, or *name is NULL after an error. */
static bool
raise_if_missing(const Hashing *h, PyObject **name)
{
	const char *s;
	size_t		i;

	*name = PyType_GetQualName(Py_TYPE(h->value));
	s = *name == NULL ? NULL : PyUnicode_AsUTF8AndSize(*name, NULL);
	if (s == NULL)
		Py_CLEAR(*name);
	for (i = 0; s != NULL && i < sizeof(missing_types) / sizeof(missing_types[0]); i++)
		if (strcmp(s, missing_types[i].type) == 0)
		{
			bf_raise(h->module, "22004", missing_types[i].message, NULL, BF_HINT_MISSING);
			return true;
		}
	return false;
}

static int
refuse(Hashing *h)
{
	PyObject   *name;

	if (!raise_if_missing(h, &name) && name != NULL)
		bf_raise_no_element(h->module, PyUnicode_AsUTF8AndSize(name, NULL), NULL);
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
	PyObject   *name;
	bool		missing = raise_if_missing(h, &name);
	int			result = missing || name == NULL ? -1 : bf_column_open(h->module, h->value, &column);

	Py_XDECREF(name);
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
		return bf_raise(module, "22004", "None is no value", NULL, BF_HINT_MISSING);
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
