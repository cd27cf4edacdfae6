/*-------------------------------------------------------------------------
 *
 * add_new.c
 *		Adding values and telling which of them are new.
 *
 * Values are taken in the order of the array, and each is tested before it is
 * added: so one that comes twice is new once, and what is called new was
 * certainly neither in the filter nor before it in the array.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "type/blocks.h"
#include "type/callsite.h"
#include "type/element.h"
#include "type/expanded.h"

BF_SQL_FUNCTION(bloomfilter_add_new);

/*
 * Add a hash and return true, unless the filter contains it.  Nothing may be
 * pending, and nothing is afterwards.
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
 * Add the elements, and move those that are new to the front.  Returns their
 * number.
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
		/* so many at a time that their cache misses overlap */
		for (; next < elements->n && n < BF_PENDING; next++)
		{
			/* no value, no family */
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

/* An array of one dimension with the first n elements of this one. */
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
 * A row with a copy of both columns.  Each of them fits into memory, but they
 * have to do so together.
 */
static Datum
make_row(TupleDesc tupdesc, Datum *columns, bool *nulls)
{
	Size		size = heap_compute_data_size(tupdesc, columns, nulls);

	/* besides data a tuple has headers, which are less than a page */
	if (size > MaxAllocSize - BLCKSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("filter and new values do not fit into one row"),
				 errdetail("They take %zu bytes, and a row has room for %zu.",
						   size, MaxAllocSize - BLCKSZ),
				 errhint("Add the values in several arrays, one after the other.")));
	return HeapTupleGetDatum(heap_form_tuple(tupdesc, columns, nulls));
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
		PG_RETURN_NULL();
	/* the types of the columns are those of the call's expression */
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("function returning record called in context that cannot accept type record")));

	columns[FILTER] = PG_GETARG_DATUM(0);
	nulls[NEW_VALUES] = PG_ARGISNULL(1);
	if (!nulls[NEW_VALUES])
	{
		ArrayType  *array = PG_GETARG_ARRAYTYPE_P(1);
		BfElement  *element = bf_call_site_of_array(fcinfo, array, sizeof(BfElement));
		BfExpanded *filter = bf_expanded_derive(columns[FILTER]);
		BfArray		elements;
		int			nnew;

		bf_array_open(&elements, array);
		nnew = add_elements(filter, element, &elements);
		columns[FILTER] = EOHPGetRODatum(&filter->hdr);
		columns[NEW_VALUES] = PointerGetDatum(array_of_first(&elements, nnew, ARR_ELEMTYPE(array)));
	}
	PG_RETURN_DATUM(make_row(tupdesc, columns, nulls));
}
