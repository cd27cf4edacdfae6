/*-------------------------------------------------------------------------
 *
 * create.c
 *		bloom_set_create: making the table of a set.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_type_d.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/varlena.h"

#include "compat.h"
#include "sets/head.h"
#include "sets/layout.h"
#include "type/sql/params.h"

BF_SQL_FUNCTION(bloomfilter_set_create);

static void
run(const char *sql)
{
	int			result = SPI_execute(sql, false, 0);

	if (result < 0)
		elog(ERROR, "could not execute \"%s\": %s", sql, SPI_result_code_string(result));
}

/*
 * Rows are stored as they are: TOAST would write more, and compression would
 * make them grow as values are added.
 */
static void
create_table(const char *table)
{
	run(psprintf("CREATE TABLE %s (segment pg_catalog.int4 PRIMARY KEY, filter pg_catalog.bytea NOT NULL)"
				 " WITH (fillfactor = %d)", table, BF_SET_FILLFACTOR));
	run(psprintf("ALTER TABLE %s ALTER COLUMN filter SET STORAGE PLAIN", table));
	run(psprintf("COMMENT ON TABLE %s IS 'A set of bloomfilter: bloom_set_add adds values, bloom_set_contains tests them,"
				 " bloom_set_clear takes them out. Its rows must not be changed by hand.'", table));
}

/* Insert n segments from the first one on, with this row. */
static void
insert_rows(const char *table, int32 first, int32 n, bytea *row)
{
	char	   *sql = psprintf("INSERT INTO %s (segment, filter)"
							   " SELECT s, $3 FROM pg_catalog.generate_series($1, $2) AS s", table);
	Oid			types[] = {INT4OID, INT4OID, BYTEAOID};
	Datum		arguments[] = {
		Int32GetDatum(first), Int32GetDatum(first + n - 1), PointerGetDatum(row)
	};
	int			result = SPI_execute_with_args(sql, lengthof(types), types, arguments, NULL, false, 0);

	if (result < 0)
		elog(ERROR, "could not execute \"%s\": %s", sql, SPI_result_code_string(result));
}

/* A row without values. */
static bytea *
empty_row(Size bytes)
{
	bytea	   *row = palloc0(VARHDRSZ + bytes);

	SET_VARSIZE(row, VARHDRSZ + bytes);
	return row;
}

static void
insert_all_rows(const char *table, const BfHeader *header)
{
	int32		segments = bf_set_segments(header->blocks);
	BfSetHead	head;

	bf_set_head_make(&head, header);
	insert_rows(table, BF_SET_HEAD, 1, head.row);
	insert_rows(table, 1, segments - 1, empty_row(BF_SET_BLOCKS * BF_BLOCK_BYTES));
	insert_rows(table, segments, 1, empty_row(bf_set_segment_bytes(segments, header->blocks)));
}

Datum
bloomfilter_set_create(PG_FUNCTION_ARGS)
{
	RangeVar   *name = makeRangeVarFromNameList(textToQualifiedNameList(PG_GETARG_TEXT_PP(0)));
	BfHeader	header;
	Oid			schema;
	char	   *table;
	Oid			oid;

	bf_sized_header(BF_PLAIN, &header, PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2), PG_GETARG_INT64(3));
	/* where CREATE TABLE would put it; by its own name the table might not be found */
	schema = RangeVarGetCreationNamespace(name);
	SPI_connect();
	table = quote_qualified_identifier(get_namespace_name(schema), name->relname);
	create_table(table);
	insert_all_rows(table, &header);
	oid = get_relname_relid(name->relname, schema);
	SPI_finish();
	PG_RETURN_OID(oid);
}
