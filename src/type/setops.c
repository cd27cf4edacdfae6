/*-------------------------------------------------------------------------
 *
 * setops.c
 *		Union and intersection.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/blocks.h"
#include "type/compatible.h"
#include "type/expanded.h"
#include "type/setops.h"

BF_SQL_FUNCTION(bloomfilter_union);
BF_SQL_FUNCTION(bloomfilter_intersection);

/* Prepare to take up another filter: check it and take over its header. */
static void
combine_header(BfExpanded *filter, const BfView *other)
{
	BfHeader	header;

	bf_expanded_flush(filter);
	bf_require_combinable(&filter->header, &other->header);
	bf_expanded_unshare(filter);
	header = filter->header;
	bf_combine_headers(&header, &other->header);
	/* the name is the object's own, or the other filter's */
	if (header.name == filter->header.name)
		filter->header = header;
	else
		bf_expanded_set_header(filter, header);
}

void
bf_expanded_union(BfExpanded *filter, const BfView *other)
{
	combine_header(filter, other);
	if (other->header.representation != BF_DENSE)
	{
		bf_expanded_add_list(filter, other->data, other->header.count);
		bf_expanded_check_limit(filter);
		return;
	}
	if (filter->header.representation != BF_DENSE)
		bf_expanded_densify(filter);
	bf_blocks_or(filter->body->blocks, other->data, filter->header.blocks);
}

/* Replace the body's list by another one. */
static void
replace_set(BfExpanded *filter, const BfHashSet *set)
{
	filter->body->set = *set;
	filter->header.count = bf_hashset_count(set);
}

/* Keep only those hashes of our list that the other filter contains. */
static void
intersect_list(BfExpanded *filter, const BfView *other)
{
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	BfHashSet	kept;
	int			n;

	bf_hashset_init(&kept, filter->body->mcxt);
	bf_hashset_scan_begin(&scan, &filter->body->set);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		int			nkept = 0;
		int			i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
			if (bf_view_contains(other, hashes[i]))
				hashes[nkept++] = hashes[i];
		bf_hashset_insert(&kept, hashes, nkept);
	}
	bf_hashset_free(&filter->body->set);
	replace_set(filter, &kept);
}

/* Replace our blocks by those hashes of the other's list that are in them. */
static void
intersect_with_list(BfExpanded *filter, const BfView *other)
{
	BfHashSet	kept;
	uint64_t	i;

	bf_hashset_init(&kept, filter->body->mcxt);
	for (i = 0; i < other->header.count; i++)
	{
		uint64_t	hash = bf_load_u64(other->data + 8 * i);

		CHECK_FOR_INTERRUPTS();
		if (bf_data_contains(&filter->header, filter->body->blocks, hash))
			bf_hashset_insert(&kept, &hash, 1);
	}
	pfree(filter->body->chunk);
	filter->body->blocks = NULL;
	filter->header.representation = BF_SPARSE;
	replace_set(filter, &kept);
}

void
bf_expanded_intersect(BfExpanded *filter, const BfView *other)
{
	combine_header(filter, other);
	if (filter->header.representation != BF_DENSE)
		intersect_list(filter, other);
	else if (other->header.representation != BF_DENSE)
		intersect_with_list(filter, other);
	else
		bf_blocks_and(filter->body->blocks, other->data, filter->header.blocks);
}

Datum
bloomfilter_union(PG_FUNCTION_ARGS)
{
	BfExpanded *result;
	BfView		other;

	if (PG_ARGISNULL(0) && PG_ARGISNULL(1))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(0))
		PG_RETURN_DATUM(bf_expanded_unchanged(PG_GETARG_DATUM(1), CurrentMemoryContext));
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(bf_expanded_unchanged(PG_GETARG_DATUM(0), CurrentMemoryContext));

	bf_view_open(&other, PG_GETARG_DATUM(1));
	result = bf_expanded_writable(PG_GETARG_DATUM(0), CurrentMemoryContext);
	bf_expanded_union(result, &other);
	bf_view_close(&other);
	PG_RETURN_DATUM(EOHPGetRWDatum(&result->hdr));
}

Datum
bloomfilter_intersection(PG_FUNCTION_ARGS)
{
	BfExpanded *result;
	BfView		other;

	bf_view_open(&other, PG_GETARG_DATUM(1));
	result = bf_expanded_writable(PG_GETARG_DATUM(0), CurrentMemoryContext);
	bf_expanded_intersect(result, &other);
	bf_view_close(&other);
	PG_RETURN_DATUM(EOHPGetRWDatum(&result->hdr));
}
