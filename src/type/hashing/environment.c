/*-------------------------------------------------------------------------
 *
 * environment.c
 *		What the hash of a type with its own hash function depends on besides
 *		the value.
 *
 * A filter must be refused where its values would have other hashes, and
 * should be accepted everywhere else.  So the dependencies of the server's own
 * types were read from the source of their hash functions.  Arrays and ranges
 * are hashed by the hashes of their elements or bounds; all other hash
 * functions end in one of these:
 *
 *		hash_uint32_extended()	of a number: the same everywhere
 *		hash_any_extended()		of bytes, which it reads as words: depends on
 *								the machine's byte order, and for a string on
 *								the database encoding
 *
 * Of other types' hash functions nothing is known.  For them, everything is
 * recorded on which a function written in good faith may depend, and the
 * function as well.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_database.h"
#include "catalog/pg_language_d.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_range.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/*
 * If the server is built with ICU, this header includes ICU's headers, which
 * may not be installed.  What is used from it here does not depend on them.
 */
#undef USE_ICU
#include "utils/pg_locale.h"

#include "compat.h"
#include "core/format.h"
#include "core/hash.h"
#include "type/hashing/environment.h"
#include "type/hashing/generation.h"
#include "type/hashing/own_hash.h"

/* What a hash may depend on. */
#define BYTE_ORDER_OF_MACHINE	0x01
#define SIGN_OF_CHAR			0x02
#define DATABASE_ENCODING		0x04

/* The server's own types that have an extended hash function. */
static const struct
{
	Oid			typid;
	int			dependencies;
}			known_types[] =
{
	/* by their value, with hash_uint32_extended() */
	{BOOLOID, 0},
	{INT2OID, 0},
	{INT4OID, 0},
	{INT8OID, 0},
	{OIDOID, 0},
#ifdef OID8OID					/* 19 and newer */
	{OID8OID, 0},
#endif
	{DATEOID, 0},
	{TIMEOID, 0},
	{TIMETZOID, 0},
	{TIMESTAMPOID, 0},
	{TIMESTAMPTZOID, 0},
	{INTERVALOID, 0},
	{PG_LSNOID, 0},
	{CIDOID, 0},
	{XIDOID, 0},
	{XID8OID, 0},
	/* 32-bit words, which hash_any_extended() reads as words */
	{OIDVECTOROID, 0},
	/* converted from char to int */
	{CHAROID, SIGN_OF_CHAR},
	/* bytes, or numbers as bytes, with hash_any_extended() */
	{FLOAT4OID, BYTE_ORDER_OF_MACHINE},
	{FLOAT8OID, BYTE_ORDER_OF_MACHINE},
	{NUMERICOID, BYTE_ORDER_OF_MACHINE},
	{BYTEAOID, BYTE_ORDER_OF_MACHINE},
	{UUIDOID, BYTE_ORDER_OF_MACHINE},
	{INETOID, BYTE_ORDER_OF_MACHINE},
	{CIDROID, BYTE_ORDER_OF_MACHINE},
	{MACADDROID, BYTE_ORDER_OF_MACHINE},
	{MACADDR8OID, BYTE_ORDER_OF_MACHINE},
	{TIDOID, BYTE_ORDER_OF_MACHINE},
	/* strings under deterministic collations; JSON also contains numeric */
	{TEXTOID, BYTE_ORDER_OF_MACHINE | DATABASE_ENCODING},
	{VARCHAROID, BYTE_ORDER_OF_MACHINE | DATABASE_ENCODING},
	{BPCHAROID, BYTE_ORDER_OF_MACHINE | DATABASE_ENCODING},
	{NAMEOID, BYTE_ORDER_OF_MACHINE | DATABASE_ENCODING},
	{JSONBOID, BYTE_ORDER_OF_MACHINE | DATABASE_ENCODING},
};

/* What was found about a type and its parts. */
typedef struct Findings
{
	int			dependencies;
	StringInfoData tagged;		/* the tag is a hash of this */
} Findings;

static void find_dependencies(Findings *findings, Oid typid);

/* Append a string and a zero byte; for NULL only the zero byte. */
static void
append_string(StringInfo buf, const char *string)
{
	if (string != NULL)
		appendStringInfoString(buf, string);
	appendStringInfoChar(buf, '\0');
}

/* ---------- locales ---------- */

/* The columns that describe a locale, in pg_database or in pg_collation. */
typedef struct LocaleColumns
{
	int			cacheid;
	AttrNumber	collate;
	AttrNumber	ctype;
	AttrNumber	locale;
	AttrNumber	rules;
} LocaleColumns;

static const LocaleColumns database_columns = {
	DATABASEOID, Anum_pg_database_datcollate, Anum_pg_database_datctype,
	BF_ANUM_DATABASE_LOCALE, BF_ANUM_DATABASE_RULES
};

static const LocaleColumns collation_columns = {
	COLLOID, Anum_pg_collation_collcollate, Anum_pg_collation_collctype,
	BF_ANUM_COLLATION_LOCALE, BF_ANUM_COLLATION_RULES
};

static char *
text_column(const LocaleColumns *columns, HeapTuple tuple, AttrNumber attribute)
{
	bool		isnull = true;
	Datum		value = (Datum) 0;

	if (attribute != InvalidAttrNumber)
		value = SysCacheGetAttr(columns->cacheid, tuple, attribute, &isnull);
	return isnull ? NULL : TextDatumGetCString(value);
}

/* Is it a libc locale in which characters are just bytes? */
static bool
is_c_locale(const char *name)
{
	return name == NULL || pg_strcasecmp(name, "C") == 0 || pg_strcasecmp(name, "POSIX") == 0;
}

/*
 * The current version of the provider's rules for the order and the case of
 * characters; NULL if they cannot change, or if the provider does not report a
 * version.
 *
 * The server's version of a collation covers only the order.
 */
static const char *
rules_version(char provider, const char *collate, const char *ctype, const char *locale)
{
	if (provider == COLLPROVIDER_LIBC)
	{
		if (is_c_locale(collate) && is_c_locale(ctype))
			return NULL;
#ifdef __GLIBC__
		return gnu_get_libc_version();
#else
		return get_collation_actual_version(provider, is_c_locale(ctype) ? collate : ctype);
#endif
	}
#ifdef COLLPROVIDER_BUILTIN
	if (provider == COLLPROVIDER_BUILTIN)
		return strcmp(locale, "C") == 0 ? NULL : PG_UNICODE_VERSION;
#endif
	return get_collation_actual_version(provider, locale);
}

static void
append_locale(StringInfo buf, const LocaleColumns *columns, HeapTuple tuple, char provider,
			  bool with_version)
{
	char	   *collate = text_column(columns, tuple, columns->collate);
	char	   *ctype = text_column(columns, tuple, columns->ctype);
	char	   *locale = text_column(columns, tuple, columns->locale);

	appendStringInfoChar(buf, provider);
	appendStringInfoChar(buf, '\0');
	append_string(buf, collate);
	append_string(buf, ctype);
	append_string(buf, locale);
	append_string(buf, text_column(columns, tuple, columns->rules));
	append_string(buf, with_version ? rules_version(provider, collate, ctype, locale) : NULL);
}

static void
append_database_locale(StringInfo buf, bool with_version)
{
	HeapTuple	tuple = SearchSysCache1(DATABASEOID, ObjectIdGetDatum(MyDatabaseId));

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for database %u", MyDatabaseId);
	append_string(buf, "locale");
	append_locale(buf, &database_columns, tuple,
				  ((Form_pg_database) GETSTRUCT(tuple))->datlocprovider, with_version);
	ReleaseSysCache(tuple);
}

/* Append what distinguishes a collation from others. */
static void
append_collation(StringInfo buf, Oid collation)
{
	HeapTuple	tuple;
	Form_pg_collation form;

	if (collation == DEFAULT_COLLATION_OID)
	{
		append_database_locale(buf, true);
		return;
	}
	bf_watch(COLLOID, collation);
	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for collation %u", collation);
	form = (Form_pg_collation) GETSTRUCT(tuple);
	append_string(buf, "collation");
	append_string(buf, bf_qualified_name(form->collnamespace, NameStr(form->collname)));
	append_locale(buf, &collation_columns, tuple, form->collprovider, true);
	ReleaseSysCache(tuple);
}

/* ---------- types ---------- */

/*
 * Append a function's qualified name; an empty string if there is no function.
 */
static void
append_function(StringInfo buf, Oid function)
{
	if (OidIsValid(function))
	{
		bf_watch(PROCOID, function);
		append_string(buf, bf_qualified_name(get_func_namespace(function),
											 get_func_name(function)));
	}
	else
		append_string(buf, NULL);
}

/*
 * A user can drop a range type and create another one of the same name while
 * filters of the dropped type are stored.  The server's own range types never
 * change.
 */
static void
find_in_range(Findings *findings, Oid typid)
{
	HeapTuple	tuple;
	Form_pg_range form;
	Oid			subtype;

	bf_watch(RANGETYPE, typid);
	tuple = SearchSysCache1(RANGETYPE, ObjectIdGetDatum(typid));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for range type %u", typid);
	form = (Form_pg_range) GETSTRUCT(tuple);
	subtype = getBaseType(form->rngsubtype);
	if (typid >= FirstNormalObjectId)
	{
		append_string(&findings->tagged, "range");
		append_string(&findings->tagged, bf_own_hash_name(subtype));
		append_function(&findings->tagged, form->rngcanonical);
		if (OidIsValid(form->rngcollation))
			append_collation(&findings->tagged, form->rngcollation);
	}
	ReleaseSysCache(tuple);
	find_dependencies(findings, subtype);
}

/*
 * The name of a library without directory, suffix and version, however its
 * file is given: as in "$libdir/postgis-3".
 */
static char *
library_name(const char *file)
{
	const char *slash = last_dir_separator(file);
	char	   *name = pstrdup(slash != NULL ? slash + 1 : file);
	char	   *suffix = strstr(name, DLSUFFIX);
	char	   *dash;

	if (suffix != NULL && suffix[strlen(DLSUFFIX)] == '\0')
		*suffix = '\0';
	dash = strrchr(name, '-');
	if (dash != NULL && dash[1] != '\0' && dash[1 + strspn(dash + 1, "0123456789.")] == '\0')
		*dash = '\0';
	return name;
}

/*
 * Append the function's argument type, unless it is the hashed type.
 * Functions with other argument types may have the same name and text, but
 * their calls mean something else.
 */
static void
append_argument(StringInfo buf, Oid typid, Oid argument)
{
	if (argument == typid)
		return;
	append_string(buf, "argument");
	append_string(buf, bf_own_hash_name(argument));
}

/*
 * Append the language, unless it is one of these three: no text is valid in
 * two of them.
 */
static void
append_language(StringInfo buf, Oid language)
{
	if (language == INTERNALlanguageId || language == ClanguageId || language == SQLlanguageId)
		return;
	bf_watch(LANGOID, language);
	append_string(buf, "language");
	append_string(buf, get_language_name(language, false));
}

/* Append the settings that the function runs with. */
static void
append_settings(StringInfo buf, Datum settings)
{
	Datum	   *elements;
	int			n;
	int			i;

	deconstruct_array(DatumGetArrayTypeP(settings), TEXTOID, -1, false, TYPALIGN_INT,
					  &elements, NULL, &n);
	for (i = 0; i < n; i++)
	{
		append_string(buf, "set");
		append_string(buf, TextDatumGetCString(elements[i]));
	}
}

/* Append what distinguishes the function's definition from others. */
static void
append_definition(StringInfo buf, Oid typid, Oid function)
{
	HeapTuple	tuple;
	Form_pg_proc form;
	bool		isnull;
	Datum		value;

	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	form = (Form_pg_proc) GETSTRUCT(tuple);

	/* prosrc is empty then, and prosqlbody contains OIDs */
	if (!heap_attisnull(tuple, Anum_pg_proc_prosqlbody, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values of type %s cannot be in a bloomfilter", format_type_be(typid)),
				 errdetail("The body of its hash function %s is not a string, so a filter cannot tell whether the function was replaced.",
						   get_func_name(function)),
				 errhint("Write the body as a string, AS $$ ... $$.")));

	value = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &isnull);
	append_string(buf, isnull ? NULL : TextDatumGetCString(value));
	value = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_probin, &isnull);
	append_string(buf, isnull ? NULL : library_name(TextDatumGetCString(value)));
	append_argument(buf, typid, form->proargtypes.values[0]);
	append_language(buf, form->prolang);
	value = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_proconfig, &isnull);
	if (!isnull)
		append_settings(buf, value);
	ReleaseSysCache(tuple);
}

/*
 * A type that is not the server's.  Its hash function may be replaced by a
 * function of another name, of the same name with another text, or in another
 * C library, or may be given other settings.
 */
static void
find_in_unknown(Findings *findings, Oid typid, Oid function)
{
	findings->dependencies = BYTE_ORDER_OF_MACHINE | SIGN_OF_CHAR | DATABASE_ENCODING;
	append_string(&findings->tagged, "type");
	append_function(&findings->tagged, function);
	append_definition(&findings->tagged, typid, function);

	/* it may use the locale; rules matter only to a collatable type */
	append_database_locale(&findings->tagged, type_is_collatable(typid));
}

/* Is it one of the server's types, hashed by one of the server's functions? */
static bool
find_in_known_types(Findings *findings, Oid typid, Oid function)
{
	size_t		i;

	if (function >= FirstNormalObjectId)
		return false;
	for (i = 0; i < lengthof(known_types); i++)
		if (known_types[i].typid == typid)
		{
			findings->dependencies |= known_types[i].dependencies;
			return true;
		}
	return false;
}

/*
 * Add what the hash of the type depends on.  Whether an array or range is
 * hashed by its parts is decided by its hash function: a type may have one of
 * its own.
 */
static void
find_dependencies(Findings *findings, Oid typid)
{
	Oid			function;

	check_stack_depth();
	typid = getBaseType(typid);
	function = bf_own_hash_function(typid);
	switch (function)
	{
		case F_HASH_ARRAY_EXTENDED:
			find_dependencies(findings, get_element_type(typid));
			break;
		case F_HASH_RANGE_EXTENDED:
			find_in_range(findings, typid);
			break;
		case F_HASH_MULTIRANGE_EXTENDED:
			find_in_range(findings, get_multirange_range(typid));
			break;
		default:
			if (!find_in_known_types(findings, typid, function))
				find_in_unknown(findings, typid, function);
			break;
	}
}

/* 48 bits of a hash of the tagged string; 0 means that it is empty. */
static uint64
tag_of(const StringInfoData *tagged)
{
	uint64		tag;

	if (tagged->len == 0)
		return 0;
	tag = bf_xxh3(tagged->data, tagged->len, 0) >> 16;
	return tag != 0 ? tag : 1;
}

uint64
bf_own_hash_environment(Oid typid)
{
#ifdef WORDS_BIGENDIAN
	const int	byte_order = BF_BIG_ENDIAN;
#else
	const int	byte_order = BF_LITTLE_ENDIAN;
#endif
	const int	char_sign = CHAR_MIN < 0 ? BF_SIGNED_CHAR : BF_UNSIGNED_CHAR;
	Findings	findings = {0};
	uint64		tag;

	initStringInfo(&findings.tagged);
	find_dependencies(&findings, typid);
	tag = tag_of(&findings.tagged);
	pfree(findings.tagged.data);
	return BF_ENVIRONMENT((findings.dependencies & BYTE_ORDER_OF_MACHINE) ? byte_order : 0,
						  (findings.dependencies & SIGN_OF_CHAR) ? char_sign : 0,
						  (findings.dependencies & DATABASE_ENCODING) ? GetDatabaseEncoding() + 1 : 0,
						  tag);
}

/* ---------- words ---------- */

/* Append to a comma-separated list. */
static void
append_words(StringInfo list, const char *words)
{
	appendStringInfo(list, "%s%s", list->len > 0 ? ", " : "", words);
}

static const char *
encoding_in_words(uint64 environment)
{
	int			encoding = BF_ENVIRONMENT_ENCODING(environment) - 1;

	if (encoding < 0)
		return "no encoding";
	if (!PG_VALID_ENCODING(encoding))
		return psprintf("unknown encoding %d", encoding);
	return psprintf("encoding %s", pg_encoding_to_char(encoding));
}

static const char *
tag_in_words(uint64 environment)
{
	uint64		tag = BF_ENVIRONMENT_TAG(environment);

	if (tag == 0)
		return "no locale or definition of the type";
	return psprintf("locale and definition of the type (tag %012llx)",
					(unsigned long long) tag);
}

char *
bf_environment_in_words(uint64 environment, uint64 other)
{
	/* a header with other numbers is not valid */
	static const char *const byte_orders[] = {
		"no byte order", "little-endian byte order", "big-endian byte order"
	};
	static const char *const char_signs[] = {
		"no signedness of char", "signed char", "unsigned char"
	};
	StringInfoData list;

	initStringInfo(&list);
	if (BF_ENVIRONMENT_BYTE_ORDER(environment) != BF_ENVIRONMENT_BYTE_ORDER(other))
		append_words(&list, byte_orders[BF_ENVIRONMENT_BYTE_ORDER(environment)]);
	if (BF_ENVIRONMENT_CHAR(environment) != BF_ENVIRONMENT_CHAR(other))
		append_words(&list, char_signs[BF_ENVIRONMENT_CHAR(environment)]);
	if (BF_ENVIRONMENT_ENCODING(environment) != BF_ENVIRONMENT_ENCODING(other))
		append_words(&list, encoding_in_words(environment));
	if (BF_ENVIRONMENT_TAG(environment) != BF_ENVIRONMENT_TAG(other))
		append_words(&list, tag_in_words(environment));
	return list.data;
}
