/*-------------------------------------------------------------------------
 *
 * symbol.c
 *		The C function of the extension that implements an SQL function.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_language_d.h"
#include "catalog/pg_proc.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "compat.h"
#include "type/hashing/symbol.h"

/* module_pathname of bloomfilter.control, as CREATE EXTENSION records it. */
#define LIBRARY		"$libdir/bloomfilter"

/* A column of pg_proc as a string; NULL if it is null. */
static char *
text_column(HeapTuple tuple, AttrNumber attribute)
{
	bool		isnull;
	Datum		value = SysCacheGetAttr(PROCOID, tuple, attribute, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

const char *
bf_symbol(Oid function)
{
	HeapTuple	tuple;
	char	   *library = NULL;
	char	   *result = NULL;

	if (function < FirstNormalObjectId)
		return "";
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return "";
	if (((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId)
		library = text_column(tuple, Anum_pg_proc_probin);
	if (library != NULL && strcmp(library, LIBRARY) == 0)
		result = text_column(tuple, Anum_pg_proc_prosrc);
	ReleaseSysCache(tuple);
	return result != NULL ? result : "";
}
