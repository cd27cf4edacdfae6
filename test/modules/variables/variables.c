/*-------------------------------------------------------------------------
 *
 * variables.c
 *		Asks src/compat.h whether an expanded object is in a variable.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

#include "compat.h"

PG_MODULE_MAGIC;

BF_SQL_FUNCTION(is_in_variable);

/* NULL if the argument is no expanded object, or nobody can take it over. */
Datum
is_in_variable(PG_FUNCTION_ARGS)
{
	Datum		value = PG_GETARG_DATUM(0);
	ExpandedObjectHeader *object;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		PG_RETURN_NULL();
	object = DatumGetEOHP(value);
	if (object->eoh_context == NULL)
		PG_RETURN_NULL();
	PG_RETURN_BOOL(BF_HOLDS_PLPGSQL_VARIABLES(MemoryContextGetParent(object->eoh_context)));
}
