/*-------------------------------------------------------------------------
 *
 * info.c
 *		bloom_info of a counting filter: that of a bloomfilter, and the stuck
 *		counters.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "compat.h"
#include "counting/counters.h"
#include "type/sql/info.h"

BF_SQL_FUNCTION(counting_bloomfilter_info);

/*
 * The number of stuck counters; for a list, that of its counters if it had
 * any.
 */
static uint64_t
stuck_counters(const BfView *view)
{
	const BfHeader *header = &view->header;
	uint64_t	stuck = 0;
	uint8_t		block[BF_COUNTER_BLOCK_BYTES];
	uint64_t	i = 0;

	if (header->representation == BF_DENSE)
		return bf_counters_stuck(view->data, header->blocks);
	while (i < header->count)
	{
		uint32_t	index = bf_block_index(bf_load_u64(view->data + 8 * i), header->blocks);

		CHECK_FOR_INTERRUPTS();
		bf_list_make_counters(header, view->data, index, &i, block);
		stuck += bf_counters_stuck(block, 1);
	}
	return stuck;
}

Datum
counting_bloomfilter_info(PG_FUNCTION_ARGS)
{
	Datum		values[BF_INFO_COLUMNS + 1];
	bool		nulls[BF_INFO_COLUMNS + 1];
	BfView		view;

	bf_view_open(BF_COUNTING, &view, PG_GETARG_DATUM(0));
	bf_info_columns(&view, values, nulls);
	values[BF_INFO_COLUMNS] = Int64GetDatum((int64) stuck_counters(&view));
	nulls[BF_INFO_COLUMNS] = false;
	bf_view_close(&view);
	PG_RETURN_DATUM(bf_info_row(fcinfo, values, nulls));
}
