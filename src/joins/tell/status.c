/*-------------------------------------------------------------------------
 *
 * status.c
 *		Tells whether sessions have join filters: bloom_join_filter_status().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/guc.h"
#include "utils/varlena.h"

#include "compat.h"
#include "settings.h"

BF_SQL_FUNCTION(bloomfilter_join_filter_status);

/* The columns of bloom_join_filter_status. */
enum
{
	SETTING, SOURCE, PRELOADED_BY, REJECTED_VALUE, NCOLUMNS
};

/* Where the setting's value comes from. */
#define SOURCE_QUERY \
	"SELECT source FROM pg_catalog.pg_settings" \
	" WHERE name OPERATOR(pg_catalog.=) 'bloomfilter.join_filters'"

/*
 * A setting as ALTER ROLE and ALTER DATABASE give it to new sessions of this
 * user in this database, the most specific first, as the server ranks them.
 */
#define NEW_SESSIONS_QUERY \
	"SELECT pg_catalog.regexp_replace(setting, '^[^=]*=', '')" \
	" FROM pg_catalog.pg_db_role_setting, pg_catalog.unnest(setconfig) AS setting" \
	" WHERE pg_catalog.split_part(setting, '=', 1) OPERATOR(pg_catalog.=) '%s'" \
	" AND setrole OPERATOR(pg_catalog.=) ANY ('{0,%u}'::pg_catalog.oid[])" \
	" AND setdatabase OPERATOR(pg_catalog.=) ANY ('{0,%u}'::pg_catalog.oid[])" \
	" ORDER BY setrole OPERATOR(pg_catalog.=) 0, setdatabase OPERATOR(pg_catalog.=) 0 LIMIT 1"

/* The value that a query returns; NULL if there is none. */
static char *
query_value(const char *query)
{
	if (SPI_execute(query, true, 1) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed: %s", query);
	return SPI_processed == 0 ? NULL :
		SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
}

/* Is a file's name this library's, in any directory, with or without suffix? */
static bool
is_this_library(const char *file)
{
	const char *name = last_dir_separator(file);

	name = name == NULL ? file : name + 1;
	return strcmp(name, "bloomfilter") == 0 || strcmp(name, "bloomfilter" DLSUFFIX) == 0;
}

static bool
lists_this_library(const char *setting)
{
	List	   *files;
	ListCell   *lc;

	if (setting == NULL || !SplitDirectoriesString(pstrdup(setting), ',', &files))
		return false;
	foreach(lc, files)
		if (is_this_library(lfirst(lc)))
			return true;
	return false;
}

/* The value of a setting in new sessions, as far as this session can tell. */
static const char *
in_new_sessions(const char *name, const char *here)
{
	const char *value = query_value(psprintf(NEW_SESSIONS_QUERY, name, GetSessionUserId(),
											 MyDatabaseId));

	return value != NULL ? value : here;
}

/* The setting that loads the library in new sessions; NULL if none does. */
static const char *
preloaded_by(void)
{
	const struct
	{
		const char *name;
		const char *here;
	}			settings[] = {
		{"session_preload_libraries", session_preload_libraries_string},
		{"local_preload_libraries", local_preload_libraries_string}
	};
	int			i;

	/* this setting changes only when the server is restarted */
	if (lists_this_library(shared_preload_libraries_string))
		return "shared_preload_libraries";
	for (i = 0; i < (int) lengthof(settings); i++)
		if (lists_this_library(in_new_sessions(settings[i].name, settings[i].here)))
			return settings[i].name;
	return NULL;
}

Datum
bloomfilter_join_filter_status(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	const char *values[NCOLUMNS];
	HeapTuple	tuple;
	Datum		result;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	values[SETTING] = GetConfigOption("bloomfilter.join_filters", false, false);
	values[SOURCE] = query_value(SOURCE_QUERY);
	values[PRELOADED_BY] = preloaded_by();
	values[REJECTED_VALUE] = bf_rejected_join_filters;
	tuple = BuildTupleFromCStrings(TupleDescGetAttInMetadata(tupdesc), (char **) values);
	result = PointerGetDatum(SPI_returntuple(tuple, tupdesc));
	SPI_finish();
	PG_RETURN_DATUM(result);
}
