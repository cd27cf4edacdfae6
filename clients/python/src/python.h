/*-------------------------------------------------------------------------
 *
 * python.h
 *		Python's stable ABI, and what all files of the module share: its state
 *		and its errors.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_PYTHON_H
#define BF_PYTHON_H

/* 3.11 is the first that has the buffer protocol in the stable ABI. */
#define Py_LIMITED_API	0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "core/format.h"
#include "kind.h"

/* What the module looked up when it was loaded. */
typedef struct BfModule
{
	PyTypeObject *uuid;			/* uuid.UUID */
	PyTypeObject *date;			/* datetime.date, time and datetime */
	PyTypeObject *time;
	PyTypeObject *datetime;
	PyObject   *make_error;		/* errors.make_error() */
	PyTypeObject *filter;		/* our own type */
} BfModule;

/*
 * Raise the exception for the SQLSTATE.  The texts are in UTF-8; detail and
 * hint may be NULL.  Returns -1.
 */
extern int	bf_raise(const BfModule *module, const char *sqlstate, const char *message,
					 const char *detail, const char *hint);

/* For a value that has no hash; with its position, unless that is negative. */
extern int	bf_raise_problem(const BfModule *module, const BfProblem *problem,
							 Py_ssize_t position);

/* For values of a type that has no family here.  The detail may be NULL. */
extern int	bf_raise_no_element(const BfModule *module, const char *type_name,
								const char *detail);

/* For a kind of value that cannot be of the family that was named. */
extern int	bf_raise_wrong_kind(const BfModule *module, BfKind kind, BfFamily wanted);

#endif							/* BF_PYTHON_H */
