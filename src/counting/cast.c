/*-------------------------------------------------------------------------
 *
 * cast.c
 *		The cast from counting_bloomfilter to bloomfilter.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "counting/counters.h"
#include "type/memory/flat.h"
#include "type/stored/view.h"

BF_SQL_FUNCTION(counting_bloomfilter_to_bloomfilter);

Datum
counting_bloomfilter_to_bloomfilter(PG_FUNCTION_ARGS)
{
	BfView		view;
	BfHeader	header;
	struct varlena *result;
	uint8_t    *data;

	bf_view_open_as(BF_COUNTING, &view, PG_GETARG_DATUM(0));
	header = view.header;
	header.type = BF_PLAIN;
	result = bf_flat_create(&header, &data);
	if (header.representation == BF_DENSE)
		bf_counters_to_bits(view.data, data, header.blocks);
	else
		memcpy(data, view.data, bf_data_length(&header));
	bf_view_close(&view);
	PG_RETURN_POINTER(result);
}
