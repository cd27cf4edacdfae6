/*-------------------------------------------------------------------------
 *
 * whole.h
 *		What is done with whole filters, and what they tell of themselves.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_WHOLE_H
#define BF_WHOLE_H

#include "object.h"

/* Methods and slots of the class, as object.c documents them. */
extern PyObject *bf_whole_copy(PyObject *object, PyObject *unused);
extern PyObject *bf_whole_shrink(PyObject *object, PyObject *factor);
extern PyObject *bf_whole_unite(PyObject *object, PyObject *other);
extern PyObject *bf_whole_intersect(PyObject *object, PyObject *other);
extern PyObject *bf_whole_equal(PyObject *object, PyObject *other);
extern Py_ssize_t bf_whole_length(PyObject *object);
extern int	bf_whole_bool(PyObject *object);
extern PyObject *bf_whole_sizeof(PyObject *object, PyObject *unused);

/*
 * The columns of bloom_info() in their order, and those of them that take no
 * look at the filter's data.
 */
extern PyObject *bf_whole_info(PyObject *object, PyObject *unused);
extern PyObject *bf_whole_summary(PyObject *object, PyObject *unused);

#endif							/* BF_WHOLE_H */
