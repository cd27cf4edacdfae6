/*-------------------------------------------------------------------------
 *
 * object.c
 *		A filter as an object of Python's.
 *
 * The class has what has to be in C; pg_bloomfilter/filter.py makes of it what
 * users see.
 *
 *-------------------------------------------------------------------------
 */
#include "object.h"

#include <math.h>
#include <stdlib.h>

#include "batch.h"
#include "core/text.h"

static int
raise_error(const BfModule *module, const BfError *error)
{
	if (strcmp(error->sqlstate, BF_ERROR_MEMORY) == 0)
	{
		PyErr_NoMemory();
		return -1;
	}
	return bf_raise(module, error->sqlstate, error->message,
					error->detail[0] != '\0' ? error->detail : NULL,
					error->hint[0] != '\0' ? error->hint : NULL);
}

int
bf_object_raise(const BfObject *self, const BfError *error)
{
	return raise_error(self->module, error);
}

/* ---------- life ---------- */

/* The state of the module whose type this is, or a subclass of. */
static const BfModule *
module_of(PyTypeObject *type)
{
	PyObject   *module;

	while ((module = PyType_GetModule(type)) == NULL)
	{
		PyErr_Clear();
		type = PyType_GetSlot(type, Py_tp_base);
	}
	return PyModule_GetState(module);
}

/*
 * An object for a filter, which is its own from now on; if there is none, NULL
 * and the exception for the error.  Not before the filter is made: who asks the
 * garbage collector for all objects would find one without.
 */
static PyObject *
make_object(PyTypeObject *type, BfFilter *filter, const BfError *error)
{
	allocfunc	alloc = (allocfunc) PyType_GetSlot(type, Py_tp_alloc);
	const BfModule *module = module_of(type);
	BfObject   *self;

	if (filter == NULL)
	{
		raise_error(module, error);
		return NULL;
	}
	self = (BfObject *) alloc(type, 0);
	if (self == NULL)
	{
		bf_filter_free(filter);
		return NULL;
	}
	self->module = module;
	self->filter = filter;
	if (!bf_lock_init(&self->lock))
	{
		Py_DECREF(self);
		return NULL;
	}
	return (PyObject *) self;
}

/* Say that a parameter cannot be what was given.  Returns -1. */
static int
raise_not_a(const char *wanted, const char *name, PyObject *given)
{
	PyObject   *type_name = PyType_GetName(Py_TYPE(given));

	if (type_name != NULL)
	{
		PyErr_Format(PyExc_TypeError, "%s must be %s, not %U", name, wanted, type_name);
		Py_DECREF(type_name);
	}
	return -1;
}

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
		return raise_not_a("a number", name, object);
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
		raise_not_a("an int", "seed", seed);
		return NULL;
	}
	if (seed != NULL)
		seed_value = PyLong_AsLongLongAndOverflow(seed, &overflow);
	if (overflow != 0)
	{
		bf_raise_problem(module_of(type), &bf_integer_out_of_range, -1);
		return NULL;
	}
	return make_object(type, bf_filter_create(expected_items, rate, seed_value, &error), &error);
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

/* ---------- forms ---------- */

typedef BfFilter *(*Reader) (const uint8_t *input, size_t len, BfError *error);

static BfFilter *
read_text(const uint8_t *text, size_t len, BfError *error)
{
	return bf_filter_from_text((const char *) text, len, error);
}

/* A filter from bytes, or from the UTF-8 of a str. */
static PyObject *
from_input(PyTypeObject *type, PyObject *input, Reader reader)
{
	BfFilter   *filter;
	BfError		error;
	Py_buffer	view = {0};
	const char *s;
	Py_ssize_t	len;

	if (PyUnicode_Check(input))
		s = PyUnicode_AsUTF8AndSize(input, &len);
	else
	{
		s = PyObject_GetBuffer(input, &view, PyBUF_SIMPLE) < 0 ? NULL :
			view.len > 0 ? view.buf : "";
		len = view.len;
	}
	if (s == NULL)
		return NULL;

	Py_BEGIN_ALLOW_THREADS
	filter = reader((const uint8_t *) s, (size_t) len, &error);
	Py_END_ALLOW_THREADS
	if (view.obj != NULL)
		PyBuffer_Release(&view);
	return make_object(type, filter, &error);
}

static PyObject *
object_from_bytes(PyObject *type, PyObject *input)
{
	return from_input((PyTypeObject *) type, input, bf_filter_from_bytes);
}

static PyObject *
object_from_text(PyObject *type, PyObject *input)
{
	return from_input((PyTypeObject *) type, input, read_text);
}

static PyObject *
object_parse(PyObject *type, PyObject *input)
{
	return from_input((PyTypeObject *) type, input, bf_filter_parse);
}

static PyObject *
object_to_bytes(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	PyObject   *result;

	(void) unused;
	bf_lock_begin_read(&self->lock);
	result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t) bf_filter_bytes_length(self->filter));
	if (result != NULL)
	{
		uint8_t    *dst = (uint8_t *) PyBytes_AsString(result);

		Py_BEGIN_ALLOW_THREADS
		bf_filter_write_bytes(self->filter, dst);
		Py_END_ALLOW_THREADS
	}
	bf_lock_end_read(&self->lock);
	return result;
}

static PyObject *
object_to_text(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	PyObject   *result = NULL;
	BfError		error;
	char	   *text;
	size_t		len = 0;

	(void) unused;
	bf_lock_begin_write(&self->lock);
	text = PyMem_Malloc(bf_filter_text_room(self->filter));
	if (text == NULL)
		PyErr_NoMemory();
	else
	{
		Py_BEGIN_ALLOW_THREADS
		len = bf_filter_write_text(self->filter, text, &error);
		Py_END_ALLOW_THREADS
		if (len == 0)
			bf_object_raise(self, &error);
		else
			result = PyUnicode_FromStringAndSize(text, (Py_ssize_t) len);
	}
	PyMem_Free(text);
	bf_lock_end_write(&self->lock);
	return result;
}

static PyObject *
object_copy(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	BfError		error;

	(void) unused;
	bf_lock_wait_to_read(&self->lock);
	return make_object(Py_TYPE(object), bf_filter_copy(self->filter, &error), &error);
}

static PyObject *
object_shrink(PyObject *object, PyObject *factor)
{
	BfObject   *self = (BfObject *) object;
	BfError		error;
	int			overflow;
	long long	value;

	if (!PyLong_Check(factor))
	{
		raise_not_a("an int", "factor", factor);
		return NULL;
	}
	value = PyLong_AsLongLongAndOverflow(factor, &overflow);
	if (overflow != 0 || value < INT32_MIN || value > INT32_MAX)
	{
		bf_raise(self->module, "22003", "integer out of range", NULL, NULL);
		return NULL;
	}
	bf_lock_wait_to_write(&self->lock);
	return make_object(Py_TYPE(object), bf_filter_shrink(self->filter, (int32_t) value, &error),
					   &error);
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
	s = PyUnicode_AsUTF8AndSize(name, &len);
	if (s == NULL)
		return -1;
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

/* Arguments "value", and "family" if the caller has one. */
static int
parse_value(PyObject *object, PyObject *args, PyObject *kwargs, PyObject **value,
			BfFamily *family)
{
	static char *names[] = {"", "family", NULL};
	PyObject   *name = NULL;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", names, value, &name))
		return -1;
	return parse_family((BfObject *) object, name, family);
}

static PyObject *
object_has(PyObject *object, PyObject *args, PyObject *kwargs)
{
	PyObject   *value;
	BfFamily	family;
	int			found;

	if (parse_value(object, args, kwargs, &value, &family) < 0)
		return NULL;
	found = bf_test_value((BfObject *) object, value, family);
	return found < 0 ? NULL : PyBool_FromLong(found);
}

static PyObject *
object_hash(PyObject *object, PyObject *args, PyObject *kwargs)
{
	PyObject   *value;
	BfFamily	family;
	uint64_t	hash;

	if (parse_value(object, args, kwargs, &value, &family) < 0 ||
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
	bf_lock_wait_to_read(&self->lock);
	return PyBool_FromLong(bf_filter_contains_hash(self->filter, (uint64_t) value));
}

static PyObject *
object_add(PyObject *object, PyObject *args, PyObject *kwargs)
{
	PyObject   *value;
	BfFamily	family;

	if (parse_value(object, args, kwargs, &value, &family) < 0 ||
		bf_add_value((BfObject *) object, value, family) < 0)
		return NULL;
	Py_RETURN_NONE;
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

/* ---------- whole filters ---------- */

typedef bool (*Combiner) (BfFilter *a, BfFilter *b, BfError *error);

/* The filters of two objects, ready to be written; NULL if other is none. */
static BfFilter *
other_filter(BfObject *self, PyObject *other)
{
	if (!PyType_IsSubtype(Py_TYPE(other), self->module->filter))
	{
		PyErr_SetString(PyExc_TypeError, "a Filter is expected");
		return NULL;
	}
	bf_lock_wait_to_write_both(&self->lock, &((BfObject *) other)->lock);
	return ((BfObject *) other)->filter;
}

static PyObject *
combine(PyObject *object, PyObject *other, Combiner combiner)
{
	BfObject   *self = (BfObject *) object;
	BfFilter   *with = other_filter(self, other);
	BfError		error;

	if (with == NULL)
		return NULL;
	if (!combiner(self->filter, with, &error))
	{
		bf_object_raise(self, &error);
		return NULL;
	}
	Py_RETURN_NONE;
}

static PyObject *
object_unite(PyObject *object, PyObject *other)
{
	return combine(object, other, bf_filter_unite);
}

static PyObject *
object_intersect(PyObject *object, PyObject *other)
{
	return combine(object, other, bf_filter_intersect);
}

static PyObject *
object_equal(PyObject *object, PyObject *other)
{
	BfObject   *self = (BfObject *) object;
	BfFilter   *with = other_filter(self, other);
	bool		equal;
	BfError		error;

	if (with == NULL)
		return NULL;
	if (!bf_filter_equal(self->filter, with, &equal, &error))
	{
		bf_object_raise(self, &error);
		return NULL;
	}
	return PyBool_FromLong(equal);
}

/*
 * The columns of bloom_info(), in their order; those that are null of a filter
 * without a size are None.
 */
static PyObject *
object_info(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	const BfHeader *header = &self->filter->header;
	char		name[BF_MAX_NAME + 1];
	BfError		error;
	BfInfo		info;

	(void) unused;
	bf_lock_wait_to_write(&self->lock);
	if (!bf_filter_info(self->filter, &info, &error))
	{
		bf_object_raise(self, &error);
		return NULL;
	}
	if (header->representation == BF_UNSIZED)
		return Py_BuildValue("zsOdLOOOOLdK", bf_filter_element_type(self->filter, name),
							 bf_representation_name(header->representation), Py_None, header->rate,
							 (long long) header->seed, Py_None, Py_None, Py_None, Py_None,
							 (long long) info.items, info.rate, (unsigned long long) info.bytes);
	return Py_BuildValue("zsKdLKiKdLdK", bf_filter_element_type(self->filter, name),
						 bf_representation_name(header->representation),
						 (unsigned long long) header->capacity, header->rate,
						 (long long) header->seed, (unsigned long long) info.bits, header->hashes,
						 (unsigned long long) info.bits_set, info.fill, (long long) info.items,
						 info.rate, (unsigned long long) info.bytes);
}

/* ---------- the type ---------- */

#define METHOD(name, function, flags, text) \
	{name, (PyCFunction) (void (*) (void)) function, flags, PyDoc_STR(text)}

static PyMethodDef methods[] = {
	METHOD("from_bytes", object_from_bytes, METH_O | METH_CLASS,
		   "from_bytes(data, /)\n--\n\n"
		   "The filter of a binary form: what bloomfilter::bytea gives, or a binary cursor."),
	METHOD("from_text", object_from_text, METH_O | METH_CLASS,
		   "from_text(text, /)\n--\n\n"
		   "The filter of a text form: what bloomfilter::text gives, or psql and COPY write."),
	METHOD("parse", object_parse, METH_O | METH_CLASS,
		   "parse(data, /)\n--\n\n"
		   "The filter of any form, str or bytes: text, binary, or the binary form in base64\n"
		   "or in hexadecimal digits, as the server writes a bytea."),
	METHOD("to_bytes", object_to_bytes, METH_NOARGS,
		   "to_bytes()\n--\n\nThe binary form: for a bytea that is cast to bloomfilter."),
	METHOD("to_text", object_to_text, METH_NOARGS,
		   "to_text()\n--\n\nThe text form: for a literal or COPY."),
	METHOD("copy", object_copy, METH_NOARGS, "copy()\n--\n\nAn independent copy."),
	METHOD("shrink", object_shrink, METH_O,
		   "shrink(factor, /)\n--\n\n"
		   "The filter of 1/factor of the blocks, a number that the factor divides: as\n"
		   "bloom_shrink() gives it."),
	METHOD("has", object_has, METH_VARARGS | METH_KEYWORDS,
		   "has(value, /, family=None)\n--\n\n"
		   "Is the value in the filter?  False: certainly not.  The family may be named where\n"
		   "the value's type does not tell it."),
	METHOD("hash", object_hash, METH_VARARGS | METH_KEYWORDS,
		   "hash(value, /, family=None)\n--\n\n"
		   "The value's hash in this filter, as bloom_hash() gives it for the filter's seed."),
	METHOD("has_hash", object_has_hash, METH_O,
		   "has_hash(hash, /)\n--\n\n"
		   "Is the value with that hash in the filter?  For values that only the server can\n"
		   "hash, with bloom_hash() and the filter's seed."),
	METHOD("add", object_add, METH_VARARGS | METH_KEYWORDS,
		   "add(value, /, family=None)\n--\n\nAdd the value."),
	METHOD("_add_array", object_add_array, METH_VARARGS, NULL),
	METHOD("_test_array", object_test_array, METH_VARARGS, NULL),
	METHOD("_unite", object_unite, METH_O, NULL),
	METHOD("_intersect", object_intersect, METH_O, NULL),
	METHOD("_equal", object_equal, METH_O, NULL),
	METHOD("_info", object_info, METH_NOARGS, NULL),
	{0}
};

static PyType_Slot slots[] = {
	{Py_tp_new, (void *) object_new},
	{Py_tp_dealloc, (void *) object_dealloc},
	{Py_sq_contains, (void *) object_contains},
	{Py_tp_methods, methods},
	{0}
};

PyType_Spec bf_object_spec = {
	.name = "pg_bloomfilter._core.Filter",
	.basicsize = sizeof(BfObject),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.slots = slots
};
