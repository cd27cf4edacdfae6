/*-------------------------------------------------------------------------
 *
 * raise.c
 *		Exceptions.  Their classes, and which of them a SQLSTATE has, are
 *		Python's business: pg_bloomfilter/errors.py.
 *
 *-------------------------------------------------------------------------
 */
#include "python.h"

#include <stdio.h>
#include <string.h>

/* Room for a message with the name of a type in it. */
#define MESSAGE_ROOM	512

/* Messages may repeat what they were given, and that was not always UTF-8. */
static PyObject *
decode(const char *s)
{
	if (s == NULL)
		return Py_NewRef(Py_None);
	return PyUnicode_DecodeUTF8(s, (Py_ssize_t) strlen(s), "backslashreplace");
}

int
bf_raise(const BfModule *module, const char *sqlstate, const char *message, const char *detail,
		 const char *hint)
{
	PyObject   *error = PyObject_CallFunction(module->make_error, "sNNN", sqlstate,
											  decode(message), decode(detail), decode(hint));

	if (error != NULL)
	{
		PyErr_SetObject((PyObject *) Py_TYPE(error), error);
		Py_DECREF(error);
	}
	return -1;
}

int
bf_raise_problem(const BfModule *module, const BfProblem *problem, Py_ssize_t position)
{
	char		detail[MESSAGE_ROOM];

	snprintf(detail, sizeof(detail), "It is the value at position %zd.", position);
	return bf_raise(module, problem->sqlstate, problem->message, position < 0 ? NULL : detail,
					problem->hint);
}

int
bf_raise_no_element(const BfModule *module, const char *type_name, const char *detail)
{
	char		message[MESSAGE_ROOM];

	snprintf(message, sizeof(message),
			 "values of type %s cannot be hashed outside of the server", type_name);
	if (strcmp(type_name, "list") == 0 || strcmp(type_name, "tuple") == 0)
		return bf_raise(module, "0A000", message, detail,
						"For its elements, call update() or contains().");
	return bf_raise(module, "0A000", message, detail,
					"Convert the value to int, str, float, bool, bytes, uuid.UUID, datetime.date, "
					"datetime.time or datetime.datetime.");
}

int
bf_raise_wrong_kind(const BfModule *module, BfKind kind, BfFamily wanted)
{
	char		message[MESSAGE_ROOM];

	snprintf(message, sizeof(message), "a value of type %s cannot be of family %s",
			 bf_kind_name(kind), bf_family_name(wanted));
	return bf_raise(module, "42804", message, NULL,
					kind == BF_PY_FLOAT && wanted == BF_FAMILY_INTEGER ? BF_HINT_FLOAT :
					"Convert the value first.");
}
