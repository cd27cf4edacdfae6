/*-------------------------------------------------------------------------
 *
 * build.c
 *		Creating filters and adding values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/hashing/callsite.h"
#include "type/hashing/compatible.h"
#include "type/hashing/element.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/sql/change.h"
#include "type/sql/functions.h"
#include "type/sql/params.h"
#include "type/stored/view.h"

BF_SQL_FUNCTION(bloomfilter_size);

static Datum
create(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfHeader	header;
	uint8_t    *data;

	bf_sized_header(type, &header, PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1), PG_GETARG_INT64(2));
	PG_RETURN_POINTER(bf_flat_create(&header, &data));
}

static Datum
create_like(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfHeader	header;
	void	   *allocated = bf_view_header(type, PG_GETARG_DATUM(0), &header);
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

/* Add a value to a filter that may be changed. */
static void
add_value(BfExpanded *filter, const BfElement *element, Datum value)
{
	uint64_t	hash;

	bf_expanded_accept(filter, element);
	hash = bf_hash_value(element, bf_strips_blanks(&filter->header), value,
						 (uint64_t) filter->header.seed);
	if (filter->header.type == BF_COUNTING)
		bf_expanded_change(filter, hash, 1);
	else
		bf_expanded_add(filter, hash);
}

/* The first argument unchanged, even if it is null: no value is lost. */
static Datum
nothing_to_change(BfFilterType type, FunctionCallInfo fcinfo)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(bf_change_nothing(type, fcinfo, 0));
}

Datum
bf_sql_change(BfFilterType type, FunctionCallInfo fcinfo, BfChangeByValue change)
{
	BfElement  *element;
	BfExpanded *filter;

	if (PG_ARGISNULL(1))
		return nothing_to_change(type, fcinfo);
	if (PG_ARGISNULL(0))
		bf_refuse_null_filter(type);

	element = bf_call_site_of_value(fcinfo, 1, sizeof(BfElement));
	filter = bf_change_begin(type, fcinfo);
	change(filter, element, PG_GETARG_DATUM(1));
	bf_expanded_check_limit(filter);
	PG_RETURN_DATUM(EOHPGetRWDatum(&filter->hdr));
}

Datum
bf_sql_change_all(BfFilterType type, FunctionCallInfo fcinfo, BfChangeByValue change)
{
	ArrayType  *array;
	BfArray		elements;
	BfElement  *element;
	BfExpanded *filter;
	int			i;

	if (PG_ARGISNULL(1))
		return nothing_to_change(type, fcinfo);
	array = PG_GETARG_ARRAYTYPE_P(1);
	if (!bf_array_open(&elements, array))
		return nothing_to_change(type, fcinfo);
	if (PG_ARGISNULL(0))
		bf_refuse_null_filter(type);

	element = bf_call_site_of_array(fcinfo, array, sizeof(BfElement));
	filter = bf_change_begin(type, fcinfo);
	for (i = 0; i < elements.n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!elements.nulls[i])
			change(filter, element, elements.values[i]);
	}
	bf_expanded_check_limit(filter);
	PG_RETURN_DATUM(EOHPGetRWDatum(&filter->hdr));
}

static Datum
add(BfFilterType type, FunctionCallInfo fcinfo)
{
	return bf_sql_change(type, fcinfo, add_value);
}

static Datum
add_all(BfFilterType type, FunctionCallInfo fcinfo)
{
	return bf_sql_change_all(type, fcinfo, add_value);
}

BF_SQL_OF_BOTH(create, create);
BF_SQL_OF_BOTH(create_like, create_like);
BF_SQL_OF_BOTH(add, add);
BF_SQL_OF_BOTH(add_all, add_all);

Datum
bloomfilter_size(PG_FUNCTION_ARGS)
{
	BfHeader	header;

	bf_sized_header(BF_PLAIN, &header, PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1), 0);
	header.representation = BF_DENSE;
	PG_RETURN_INT64((int64) bf_flat_size(&header));
}
