/*-------------------------------------------------------------------------
 *
 * form.h
 *		A filter's binary and text forms, from Python's objects and to them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_FORM_H
#define BF_FORM_H

#include "object.h"

/* Methods of the class, as object.c documents them. */
extern PyObject *bf_form_from_bytes(PyObject *type, PyObject *input);
extern PyObject *bf_form_from_text(PyObject *type, PyObject *input);
extern PyObject *bf_form_parse(PyObject *type, PyObject *input);
extern PyObject *bf_form_to_bytes(PyObject *object, PyObject *unused);
extern PyObject *bf_form_to_text(PyObject *object, PyObject *unused);

#endif							/* BF_FORM_H */
