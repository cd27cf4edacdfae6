/*-------------------------------------------------------------------------
 *
 * whole.c
 *		What is done with whole filters, and what they tell of themselves.
 *
 *-------------------------------------------------------------------------
 */
#include "whole.h"

#include "core/text.h"

/* ---------- one filter ---------- */

PyObject *
bf_whole_copy(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	BfError		error;

	(void) unused;
	if (!bf_lock_wait_to_read(&self->lock))
		return NULL;
	return bf_object_make(Py_TYPE(object), bf_filter_copy(self->filter, &error), &error);
}

PyObject *
bf_whole_shrink(PyObject *object, PyObject *factor)
{
	BfObject   *self = (BfObject *) object;
	BfError		error;
	int			overflow;
	long long	value;

	if (!PyLong_Check(factor))
	{
		bf_raise_not_a("an int", "factor", factor);
		return NULL;
	}
	value = PyLong_AsLongLongAndOverflow(factor, &overflow);
	if (overflow != 0 || value < INT32_MIN || value > INT32_MAX)
	{
		bf_raise(self->module, "22003", "integer out of range", NULL, NULL);
		return NULL;
	}
	if (!bf_lock_wait_to_write(&self->lock))
		return NULL;
	return bf_object_make(Py_TYPE(object), bf_filter_shrink(self->filter, (int32_t) value, &error),
					   &error);
}

/* ---------- two filters ---------- */

typedef bool (*Combiner) (BfFilter *a, BfFilter *b, BfError *error);

/* The filter of another object, ready to be written as that of self is; NULL with an exception if there is none. */
static BfFilter *
other_filter(BfObject *self, PyObject *other)
{
	if (!PyType_IsSubtype(Py_TYPE(other), self->module->filter))
	{
		PyErr_SetString(PyExc_TypeError, "a Filter is expected");
		return NULL;
	}
	if (!bf_lock_wait_to_write_both(&self->lock, &((BfObject *) other)->lock))
		return NULL;
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

PyObject *
bf_whole_unite(PyObject *object, PyObject *other)
{
	return combine(object, other, bf_filter_unite);
}

PyObject *
bf_whole_intersect(PyObject *object, PyObject *other)
{
	return combine(object, other, bf_filter_intersect);
}

PyObject *
bf_whole_equal(PyObject *object, PyObject *other)
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

/* ---------- what it tells ---------- */

/*
 * The columns of bloom_info(), in their order; those that are null of a filter
 * without a size are None.
 */
PyObject *
bf_whole_info(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	const BfHeader *header = &self->filter->header;
	char		name[BF_MAX_NAME + 1];
	BfError		error;
	BfInfo		info;

	(void) unused;
	if (!bf_lock_wait_to_write(&self->lock))
		return NULL;
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

/* Exact where it is a list; else estimated from all blocks. */
Py_ssize_t
bf_whole_length(PyObject *object)
{
	BfObject   *self = (BfObject *) object;
	BfError		error;
	BfInfo		info;

	if (!bf_lock_wait_to_write(&self->lock))
		return -1;
	if (self->filter->header.representation != BF_DENSE)
		return (Py_ssize_t) bf_filter_count(self->filter);
	return bf_filter_info(self->filter, &info, &error) ? (Py_ssize_t) info.items :
		bf_object_raise(self, &error);
}

int
bf_whole_bool(PyObject *object)
{
	BfObject   *self = (BfObject *) object;

	if (!bf_lock_wait_to_read(&self->lock))
		return -1;
	return !bf_filter_is_empty(self->filter);
}

PyObject *
bf_whole_sizeof(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	PyObject   *of_object = PyObject_CallMethod((PyObject *) &PyBaseObject_Type, "__sizeof__", "O",
												object);
	PyObject   *of_filter;
	PyObject   *result = NULL;

	(void) unused;
	if (of_object == NULL)
		return NULL;
	if (!bf_lock_wait_to_read(&self->lock))
	{
		Py_DECREF(of_object);
		return NULL;
	}
	of_filter = PyLong_FromSize_t(bf_filter_memory(self->filter));
	if (of_filter != NULL)
		result = PyNumber_Add(of_object, of_filter);
	Py_DECREF(of_object);
	Py_XDECREF(of_filter);
	return result;
}

/* What describes it without a look at its data. */
PyObject *
bf_whole_summary(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	const BfHeader *header = &self->filter->header;
	char		name[BF_MAX_NAME + 1];

	(void) unused;
	if (!bf_lock_wait_to_read(&self->lock))
		return NULL;
	return Py_BuildValue("zsKdL", bf_filter_element_type(self->filter, name),
						 bf_representation_name(header->representation),
						 (unsigned long long) header->capacity, header->rate,
						 (long long) header->seed);
}
