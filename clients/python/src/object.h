/*-------------------------------------------------------------------------
 *
 * object.h
 *		A filter as an object of Python's.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_OBJECT_H
#define BF_OBJECT_H

#include "python.h"

#include "filter.h"
#include "lock.h"

typedef struct BfObject
{
	PyObject_HEAD
	const BfModule *module;		/* of the type's, which holds it */
	BfFilter   *filter;
	BfLock		lock;
} BfObject;

/* The state of the module whose type this is, or a subclass of. */
extern const BfModule *bf_object_module(PyTypeObject *type);

/*
 * An object for a filter, which is its own from now on; if there is none, NULL
 * and the exception for the error.
 */
extern PyObject *bf_object_make(PyTypeObject *type, BfFilter *filter, const BfError *error);

/* Say that a parameter cannot be what was given.  Returns -1. */
extern int	bf_raise_not_a(const char *wanted, const char *name, PyObject *given);

/* Raise the exception for the error.  Returns -1. */
extern int	bf_object_raise(const BfObject *self, const BfError *error);

#endif							/* BF_OBJECT_H */
