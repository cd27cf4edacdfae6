/*-------------------------------------------------------------------------
 *
 * filter.c
 *		bloom_set_filter: a set as one filter.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "compat.h"
#include "core/blocks.h"
#include "sets/layout.h"
#include "sets/rows.h"
#include "type/memory/flat.h"

BF_SQL_FUNCTION(bloomfilter_set_filter);

/* Rows fetched at a time: half a megabyte. */
#define ROWS_AT_A_TIME	1024

/* A filter that is put together. */
typedef struct Assembly
{
	BfSet	   *set;
	MemoryContext mcxt;			/* of the filter */
	struct varlena *filter;
	BfHeader	header;
	uint8_t    *blocks;			/* in the filter */
	bool	   *there;			/* for each segment, the head too */
} Assembly;

static void
put_row(Assembly *assembly, int32 segment, const bytea *row)
{
	if (segment < BF_SET_HEAD || segment > bf_set_segments(assembly->header.blocks))
		bf_set_report_damage(assembly->set, segment, "is beyond the last segment");
	if (assembly->there[segment])
		bf_set_report_damage(assembly->set, segment, "is there twice");
	assembly->there[segment] = true;
	if (segment == BF_SET_HEAD)
		return;
	bf_set_check_row(assembly->set, &assembly->header, segment, row);
	memcpy(assembly->blocks + (Size) (segment - 1) * BF_SET_BLOCKS * BF_BLOCK_BYTES,
		   VARDATA_ANY(row), VARSIZE_ANY_EXHDR(row));
}

static void
put_all_rows(Assembly *assembly)
{
	Portal		cursor = SPI_cursor_open(NULL, bf_set_plan(assembly->set, BF_SET_READ_ALL),
										 NULL, NULL, true);

	bf_set_check_table(assembly->set, BF_SET_READ_ALL);
	for (;;)
	{
		uint64		i;

		CHECK_FOR_INTERRUPTS();
		SPI_cursor_fetch(cursor, true, ROWS_AT_A_TIME);
		if (SPI_processed == 0)
			break;
		for (i = 0; i < SPI_processed; i++)
		{
			int32		segment;
			bytea	   *row = bf_set_result_row(assembly->set, i, &segment);

			put_row(assembly, segment, row);
		}
		SPI_freetuptable(SPI_tuptable);
	}
	SPI_cursor_close(cursor);
}

static void
require_all_rows(const Assembly *assembly)
{
	int32		segment;

	for (segment = 0; segment <= bf_set_segments(assembly->header.blocks); segment++)
		if (!assembly->there[segment])
			bf_set_report_missing(assembly->set, segment);
}

/*
 * Make the filter in the caller's context.  A filter without values is a list,
 * as everywhere.
 */
static void
assemble(BfSet *set, void *argument)
{
	Assembly   *assembly = argument;
	MemoryContext old;
	BfSetHead	head;

	assembly->set = set;
	bf_set_read_head(set, true, &head);
	assembly->header = head.header;
	assembly->header.representation = BF_DENSE;
	assembly->there = palloc0((1 + (Size) bf_set_segments(head.header.blocks)) * sizeof(bool));
	old = MemoryContextSwitchTo(assembly->mcxt);
	assembly->filter = bf_flat_create(&assembly->header, &assembly->blocks);
	MemoryContextSwitchTo(old);
	put_all_rows(assembly);
	require_all_rows(assembly);
	if (bf_blocks_popcount(assembly->blocks, head.header.blocks) == 0)
	{
		pfree(assembly->filter);
		old = MemoryContextSwitchTo(assembly->mcxt);
		assembly->filter = bf_flat_create(&head.header, &assembly->blocks);
		MemoryContextSwitchTo(old);
	}
	else if (head.header.family == BF_FAMILY_NONE)
		bf_set_report_damage(set, BF_SET_HEAD, "has no type of values, but other rows have values");
}

Datum
bloomfilter_set_filter(PG_FUNCTION_ARGS)
{
	Assembly	assembly = {.mcxt = CurrentMemoryContext};

	bf_set_use(PG_GETARG_OID(0), AccessShareLock, assemble, &assembly);
	PG_RETURN_POINTER(assembly.filter);
}
