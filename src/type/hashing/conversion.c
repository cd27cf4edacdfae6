/*-------------------------------------------------------------------------
 *
 * conversion.c
 *		Conversion between the database encoding and UTF-8.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_conversion.h"
#include "catalog/pg_namespace_d.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"

#include "type/hashing/conversion.h"

bool
bf_needs_conversion(void)
{
	return GetDatabaseEncoding() != PG_UTF8;
}

/*
 * Only by the server's own conversion.  A default conversion that a user made is
 * the default where search_path names its schema first: by that, a value could
 * have another hash in one session than in others.
 */
static char *
convert(const char *text, size_t len, int from, int to, bool no_error)
{
	Oid			function = FindDefaultConversion(PG_CATALOG_NAMESPACE, from, to);
	char	   *result;
	int			converted;

	if (!OidIsValid(function))
	{
		if (no_error)
			return NULL;
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("text that is not ASCII cannot be in a bloomfilter of a %s database",
						GetDatabaseEncodingName()),
				 errdetail("Text is hashed as UTF8, to which the server does not convert this encoding."),
				 errhint("Use bytea, or a database with another encoding.")));
	}
	result = MemoryContextAllocHuge(CurrentMemoryContext, len * MAX_CONVERSION_GROWTH + 1);
	converted = DatumGetInt32(OidFunctionCall6(function, Int32GetDatum(from), Int32GetDatum(to),
											   CStringGetDatum(text), CStringGetDatum(result),
											   Int32GetDatum((int) len), BoolGetDatum(no_error)));
	return no_error && converted < (int) len ? NULL : result;
}

char *
bf_to_utf8(const char *text, size_t len)
{
	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("text that is not ASCII cannot be in a bloomfilter of a SQL_ASCII database"),
				 errdetail("Its encoding is not known, so a database with another encoding could hash the same text differently."),
				 errhint("Use convert_to(value, 'SQL_ASCII'), which is bytea, or a database with another encoding.")));
	return convert(text, len, GetDatabaseEncoding(), PG_UTF8, false);
}

static char *
try_convert(const char *text, size_t len, int from, int to)
{
	if (!bf_needs_conversion() || GetDatabaseEncoding() == PG_SQL_ASCII || bf_is_ascii(text, len))
		return pnstrdup(text, len);
	return convert(text, len, from, to, true);
}

char *
bf_try_to_utf8(const char *text, size_t len)
{
	return try_convert(text, len, GetDatabaseEncoding(), PG_UTF8);
}

char *
bf_try_from_utf8(const char *text, size_t len)
{
	return try_convert(text, len, PG_UTF8, GetDatabaseEncoding());
}
