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

/* Names of attributes, which are looked up faster if they are made once. */
typedef enum BfName
{
	BF_NAME_BYTES,
	BF_NAME_DAYS,
	BF_NAME_HOUR,
	BF_NAME_INT,
	BF_NAME_MICROSECOND,
	BF_NAME_MICROSECONDS,
	BF_NAME_MINUTE,
	BF_NAME_NANOSECOND,
	BF_NAME_SECOND,
	BF_NAME_SECONDS,
	BF_NAME_TOORDINAL,
	BF_NAME_TZINFO,
	BF_NAME_UTCOFFSET,
	BF_NAMES
} BfName;

/* What the module looked up when it was loaded. */
typedef struct BfModule
{
	PyObject   *names[BF_NAMES];
	PyObject   *half_uuid;		/* 64, the bits of half a uuid */
	PyObject   *epoch_date;		/* 2000-01-01 */
	PyObject   *epoch;			/* the same at 00:00, without a time zone */
	PyObject   *epoch_utc;		/* and in UTC */
	PyTypeObject *uuid;			/* uuid.UUID */
	PyTypeObject *date;			/* datetime.date, time and datetime */
	PyTypeObject *time;
	PyTypeObject *datetime;
	PyObject   *make_error;		/* errors.make_error() */
	PyObject   *statement;		/* one that does nothing, compiled */
	PyObject   *variables;		/* of it */
	PyTypeObject *filter;		/* our own type */
} BfModule;

/* An attribute, as a new reference; NULL with an exception set. */
static inline PyObject *
bf_attribute(const BfModule *module, PyObject *object, BfName name)
{
	return PyObject_GetAttr(object, module->names[name]);
}

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
