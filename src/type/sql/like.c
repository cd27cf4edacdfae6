/*-------------------------------------------------------------------------
 *
 * like.c
 *		Filters with the same parameters: create one like another, and check
 *		whether two can be combined.
 *
 * Only the header is used, and of a filter out of line only the header is
 * read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "fmgr.h"

#include "type/hashing/compatible.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/sql/functions.h"
#include "type/stored/toast.h"

BF_SQL_FUNCTION(bloomfilter_create_like);
BF_SQL_FUNCTION(bloomfilter_compatible);

/*
 * The header of a filter, whatever form its datum has.  Pending changes may be
 * missing from its count.  Returns what the caller must free when header->name
 * is no longer used, or NULL.
 */
static void *
read_header(BfFilterType type, Datum filter, BfHeader *header)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(filter);
	struct varlena *start;

	if (VARATT_IS_EXTERNAL_EXPANDED(value))
	{
		*header = bf_expanded_get_as(type, filter)->header;
		return NULL;
	}
	start = detoast_attr_slice(value, 0, BF_HEADER_SLICE);
	bf_stored_header_read(type, (const uint8_t *) VARDATA_ANY(start),
						  toast_raw_datum_size(filter) - VARHDRSZ, header);
	return start;
}

Datum
bf_sql_create_like(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfHeader	header;
	void	   *allocated = read_header(type, PG_GETARG_DATUM(0), &header);
	uint8_t    *data;

	if (header.representation != BF_UNSIZED)
		header.representation = BF_SPARSE;
	header.count = 0;
	/* a filter without values has no family */
	header.family = BF_FAMILY_NONE;
	header.environment = 0;
	header.name = NULL;
	header.name_len = 0;
	if (allocated != NULL)
		pfree(allocated);
	PG_RETURN_POINTER(bf_flat_create(&header, &data));
}

Datum
bloomfilter_create_like(PG_FUNCTION_ARGS)
{
	return bf_sql_create_like(BF_PLAIN, fcinfo);
}

Datum
bf_sql_compatible(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfHeader	a;
	BfHeader	b;
	void	   *allocated_a = read_header(type, PG_GETARG_DATUM(0), &a);
	void	   *allocated_b = read_header(type, PG_GETARG_DATUM(1), &b);
	bool		result = bf_combinable(&a, &b);

	if (allocated_a != NULL)
		pfree(allocated_a);
	if (allocated_b != NULL)
		pfree(allocated_b);
	PG_RETURN_BOOL(result);
}

Datum
bloomfilter_compatible(PG_FUNCTION_ARGS)
{
	return bf_sql_compatible(BF_PLAIN, fcinfo);
}
