/*-------------------------------------------------------------------------
 *
 * conversion.c
 *		Conversion between the database encoding and UTF-8.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "mb/pg_wchar.h"

#include "type/hashing/conversion.h"

bool
bf_needs_conversion(void)
{
	return GetDatabaseEncoding() != PG_UTF8;
}

char *
bf_to_utf8(const char *text, size_t len)
{
	char	   *result;

	if (GetDatabaseEncoding() == PG_SQL_ASCII)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("text that is not ASCII cannot be in a bloomfilter of a SQL_ASCII database"),
				 errdetail("Its encoding is not known, so a database with another encoding could hash the same text differently."),
				 errhint("Use convert_to(value, 'SQL_ASCII'), which is bytea, or a database with another encoding.")));
	result = (char *) pg_do_encoding_conversion((unsigned char *) unconstify(char *, text),
												(int) len, GetDatabaseEncoding(), PG_UTF8);
	return result == text ? pnstrdup(text, len) : result;
}

static char *
try_convert(const char *text, size_t len, int from, int to)
{
	Oid			function;
	Size		room = len * MAX_CONVERSION_GROWTH + 1;
	char	   *result;

	if (!bf_needs_conversion() || GetDatabaseEncoding() == PG_SQL_ASCII || bf_is_ascii(text, len))
		return pnstrdup(text, len);
	function = FindDefaultConversionProc(from, to);
	if (!OidIsValid(function))
		return NULL;
	result = palloc(room);
	if (pg_do_encoding_conversion_buf(function, from, to,
									  (unsigned char *) unconstify(char *, text), (int) len,
									  (unsigned char *) result, (int) room, true) < (int) len)
		return NULL;
	return result;
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
