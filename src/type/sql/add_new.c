/*-------------------------------------------------------------------------
 *
 * add_new.c
 *		Adding values, and returning those that are new.
 *
 * Values are processed in the order of the array, and each value is tested
 * before it is added.  So a value that occurs twice is new only once, and a
 * value that is returned as new was certainly neither in the filter nor
 * earlier in the array.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "type/hashing/callsite.h"
#include "type/hashing/element.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/sql/change.h"

BF_SQL_FUNCTION(bloomfilter_add_new);

/*
 * Add a hash and return true, unless the filter contains it.  Nothing may be
 * pending in the filter, and nothing is afterwards.
 */
static bool
add_if_new(BfExpanded *filter, uint64_t hash)
{
	const BfHeader *header = &filter->header;
	const BfBody *body = filter->body;
	bool		found;

	Assert(filter->npending == 0);
	if (header->representation == BF_DENSE)
		found = bf_block_contains_fast(body->blocks + bf_block_offset(hash, header->blocks),
									   hash, header->hashes);
	else
		found = bf_hashset_contains(&body->set, hash);
	if (found)
		return false;
	bf_expanded_add(filter, hash);
	bf_expanded_flush(filter);
	return true;
}

/*
 * Add the elements, and move the new ones to the front of the array.  Returns
 * the number of new elements.
 */
static int
add_elements(BfExpanded *filter, const BfElement *element, BfArray *elements)
{
	int			nnew = 0;
	int			next = 0;

	bf_expanded_flush(filter);
	while (next < elements->n)
	{
		uint64_t	hashes[BF_PENDING];
		int			places[BF_PENDING];
		int			n = 0;
		int			i;

		CHECK_FOR_INTERRUPTS();
		/* in batches, so that the cache misses overlap */
		for (; next < elements->n && n < BF_PENDING; next++)
		{
			if (elements->nulls[next])
				continue;
			bf_expanded_accept(filter, element);
			hashes[n] = bf_hash_value(element, bf_strips_blanks(&filter->header),
									  elements->values[next],
									  (uint64_t) filter->header.seed);
			bf_expanded_prefetch(filter, hashes[n]);
			places[n++] = next;
		}
		for (i = 0; i < n; i++)
		{
			if (add_if_new(filter, hashes[i]))
				elements->values[nnew++] = elements->values[places[i]];
		}
	}
	return nnew;
}

/* A one-dimensional array of the first n elements. */
static ArrayType *
array_of_first(const BfArray *elements, int n, Oid typid)
{
	int16		len;
	bool		byval;
	char		align;

	get_typlenbyvalalign(typid, &len, &byval, &align);
	return construct_array(elements->values, n, typid, len, byval, align);
}

/*
 * The row contains copies of the filter and of the new values.  Each fits into
 * memory, but both together must fit as well.
 */
static void
require_row_fits(BfExpanded *filter, const ArrayType *new_values)
{
	Size		size = EOH_get_flat_size(&filter->hdr) + VARSIZE(new_values);

	/* headers and padding are less than a page */
	if (size > MaxAllocSize - BLCKSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("filter and new values do not fit into one row"),
				 errdetail("They take %zu bytes, and a row has room for %zu.",
						   size, (Size) (MaxAllocSize - BLCKSZ)),
				 errhint("Add the values in several arrays, one after the other.")));
}

/*
 * Add the elements of an array to the filter in *result.  Sets *result to the
 * new filter, and *new_values to an array of the new elements.
 */
static void
add_array(FunctionCallInfo fcinfo, ArrayType *array, Datum *result, ArrayType **new_values)
{
	BfArray		elements;
	BfExpanded *filter;
	int			nnew;

	if (!bf_array_open(&elements, array))
	{
		*new_values = construct_empty_array(ARR_ELEMTYPE(array));
		return;
	}
	filter = bf_expanded_derive(BF_PLAIN, *result);
	nnew = add_elements(filter, bf_call_site_of_array(fcinfo, array, sizeof(BfElement)),
						&elements);
	*new_values = array_of_first(&elements, nnew, ARR_ELEMTYPE(array));
	require_row_fits(filter, *new_values);
	*result = EOHPGetRODatum(&filter->hdr);
}

Datum
bloomfilter_add_new(PG_FUNCTION_ARGS)
{
	enum
	{
		FILTER, NEW_VALUES, NCOLUMNS
	};
	TupleDesc	tupdesc;
	Datum		columns[NCOLUMNS];
	bool		nulls[NCOLUMNS] = {false};

	if (PG_ARGISNULL(0))
	{
		BfArray		elements;

		if (!PG_ARGISNULL(1) && bf_array_open(&elements, PG_GETARG_ARRAYTYPE_P(1)))
			bf_refuse_null_filter(BF_PLAIN);
		PG_RETURN_NULL();
	}
	/* the types of the columns are those of the call's expression */
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("function returning record called in context that cannot accept type record")));

	columns[FILTER] = PG_GETARG_DATUM(0);
	nulls[NEW_VALUES] = PG_ARGISNULL(1);
	if (!nulls[NEW_VALUES])
	{
		ArrayType  *new_values;

		add_array(fcinfo, PG_GETARG_ARRAYTYPE_P(1), &columns[FILTER], &new_values);
		columns[NEW_VALUES] = PointerGetDatum(new_values);
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(tupdesc, columns, nulls)));
}
