/*-------------------------------------------------------------------------
 *
 * object.c
 *		A filter as an object of Python's: how it is made, and its errors.
 *
 *-------------------------------------------------------------------------
 */
#include "object.h"

#include <string.h>

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

const BfModule *
bf_object_module(PyTypeObject *type)
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
 * Not before the filter is made: who asks the garbage collector for all objects
 * would find one without.
 */
PyObject *
bf_object_make(PyTypeObject *type, BfFilter *filter, const BfError *error)
{
	allocfunc	alloc = (allocfunc) PyType_GetSlot(type, Py_tp_alloc);
	const BfModule *module = bf_object_module(type);
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

int
bf_raise_not_a(const char *wanted, const char *name, PyObject *given)
{
	PyObject   *type_name = PyType_GetName(Py_TYPE(given));

	if (type_name != NULL)
	{
		PyErr_Format(PyExc_TypeError, "%s must be %s, not %U", name, wanted, type_name);
		Py_DECREF(type_name);
	}
	return -1;
}
