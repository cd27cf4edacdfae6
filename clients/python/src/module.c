/*-------------------------------------------------------------------------
 *
 * module.c
 *		The module pg_bloomfilter._core.
 *
 *-------------------------------------------------------------------------
 */
#include "methods.h"

/* An attribute of a module, as a new reference. */
static PyObject *
import(const char *module_name, const char *name)
{
	PyObject   *module = PyImport_ImportModule(module_name);
	PyObject   *attribute;

	if (module == NULL)
		return NULL;
	attribute = PyObject_GetAttrString(module, name);
	Py_DECREF(module);
	return attribute;
}

/* Indexed by BfName. */
static const char *const names[BF_NAMES] =
{
	"bytes", "days", "hour", "int", "microsecond", "microseconds", "minute", "nanosecond",
	"second", "seconds", "toordinal", "tzinfo", "utcoffset"
};

/* Returns false, with an exception set, if there are not all of them. */
static bool
make_epochs(BfModule *module)
{
	PyObject   *utc = NULL;
	PyObject   *zone = import("datetime", "timezone");

	if (zone != NULL)
		utc = PyObject_GetAttrString(zone, "utc");
	Py_XDECREF(zone);
	if (utc == NULL)
		return false;
	module->epoch_date = PyObject_CallFunction((PyObject *) module->date, "iii", 2000, 1, 1);
	module->epoch = PyObject_CallFunction((PyObject *) module->datetime, "iii", 2000, 1, 1);
	module->epoch_utc = PyObject_CallFunction((PyObject *) module->datetime, "iiiiiiiO",
											  2000, 1, 1, 0, 0, 0, 0, utc);
	Py_DECREF(utc);
	return module->epoch_date != NULL && module->epoch != NULL && module->epoch_utc != NULL;
}

static bool
make_names(BfModule *module)
{
	int			i;

	for (i = 0; i < BF_NAMES; i++)
	{
		module->names[i] = PyUnicode_InternFromString(names[i]);
		if (module->names[i] == NULL)
			return false;
	}
	module->half_uuid = PyLong_FromLong(64);
	return module->half_uuid != NULL;
}

static int
module_exec(PyObject *object)
{
	BfModule   *module = PyModule_GetState(object);

	bf_clients_init();
	if (!bf_lock_watch_forks())
		return -1;
	module->uuid = (PyTypeObject *) import("uuid", "UUID");
	module->date = (PyTypeObject *) import("datetime", "date");
	module->time = (PyTypeObject *) import("datetime", "time");
	module->datetime = (PyTypeObject *) import("datetime", "datetime");
	module->make_error = import("pg_bloomfilter.errors", "make_error");
	module->statement = Py_CompileString("pass", "pg_bloomfilter", Py_file_input);
	module->variables = PyDict_New();
	module->filter = (PyTypeObject *) PyType_FromModuleAndSpec(object, &bf_methods_spec, NULL);
	if (module->uuid == NULL || module->date == NULL || module->time == NULL ||
		module->datetime == NULL || module->make_error == NULL || module->statement == NULL ||
		module->variables == NULL || module->filter == NULL || !make_names(module) ||
		!make_epochs(module))
		return -1;
	return PyModule_AddType(object, module->filter);
}

static int
module_traverse(PyObject *object, visitproc visit, void *arg)
{
	BfModule   *module = PyModule_GetState(object);
	int			i;

	for (i = 0; i < BF_NAMES; i++)
		Py_VISIT(module->names[i]);
	Py_VISIT(module->half_uuid);
	Py_VISIT(module->epoch_date);
	Py_VISIT(module->epoch);
	Py_VISIT(module->epoch_utc);
	Py_VISIT(module->uuid);
	Py_VISIT(module->date);
	Py_VISIT(module->time);
	Py_VISIT(module->datetime);
	Py_VISIT(module->make_error);
	Py_VISIT(module->statement);
	Py_VISIT(module->variables);
	Py_VISIT(module->filter);
	return 0;
}

static int
module_clear(PyObject *object)
{
	BfModule   *module = PyModule_GetState(object);
	int			i;

	for (i = 0; i < BF_NAMES; i++)
		Py_CLEAR(module->names[i]);
	Py_CLEAR(module->half_uuid);
	Py_CLEAR(module->epoch_date);
	Py_CLEAR(module->epoch);
	Py_CLEAR(module->epoch_utc);
	Py_CLEAR(module->uuid);
	Py_CLEAR(module->date);
	Py_CLEAR(module->time);
	Py_CLEAR(module->datetime);
	Py_CLEAR(module->make_error);
	Py_CLEAR(module->statement);
	Py_CLEAR(module->variables);
	Py_CLEAR(module->filter);
	return 0;
}

static PyModuleDef_Slot slots[] = {
	{Py_mod_exec, (void *) module_exec},
	{0}
};

static PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "pg_bloomfilter._core",
	.m_size = sizeof(BfModule),
	.m_slots = slots,
	.m_traverse = module_traverse,
	.m_clear = module_clear
};

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC
PyInit__core(void)
{
	return PyModuleDef_Init(&definition);
}
