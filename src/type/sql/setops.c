/*-------------------------------------------------------------------------
 *
 * setops.c
 *		Union and intersection.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "type/hashing/compatible.h"
#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/plain.h"
#include "type/sql/change.h"
#include "type/sql/setops.h"

BF_SQL_FUNCTION(bloomfilter_union);
BF_SQL_FUNCTION(bloomfilter_intersection);

void
bf_expanded_combine_header(BfExpanded *filter, const BfView *other)
{
	BfHeader	header = filter->header;

	bf_require_combinable(&header, &other->header);
	bf_combine_headers(&header, &other->header);
	/* the header's name is the object's own, or the other filter's */
	if (header.name == filter->header.name)
		filter->header = header;
	else
		bf_expanded_set_header(filter, header);
}

/*
 * Add a list to a shared body, as pending hashes: a short list then does not
 * require a copy of the body.
 */
static void
add_list_pending(BfExpanded *filter, const BfView *other)
{
	uint64_t	i;

	for (i = 0; i < other->header.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		bf_expanded_add(filter, bf_load_u64(other->data + 8 * i));
	}
}

static void
unite_with_blocks(BfExpanded *filter, const BfView *other)
{
	bf_expanded_unshare(filter);
	bf_expanded_flush(filter);
	if (filter->header.representation != BF_DENSE)
		bf_plain_densify(filter);
	Assert(!bf_is_shared(filter));
	bf_blocks_or(filter->body->blocks, other->data, filter->header.blocks);
}

void
bf_expanded_union(BfExpanded *filter, const BfView *other)
{
	bf_expanded_combine_header(filter, other);
	if (other->header.representation == BF_DENSE)
		unite_with_blocks(filter, other);
	else if (bf_is_shared(filter))
		add_list_pending(filter, other);
	else
		bf_plain_add_list(filter, other->data, other->header.count);
	bf_expanded_check_limit(filter);
}

/* Remove the hashes from our list that the other filter does not contain. */
static void
intersect_list(BfExpanded *filter, const BfView *other)
{
	BfBody	   *kept = bf_plain_begin_list(filter);
	BfHashSetScan scan;
	uint64_t	hashes[BF_SCAN_BATCH];
	int			n;

	bf_hashset_scan_begin(&scan, &filter->body->set);
	while ((n = bf_hashset_scan_next(&scan, hashes)) > 0)
	{
		int			nkept = 0;
		int			i;

		CHECK_FOR_INTERRUPTS();
		for (i = 0; i < n; i++)
			if (bf_view_contains(other, hashes[i]))
				hashes[nkept++] = hashes[i];
		bf_hashset_insert(&kept->set, hashes, nkept);
	}
	bf_plain_end_list(filter, kept);
}

/* Replace our blocks by the hashes of the other's list that they contain. */
static void
intersect_with_list(BfExpanded *filter, const BfView *other)
{
	BfBody	   *kept = bf_plain_begin_list(filter);
	uint64_t	i;

	for (i = 0; i < other->header.count; i++)
	{
		uint64_t	hash = bf_load_u64(other->data + 8 * i);

		CHECK_FOR_INTERRUPTS();
		if (bf_data_contains(&filter->header, filter->body->blocks, hash))
			bf_hashset_insert(&kept->set, &hash, 1);
	}
	bf_plain_end_list(filter, kept);
}

static void
intersect_blocks(BfExpanded *filter, const BfView *other)
{
	bf_expanded_unshare(filter);
	Assert(!bf_is_shared(filter));
	bf_blocks_and(filter->body->blocks, other->data, filter->header.blocks);
}

void
bf_expanded_intersect(BfExpanded *filter, const BfView *other)
{
	bf_expanded_combine_header(filter, other);
	bf_expanded_flush(filter);
	if (filter->header.representation != BF_DENSE)
		intersect_list(filter, other);
	else if (other->header.representation != BF_DENSE)
		intersect_with_list(filter, other);
	else
		intersect_blocks(filter, other);
}

Datum
bloomfilter_union(PG_FUNCTION_ARGS)
{
	BfExpanded *result;
	BfView		other;

	if (PG_ARGISNULL(0) && PG_ARGISNULL(1))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_DATUM(bf_change_nothing(BF_PLAIN, fcinfo, PG_ARGISNULL(0) ? 1 : 0));

	bf_view_open(BF_PLAIN, &other, PG_GETARG_DATUM(1));
	result = bf_change_begin(BF_PLAIN, fcinfo);
	bf_expanded_union(result, &other);
	bf_view_close(&other);
	PG_RETURN_DATUM(EOHPGetRWDatum(&result->hdr));
}

Datum
bloomfilter_intersection(PG_FUNCTION_ARGS)
{
	BfExpanded *result;
	BfView		other;

	bf_view_open(BF_PLAIN, &other, PG_GETARG_DATUM(1));
	result = bf_change_begin(BF_PLAIN, fcinfo);
	bf_expanded_intersect(result, &other);
	bf_view_close(&other);
	PG_RETURN_DATUM(EOHPGetRWDatum(&result->hdr));
}
