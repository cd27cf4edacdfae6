/*-------------------------------------------------------------------------
 *
 * symbol.c
 *		Which C function of the extension an SQL function is.
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
#include "type/symbol.h"

/* module_pathname of bloomfilter.control, as CREATE EXTENSION records it. */
#define LIBRARY		"$libdir/bloomfilter"

static bool
column_is(HeapTuple tuple, AttrNumber attribute, const char *string)
{
	bool		isnull;
	Datum		value = SysCacheGetAttr(PROCOID, tuple, attribute, &isnull);
	char	   *found;
	bool		result;

	if (isnull)
		return false;
	found = TextDatumGetCString(value);
	result = strcmp(found, string) == 0;
	pfree(found);
	return result;
}

bool
bf_has_symbol(Oid function, const char *symbol)
{
	HeapTuple	tuple;
	bool		result;

	if (function < FirstNormalObjectId)
		return false;
	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		return false;
	result = ((Form_pg_proc) GETSTRUCT(tuple))->prolang == ClanguageId &&
		column_is(tuple, Anum_pg_proc_prosrc, symbol) &&
		column_is(tuple, Anum_pg_proc_probin, LIBRARY);
	ReleaseSysCache(tuple);
	return result;
}
