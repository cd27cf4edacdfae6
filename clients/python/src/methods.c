/*-------------------------------------------------------------------------
 *
 * methods.c
 *		The class of filters.
 *
 * It has what has to be in C; pg_bloomfilter/filter.py makes of it what users
 * see.
 *
 *-------------------------------------------------------------------------
 */
#include "methods.h"

#include <math.h>

#include "batch.h"
#include "form.h"
#include "whole.h"

/* As float() does, but for what is too large.  The name is the parameter's. */
static int
to_double(PyObject *object, const char *name, double *result)
{
	*result = PyFloat_AsDouble(object);
	if (*result != -1 || !PyErr_Occurred())
		return 0;
	if (PyErr_ExceptionMatches(PyExc_TypeError))
	{
		PyErr_Clear();
		return bf_raise_not_a("a number", name, object);
	}
	if (!PyErr_ExceptionMatches(PyExc_OverflowError))
		return -1;
	PyErr_Clear();
	*result = INFINITY;
	return 0;
}

static PyObject *
object_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"n", "p", "seed", NULL};
	PyObject   *n;
	PyObject   *p = NULL;
	PyObject   *seed = NULL;
	double		expected_items;
	double		rate = 0.01;
	int			overflow = 0;
	int64_t		seed_value = 0;
	BfError		error;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO", names, &n, &p, &seed) ||
		to_double(n, "n", &expected_items) < 0 ||
		(p != NULL && to_double(p, "p", &rate) < 0))
		return NULL;
	if (seed != NULL && !PyLong_Check(seed))
	{
		bf_raise_not_a("an int", "seed", seed);
		return NULL;
	}
	if (seed != NULL)
		seed_value = PyLong_AsLongLongAndOverflow(seed, &overflow);
	if (overflow != 0)
	{
		bf_raise_problem(bf_object_module(type), &bf_integer_out_of_range, -1);
		return NULL;
	}
	return bf_object_make(type, bf_filter_create(expected_items, rate, seed_value, &error), &error);
}

static void
object_dealloc(PyObject *object)
{
	BfObject   *self = (BfObject *) object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc	free_object = (freefunc) PyType_GetSlot(type, Py_tp_free);

	bf_filter_free(self->filter);
	bf_lock_destroy(&self->lock);
	free_object(self);
	Py_DECREF(type);
}

/* ---------- values ---------- */

/* The family that a caller names, or BF_FAMILY_NONE for None. */
static int
parse_family(const BfObject *self, PyObject *name, BfFamily *family)
{
	Py_ssize_t	len;
	const char *s;

	*family = BF_FAMILY_NONE;
	if (name == NULL || Py_IsNone(name))
		return 0;
	if (!PyUnicode_Check(name))
	{
		PyErr_SetString(PyExc_TypeError, "family must be a str; "
						"several values go to update() or contains()");
		return -1;
	}
	s = PyUnicode_AsUTF8AndSize(name, &len);
	if (s == NULL && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
		return -1;
	/* surrogates are in no family's name */
	PyErr_Clear();
	if (s != NULL)
		*family = bf_family_by_name(s, (size_t) len);
	if (*family == BF_FAMILY_NONE)
		return bf_raise(self->module, BF_ERROR_PARAMETER, "there is no family of that name", NULL,
						"Families are integer, text, bpchar, float, boolean, date, time, timestamp, "
						"timestamptz, uuid, bytea, oid and \"char\".");
	return 0;
}

static int
object_contains(PyObject *object, PyObject *value)
{
	return bf_test_value((BfObject *) object, value, BF_FAMILY_NONE);
}

/*
 * Take apart the arguments of the method of that name: a value, or an iterable
 * of them, and "family" if the caller has one.  The value is borrowed.
 */
static int
parse_value(PyObject *object, const char *method, PyObject *const *args, Py_ssize_t nargs,
			PyObject *keywords, PyObject **value, BfFamily *family)
{
	Py_ssize_t	named = keywords == NULL ? 0 : PyTuple_Size(keywords);
	PyObject   *name = nargs + named > 1 ? args[1] : NULL;

	if (nargs < 1 || nargs + named > 2)
	{
		PyErr_Format(PyExc_TypeError, "%s() takes a value, and a family if its type does not tell it",
					 method);
		return -1;
	}
	if (named > 0 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "family") != 0)
	{
		PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", method,
					 PyTuple_GetItem(keywords, 0));
		return -1;
	}
	*value = args[0];
	return parse_family((BfObject *) object, name, family);
}

static PyObject *
object_has(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *keywords)
{
	PyObject   *value;
	BfFamily	family;
	int			found;

	if (parse_value(object, "has", args, nargs, keywords, &value, &family) < 0)
		return NULL;
	found = bf_test_value((BfObject *) object, value, family);
	return found < 0 ? NULL : PyBool_FromLong(found);
}

static PyObject *
object_hash(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *keywords)
{
	PyObject   *value;
	BfFamily	family;
	uint64_t	hash;

	if (parse_value(object, "hash", args, nargs, keywords, &value, &family) < 0 ||
		bf_hash_for((BfObject *) object, value, family, &hash) < 0)
		return NULL;
	return PyLong_FromLongLong((int64_t) hash);
}

static PyObject *
object_has_hash(PyObject *object, PyObject *hash)
{
	BfObject   *self = (BfObject *) object;
	int64_t		value = PyLong_AsLongLong(hash);

	if (value == -1 && PyErr_Occurred())
		return NULL;
	if (!bf_lock_wait_to_read(&self->lock))
		return NULL;
	return PyBool_FromLong(bf_filter_contains_hash(self->filter, (uint64_t) value));
}

static PyObject *
object_add(PyObject *object, PyObject *const *args, Py_ssize_t nargs, PyObject *keywords)
{
	PyObject   *value;
	BfFamily	family;

	if (parse_value(object, "add", args, nargs, keywords, &value, &family) < 0 ||
		bf_add_value((BfObject *) object, value, family) < 0)
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *
object_add_each(PyObject *object, PyObject *args)
{
	PyObject   *values;
	PyObject   *name;
	BfFamily	family;

	if (!PyArg_ParseTuple(args, "OO", &values, &name) ||
		parse_family((BfObject *) object, name, &family) < 0 ||
		bf_add_each((BfObject *) object, values, family) < 0)
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *
object_test_each(PyObject *object, PyObject *args)
{
	PyObject   *values;
	PyObject   *name;
	BfFamily	family;

	if (!PyArg_ParseTuple(args, "OO", &values, &name) ||
		parse_family((BfObject *) object, name, &family) < 0)
		return NULL;
	return bf_test_each((BfObject *) object, values, family);
}

static PyObject *
object_add_array(PyObject *object, PyObject *args)
{
	PyObject   *array;
	PyObject   *name;
	BfFamily	family;

	if (!PyArg_ParseTuple(args, "OO", &array, &name) ||
		parse_family((BfObject *) object, name, &family) < 0 ||
		bf_add_array((BfObject *) object, array, family) < 0)
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *
object_test_array(PyObject *object, PyObject *args)
{
	PyObject   *array;
	PyObject   *found;
	PyObject   *name;
	BfFamily	family;

	if (!PyArg_ParseTuple(args, "OOO", &array, &found, &name) ||
		parse_family((BfObject *) object, name, &family) < 0 ||
		bf_test_array((BfObject *) object, array, found, family) < 0)
		return NULL;
	Py_RETURN_NONE;
}

/* ---------- the type ---------- */

#define METHOD(name, function, flags, text) \
	{name, (PyCFunction) (void (*) (void)) function, flags, PyDoc_STR(text)}

static PyMethodDef methods[] = {
	METHOD("from_bytes", bf_form_from_bytes, METH_O | METH_CLASS,
		   "from_bytes($type, data, /)\n--\n\n"
		   "The filter of a binary form: what bloomfilter::bytea gives, or a binary cursor."),
	METHOD("from_text", bf_form_from_text, METH_O | METH_CLASS,
		   "from_text($type, text, /)\n--\n\n"
		   "The filter of a text form: what bloomfilter::text gives, or psql and COPY write."),
	METHOD("parse", bf_form_parse, METH_O | METH_CLASS,
		   "parse($type, data, /)\n--\n\n"
		   "The filter of any form, str or bytes: text, binary, or the binary form in base64\n"
		   "or in hexadecimal digits, as the server writes a bytea."),
	METHOD("to_bytes", bf_form_to_bytes, METH_NOARGS,
		   "to_bytes($self)\n--\n\nThe binary form: for a bytea that is cast to bloomfilter."),
	METHOD("to_text", bf_form_to_text, METH_NOARGS,
		   "to_text($self)\n--\n\nThe text form: for a parameter."),
	METHOD("copy", bf_whole_copy, METH_NOARGS, "copy($self)\n--\n\nAn independent copy."),
	METHOD("shrink", bf_whole_shrink, METH_O,
		   "shrink($self, factor, /)\n--\n\n"
		   "The filter of 1/factor of the blocks, a number that the factor divides: as\n"
		   "bloom_shrink() gives it."),
	METHOD("has", object_has, METH_FASTCALL | METH_KEYWORDS,
		   "has($self, value, /, family=None)\n--\n\n"
		   "Is the value in the filter?  False: certainly not.  The family may be named where\n"
		   "the value's type does not tell it."),
	METHOD("hash", object_hash, METH_FASTCALL | METH_KEYWORDS,
		   "hash($self, value, /, family=None)\n--\n\n"
		   "The value's hash in this filter, as bloom_hash() gives it for the filter's seed."),
	METHOD("has_hash", object_has_hash, METH_O,
		   "has_hash($self, hash, /)\n--\n\n"
		   "Is the value with that hash in the filter?  For values that only the server can\n"
		   "hash, with bloom_hash() and the filter's seed."),
	METHOD("add", object_add, METH_FASTCALL | METH_KEYWORDS,
		   "add($self, value, /, family=None)\n--\n\nAdd the value."),
	METHOD("__sizeof__", bf_whole_sizeof, METH_NOARGS,
		   "__sizeof__($self)\n--\n\nBytes of memory that it takes."),
	METHOD("_add_each", object_add_each, METH_VARARGS, "_add_each($self, values, family, /)\n--\n\n"),
	METHOD("_test_each", object_test_each, METH_VARARGS, "_test_each($self, values, family, /)\n--\n\n"),
	METHOD("_add_array", object_add_array, METH_VARARGS, "_add_array($self, array, family, /)\n--\n\n"),
	METHOD("_test_array", object_test_array, METH_VARARGS,
		   "_test_array($self, array, found, family, /)\n--\n\n"),
	METHOD("_unite", bf_whole_unite, METH_O, "_unite($self, other, /)\n--\n\n"),
	METHOD("_intersect", bf_whole_intersect, METH_O, "_intersect($self, other, /)\n--\n\n"),
	METHOD("_equal", bf_whole_equal, METH_O, "_equal($self, other, /)\n--\n\n"),
	METHOD("_info", bf_whole_info, METH_NOARGS, "_info($self)\n--\n\n"),
	METHOD("_summary", bf_whole_summary, METH_NOARGS, "_summary($self)\n--\n\n"),
	{0}
};

static const char documentation[] =
	"Filter(n, p=0.01, seed=0)\n--\n\n"
	"What pg_bloomfilter.Filter has of C.";

static PyType_Slot slots[] = {
	{Py_tp_new, (void *) object_new},
	{Py_tp_dealloc, (void *) object_dealloc},
	{Py_tp_doc, (void *) documentation},
	{Py_sq_contains, (void *) object_contains},
	{Py_sq_length, (void *) bf_whole_length},
	{Py_nb_bool, (void *) bf_whole_bool},
	{Py_tp_methods, methods},
	{0}
};

PyType_Spec bf_methods_spec = {
	.name = "pg_bloomfilter._core.Filter",
	.basicsize = sizeof(BfObject),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.slots = slots
};
