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

/* The type, to be added to the module. */
extern PyType_Spec bf_object_spec;

/* Raise the exception for the error.  Returns -1. */
extern int	bf_object_raise(const BfObject *self, const BfError *error);

#endif							/* BF_OBJECT_H */
