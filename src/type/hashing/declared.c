/*-------------------------------------------------------------------------
 *
 * declared.c
 *		Whether a column has the type that another server assumes.
 *
 * The user who creates a foreign table declares its columns.  The declared
 * types may differ from those of the remote table, and most pairs of types
 * work, because values are sent as text.  Hashes do not work: a char(n) that
 * is declared as text arrives with its blanks, a float4 declared as float8
 * arrives as another number, and a value may be cut to the declared length.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "nodes/nodeFuncs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "type/hashing/declared.h"
#include "type/hashing/element.h"

/*
 * The types whose values reach another server unchanged.  Not name, whose
 * length may differ between servers, and not "char", a byte in no encoding.
 */
static bool
travels_unchanged(Oid base)
{
	switch (base)
	{
		case BOOLOID:
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case BYTEAOID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case UUIDOID:
		case OIDOID:
			return true;
		default:
			return false;
	}
}

char *
bf_declared_name(Oid typid, int32 typmod)
{
	Oid			base = getBaseTypeAndTypmod(typid, &typmod);

	if (!travels_unchanged(base))
		return NULL;
	return format_type_extended(base, typmod,
								FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY);
}

/*
 * Does each value of the type have the same hash as the declared type's value?
 */
static bool
widens_to(Oid base, const char *declared)
{
	switch (base)
	{
		case INT2OID:
			return strcmp(declared, "integer") == 0 || strcmp(declared, "bigint") == 0;
		case INT4OID:
			return strcmp(declared, "bigint") == 0;
		case TEXTOID:
			return strcmp(declared, "character varying") == 0;
		case VARCHAROID:
			return strcmp(declared, "character varying") == 0 ||
				strcmp(declared, "pg_catalog.text") == 0;
		default:
			return false;
	}
}

bool
bf_argument_is_declared(FunctionCallInfo fcinfo, int argno, const text *name)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, argno);
	Node	   *call = fcinfo->flinfo->fn_expr;
	char	   *declared = text_to_cstring(name);
	BfElement	element;
	int32		typmod;
	char	   *actual;

	if (!OidIsValid(typid) || call == NULL || !IsA(call, FuncExpr) ||
		!bf_element_init_plain(&element, typid, PG_GET_COLLATION()))
		return false;
	typmod = exprTypmod(list_nth(((FuncExpr *) call)->args, argno));
	actual = bf_declared_name(typid, typmod);
	return actual != NULL &&
		(strcmp(actual, declared) == 0 || widens_to(getBaseType(typid), declared));
}
