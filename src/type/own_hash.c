/*-------------------------------------------------------------------------
 *
 * own_hash.c
 *		What is recorded of a type that is hashed by its own function: its
 *		name, and what its hash depends on beyond the value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_database.h"
#include "catalog/pg_range.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "core/format.h"
#include "type/element.h"
#include "type/own_hash.h"

char *
bf_convert_encoding(const char *text, size_t len, int from, int to)
{
	char	   *result;

	result = (char *) pg_do_encoding_conversion((unsigned char *) unconstify(char *, text),
												(int) len, from, to);
	return result == text ? pnstrdup(text, len) : result;
}

/* Quote what is no plain lower-case identifier; keywords need not be. */
static void
append_identifier(StringInfo buf, const char *identifier)
{
	size_t		len = strlen(identifier);
	const char *c;
	bool		plain = !(identifier[0] >= '0' && identifier[0] <= '9') &&
		identifier[0] != '$' &&
		strspn(identifier, "abcdefghijklmnopqrstuvwxyz0123456789_$") == len;

	if (plain)
	{
		appendStringInfoString(buf, identifier);
		return;
	}
	appendStringInfoChar(buf, '"');
	for (c = identifier; *c != '\0'; c++)
	{
		if (*c == '"')
			appendStringInfoChar(buf, '"');
		appendStringInfoChar(buf, *c);
	}
	appendStringInfoChar(buf, '"');
}

/*
 * A name with that of its schema in front and the suffix behind, in UTF-8.
 */
static char *
qualified_name(Oid schema, const char *name, const char *suffix)
{
	char	   *schema_name = get_namespace_name(schema);
	StringInfoData buf;

	if (schema_name == NULL)
		elog(ERROR, "cache lookup failed for namespace %u", schema);
	initStringInfo(&buf);
	append_identifier(&buf, schema_name);
	appendStringInfoChar(&buf, '.');
	append_identifier(&buf, name);
	appendStringInfoString(&buf, suffix);

	/* what is no text in UTF-8 is found out by the caller */
	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		return buf.data;
	return bf_convert_encoding(buf.data, buf.len, GetDatabaseEncoding(), PG_UTF8);
}

char *
bf_own_hash_name(Oid typid)
{
	Oid			element = get_element_type(typid);
	bool		is_array = OidIsValid(element) && get_array_type(element) == typid;
	Oid			named = is_array ? getBaseType(element) : typid;
	HeapTuple	tuple;
	Form_pg_type form;
	char	   *result;

	/* "=" is the same for them */
	if (is_array && named == VARCHAROID)
		named = TEXTOID;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(named));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", named);
	form = (Form_pg_type) GETSTRUCT(tuple);
	result = qualified_name(form->typnamespace, NameStr(form->typname), is_array ? "[]" : "");
	ReleaseSysCache(tuple);
	return result;
}

/*
 * Append what lower() and comparison under the default collation depend on.
 */
static void
append_locale(StringInfo buf)
{
	HeapTuple	tuple;
	int			attributes[] = {
		Anum_pg_database_datlocprovider,
		Anum_pg_database_datcollate,
		Anum_pg_database_datctype,
		BF_ANUM_DATABASE_LOCALE
	};
	size_t		i;

	tuple = SearchSysCache1(DATABASEOID, ObjectIdGetDatum(MyDatabaseId));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for database %u", MyDatabaseId);
	for (i = 0; i < lengthof(attributes); i++)
	{
		bool		isnull;
		Datum		value = SysCacheGetAttr(DATABASEOID, tuple, attributes[i], &isnull);

		if (isnull)
			continue;
		if (attributes[i] == Anum_pg_database_datlocprovider)
			appendStringInfoChar(buf, DatumGetChar(value));
		else
			appendStringInfoString(buf, TextDatumGetCString(value));
		appendStringInfoChar(buf, '\0');
	}
	ReleaseSysCache(tuple);
}

/*
 * May the type's hash depend on the database's locale?  Any collatable type
 * may look at it, and so may whatever such a type is part of.
 */
static bool
depends_on_locale(Oid typid)
{
	Oid			element;

	check_stack_depth();
	typid = getBaseType(typid);
	element = get_element_type(typid);
	if (OidIsValid(element))
		return depends_on_locale(element);
	switch (get_typtype(typid))
	{
		case TYPTYPE_RANGE:
			return depends_on_locale(get_range_subtype(typid));
		case TYPTYPE_MULTIRANGE:
			return depends_on_locale(get_multirange_range(typid));
		default:
			return type_is_collatable(typid);
	}
}

/* Append the qualified name of a range type's canonical function, if any. */
static void
append_canonical_function(StringInfo buf, Oid typid)
{
	HeapTuple	tuple = SearchSysCache1(RANGETYPE, ObjectIdGetDatum(typid));
	RegProcedure function;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for range type %u", typid);
	function = ((Form_pg_range) GETSTRUCT(tuple))->rngcanonical;
	ReleaseSysCache(tuple);
	if (RegProcedureIsValid(function))
		appendStringInfoString(buf, qualified_name(get_func_namespace(function),
												   get_func_name(function), ""));
	appendStringInfoChar(buf, '\0');
}

/*
 * Append what the ranges in a type are made of, if users made them: such a
 * type can be dropped, and made anew of something else, while filters of it
 * are stored.
 */
static void
append_definition(StringInfo buf, Oid typid)
{
	Oid			element;

	check_stack_depth();
	typid = getBaseType(typid);
	element = get_element_type(typid);
	if (OidIsValid(element))
		append_definition(buf, element);
	else if (get_typtype(typid) == TYPTYPE_MULTIRANGE)
		append_definition(buf, get_multirange_range(typid));
	else if (get_typtype(typid) == TYPTYPE_RANGE && typid >= FirstNormalObjectId)
	{
		Oid			subtype = getBaseType(get_range_subtype(typid));

		appendStringInfoString(buf, bf_own_hash_name(subtype));
		appendStringInfoChar(buf, '\0');
		append_canonical_function(buf, typid);
		append_definition(buf, subtype);
	}
}

/*
 * A 32-bit tag of what the type's hash depends on beyond byte order and
 * encoding; 0 for nothing.
 */
static uint32_t
dependency_tag(Oid typid)
{
	StringInfoData buf;
	uint32_t	tag = 0;

	initStringInfo(&buf);
	if (depends_on_locale(typid))
		append_locale(&buf);
	append_definition(&buf, typid);
	if (buf.len > 0)
		tag = (uint32_t) (XXH3_64bits_withSeed(buf.data, buf.len, 0) >> 32);
	pfree(buf.data);
	return tag;
}

uint64_t
bf_own_hash_environment(Oid typid)
{
#ifdef WORDS_BIGENDIAN
	const uint64_t byte_order = BF_BIG_ENDIAN;
#else
	const uint64_t byte_order = BF_LITTLE_ENDIAN;
#endif

	return byte_order | (uint64_t) GetDatabaseEncoding() << 8 |
		(uint64_t) dependency_tag(typid) << 32;
}

const char *
bf_environment_description(uint64_t environment)
{
	const char *order = BF_ENVIRONMENT_BYTE_ORDER(environment) == BF_LITTLE_ENDIAN ?
		"little-endian" : "big-endian";
	int			encoding = BF_ENVIRONMENT_ENCODING(environment);
	const char *encoding_name = PG_VALID_ENCODING(encoding) ?
		pg_encoding_to_char(encoding) : "unknown";

	if (BF_ENVIRONMENT_TAG(environment) == 0)
		return psprintf("%s byte order and encoding %s", order, encoding_name);
	return psprintf("%s byte order, encoding %s and the database locale or type definition with tag %08x",
					order, encoding_name, BF_ENVIRONMENT_TAG(environment));
}
