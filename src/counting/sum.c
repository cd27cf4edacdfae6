/*-------------------------------------------------------------------------
 *
 * sum.c
 *		Sums and differences of counting filters.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "core/blocks.h"
#include "counting/changes.h"
#include "counting/counters.h"
#include "counting/sum.h"
#include "type/hashing/compatible.h"
#include "type/sql/change.h"
#include "type/sql/functions.h"
#include "type/sql/setops.h"

BF_SQL_FUNCTION(counting_bloomfilter_sum);
BF_SQL_FUNCTION(counting_bloomfilter_difference);

/* Turn our filter into counters that no other object shares. */
static void
require_counters(BfExpanded *filter)
{
	bf_expanded_unshare(filter);
	bf_expanded_flush(filter);
	if (filter->header.representation != BF_DENSE)
		bf_counting_densify(filter);
}

/*
 * Add all hashes of a list to our filter as often as they are in the list, or
 * remove them.
 */
static void
change_by_list(BfExpanded *filter, const BfView *list, int sign)
{
	const uint8_t *counts = bf_list_counts(&list->header, list->data);
	uint64_t	i;

	for (i = 0; i < list->header.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		bf_expanded_change(filter, bf_load_u64(list->data + 8 * i), sign * counts[i]);
	}
}

void
bf_counting_sum(BfExpanded *filter, const BfView *other)
{
	bf_expanded_combine_header(filter, other);
	if (other->header.representation != BF_DENSE)
	{
		change_by_list(filter, other, 1);
		return;
	}
	require_counters(filter);
	bf_counters_add(filter->body->blocks, other->data, filter->header.blocks);
}

/* ---------- differences ---------- */

BF_NORETURN static void
report_not_contained(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("cannot subtract a counting_bloomfilter that the other does not contain"),
			 errdetail("It holds a value more often than the filter that it is subtracted from."),
			 errhint("Subtract only what was added.")));
}

/* Is the filter empty now? */
static bool
is_empty(const BfView *filter)
{
	const BfHeader *header = &filter->header;

	if (header->representation != BF_DENSE)
		return header->count == 0;
	return bf_blocks_popcount(filter->data,
							  header->blocks * (BF_COUNTER_BLOCK_BYTES / BF_BLOCK_BYTES)) == 0;
}

/* Subtract a list from a list. */
static void
subtract_list(BfExpanded *filter, const BfView *other)
{
	const uint8_t *counts = bf_list_counts(&other->header, other->data);
	uint64_t	i;

	for (i = 0; i < other->header.count; i++)
	{
		uint64_t	hash = bf_load_u64(other->data + 8 * i);

		CHECK_FOR_INTERRUPTS();
		if (!bf_may_subtract_count(bf_expanded_count_in_list(filter, hash), counts[i]))
			report_not_contained();
	}
	change_by_list(filter, other, -1);
}

/* Subtract a list from counters: only the blocks of its hashes are read. */
static void
subtract_list_from_blocks(BfExpanded *filter, const BfView *other)
{
	const BfHeader *header = &other->header;
	uint64_t	i = 0;

	while (i < header->count)
	{
		uint32_t	index = bf_block_index(bf_load_u64(other->data + 8 * i), header->blocks);
		uint8_t		block[BF_COUNTER_BLOCK_BYTES];

		bf_list_make_counters(header, other->data, index, &i, block);
		if (!bf_counters_subtract(filter->body->blocks + (size_t) index * BF_COUNTER_BLOCK_BYTES,
								  block, 1))
			report_not_contained();
	}
}

/*
 * Subtract another filter from ours, which has just been derived.  Ours keeps
 * its header.  So a + b - b is a, unless a counter is stuck.
 */
static void
subtract(BfExpanded *filter, const BfView *other)
{
	bf_require_combinable(&filter->header, &other->header);
	if (filter->header.family == BF_FAMILY_NONE)
	{
		/* our filter has no counters, and gets none */
		if (!is_empty(other))
			report_not_contained();
		return;
	}
	bf_expanded_flush(filter);
	if (other->header.representation == BF_DENSE)
	{
		require_counters(filter);
		if (!bf_counters_subtract(filter->body->blocks, other->data, filter->header.blocks))
			report_not_contained();
	}
	else if (filter->header.representation != BF_DENSE)
		subtract_list(filter, other);
	else
	{
		bf_expanded_unshare(filter);
		subtract_list_from_blocks(filter, other);
	}
}

/* ---------- functions ---------- */

/* Combine the first argument with the second. */
static Datum
combine_arguments(FunctionCallInfo fcinfo, BfCombine combine)
{
	BfExpanded *result;
	BfView		other;

	bf_view_open(BF_COUNTING, &other, PG_GETARG_DATUM(1));
	result = bf_change_begin(BF_COUNTING, fcinfo);
	combine(result, &other);
	bf_view_close(&other);
	PG_RETURN_DATUM(EOHPGetRWDatum(&result->hdr));
}

Datum
counting_bloomfilter_sum(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0) && PG_ARGISNULL(1))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_DATUM(bf_change_nothing(BF_COUNTING, fcinfo, PG_ARGISNULL(0) ? 1 : 0));
	return combine_arguments(fcinfo, bf_counting_sum);
}

Datum
counting_bloomfilter_difference(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0) && PG_ARGISNULL(1))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(0))
		bf_refuse_null_filter(BF_COUNTING);
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(bf_change_nothing(BF_COUNTING, fcinfo, 0));
	return combine_arguments(fcinfo, subtract);
}
