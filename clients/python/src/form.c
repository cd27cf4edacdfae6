/*-------------------------------------------------------------------------
 *
 * form.c
 *		A filter's binary and text forms, from Python's objects and to them.
 *
 *-------------------------------------------------------------------------
 */
#include "form.h"

typedef BfFilter *(*Reader) (const uint8_t *input, size_t len, BfError *error);

static BfFilter *
read_text(const uint8_t *text, size_t len, BfError *error)
{
	return bf_filter_from_text((const char *) text, len, error);
}

static PyObject *from_buffer(PyTypeObject *type, PyObject *input, Reader reader);

static PyObject *
from_copy(PyTypeObject *type, PyObject *input, Reader reader)
{
	PyObject   *copy = PyBytes_FromObject(input);
	PyObject   *result = copy == NULL ? NULL : from_buffer(type, copy, reader);

	Py_XDECREF(copy);
	return result;
}

/* A filter from bytes. */
static PyObject *
from_buffer(PyTypeObject *type, PyObject *input, Reader reader)
{
	BfFilter   *filter;
	BfError		error;
	Py_buffer	view;

	if (PyObject_GetBuffer(input, &view, PyBUF_SIMPLE) < 0)
	{
		/* bytes that lie apart, as those of memoryview(data)[::2] do */
		if (!PyErr_ExceptionMatches(PyExc_BufferError))
			return NULL;
		PyErr_Clear();
		return from_copy(type, input, reader);
	}
	if (!PyBytes_Check(input))
	{
		/* another thread may change them while they are read */
		PyBuffer_Release(&view);
		return from_copy(type, input, reader);
	}
	Py_BEGIN_ALLOW_THREADS
	/* an empty buffer may have no address */
	filter = reader(view.len > 0 ? view.buf : (const uint8_t *) "", (size_t) view.len, &error);
	Py_END_ALLOW_THREADS
	PyBuffer_Release(&view);
	return bf_object_make(type, filter, &error);
}

/* A filter from bytes, or from the UTF-8 of a str. */
static PyObject *
from_input(PyTypeObject *type, PyObject *input, Reader reader)
{
	BfFilter   *filter;
	BfError		error;
	const char *s;
	Py_ssize_t	len;

	if (!PyUnicode_Check(input))
		return from_buffer(type, input, reader);
	s = PyUnicode_AsUTF8AndSize(input, &len);
	if (s == NULL)
	{
		if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
		{
			PyErr_Clear();
			bf_raise_problem(bf_object_module(type), &bf_not_utf8, -1);
		}
		return NULL;
	}
	Py_BEGIN_ALLOW_THREADS
	filter = reader((const uint8_t *) s, (size_t) len, &error);
	Py_END_ALLOW_THREADS
	return bf_object_make(type, filter, &error);
}

PyObject *
bf_form_from_bytes(PyObject *type, PyObject *input)
{
	if (PyUnicode_Check(input))
	{
		PyErr_SetString(PyExc_TypeError, "data must be bytes, not str: "
						"from_text() reads the text form, parse() any");
		return NULL;
	}
	return from_buffer((PyTypeObject *) type, input, bf_filter_from_bytes);
}

PyObject *
bf_form_from_text(PyObject *type, PyObject *input)
{
	return from_input((PyTypeObject *) type, input, read_text);
}

PyObject *
bf_form_parse(PyObject *type, PyObject *input)
{
	return from_input((PyTypeObject *) type, input, bf_filter_parse);
}

PyObject *
bf_form_to_bytes(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	PyObject   *result;

	(void) unused;
	if (!bf_lock_begin_read(&self->lock))
		return NULL;
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

PyObject *
bf_form_to_text(PyObject *object, PyObject *unused)
{
	BfObject   *self = (BfObject *) object;
	PyObject   *result = NULL;
	BfError		error;
	char	   *text;
	size_t		len = 0;

	(void) unused;
	if (!bf_lock_begin_write(&self->lock))
		return NULL;
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
