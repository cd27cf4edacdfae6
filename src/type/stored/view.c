/*-------------------------------------------------------------------------
 *
 * view.c
 *		Read access to a filter, whatever form its datum has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "type/memory/blocks.h"
#include "type/memory/expanded.h"
#include "type/memory/flat.h"
#include "type/stored/toast.h"
#include "type/stored/view.h"

void
bf_view_open(BfFilterType type, BfView *view, Datum filter)
{
	view->allocated = NULL;
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
	{
		BfExpanded *expanded = bf_expanded_get(type, filter);

		bf_expanded_settle(expanded);
		view->header = expanded->header;
		if (expanded->header.representation == BF_DENSE)
			view->data = expanded->body->blocks;
		else
		{
			view->allocated = palloc_extended(Max(bf_data_length(&view->header), 1),
											  MCXT_ALLOC_HUGE);
			bf_expanded_write_list(expanded, view->allocated);
			view->data = view->allocated;
		}
		return;
	}
	view->allocated = bf_flat_open(type, filter, &view->header, &view->data);
}

void
bf_view_close(BfView *view)
{
	if (view->allocated != NULL)
		pfree(view->allocated);
}

void *
bf_view_header(BfFilterType type, Datum filter, BfHeader *header)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(filter);
	struct varlena *start;
	Size		len;

	if (VARATT_IS_EXTERNAL_EXPANDED(value))
	{
		*header = bf_expanded_get(type, filter)->header;
		return NULL;
	}
	len = toast_raw_datum_size(filter) - VARHDRSZ;
	start = detoast_attr_slice(value, 0, BF_HEADER_SLICE);
	/* the server does not check that a damaged value decompresses to so much */
	if (VARSIZE_ANY_EXHDR(start) != Min(len, BF_HEADER_SLICE))
		bf_report_corrupt("a part is missing or too long");
	bf_stored_header_read(type, (const uint8_t *) VARDATA_ANY(start), len, header);
	return start;
}

Size
bf_view_flat_size(BfFilterType type, Datum filter)
{
	BfExpanded *expanded;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
		return toast_raw_datum_size(filter);
	/*
	 * not by the object's method, which may refuse a filter with too many
	 * hashes
	 */
	expanded = bf_expanded_get(type, filter);
	bf_expanded_settle(expanded);
	return bf_flat_size(&expanded->header);
}

bool
bf_view_is_list(BfFilterType type, Datum filter, uint64_t *count)
{
	const struct varlena *datum = (const struct varlena *) DatumGetPointer(filter);
	struct varlena *start;
	BfHeader	header;

	if (!bf_toast_has_parts(datum) || bf_toast_payload_length(datum) <= BF_TOAST_PIECE)
		return false;
	start = bf_toast_slice(datum, 0, BF_HEADER_SLICE);
	bf_stored_header_read(type, (const uint8_t *) VARDATA_ANY(start),
						  bf_toast_payload_length(datum), &header);
	pfree(start);
	*count = header.count;
	return header.representation != BF_DENSE;
}

const uint8_t *
bf_view_block(const BfView *view, uint32_t index, uint8_t *made)
{
	const uint8_t *block = view->data + (size_t) index * bf_block_bytes(view->header.type);

	Assert(view->header.representation == BF_DENSE);
	if (view->header.type == BF_PLAIN)
		return block;
	bf_counter_block_bits(block, made);
	return made;
}

void
bf_block_scan_begin(BfBlockScan *scan, const BfView *view)
{
	scan->view = view;
	scan->next_block = 0;
	scan->next_hash = 0;
}

const uint8_t *
bf_block_scan_next(BfBlockScan *scan)
{
	const BfHeader *header = &scan->view->header;
	uint32_t	block = scan->next_block++;

	/* 65,536 blocks are 4 MiB, well under a millisecond of work */
	if ((block & 0xFFFF) == 0)
		CHECK_FOR_INTERRUPTS();
	if (header->representation == BF_DENSE)
		return bf_view_block(scan->view, block, scan->made);

	bf_list_make_block(header, scan->view->data, block, &scan->next_hash, scan->made);
	return scan->made;
}

static uint64_t
bits_in_blocks(const BfView *view)
{
	uint64_t	bits = 0;
	BfBlockScan scan;
	uint32_t	i;

	if (view->header.type == BF_PLAIN)
		return bf_blocks_popcount(view->data, view->header.blocks);

	bf_block_scan_begin(&scan, view);
	for (i = 0; i < view->header.blocks; i++)
		bits += bf_blocks_popcount(bf_block_scan_next(&scan), 1);
	return bits;
}

uint64_t
bf_view_bits_set(const BfView *view)
{
	const BfHeader *header = &view->header;
	uint64_t	bits = 0;
	uint8_t		block[BF_BLOCK_BYTES];
	uint64_t	i = 0;

	if (header->representation == BF_DENSE)
		return bits_in_blocks(view);

	/* only the blocks of the list's hashes */
	while (i < header->count)
	{
		uint32_t	index = bf_block_index(bf_load_u64(view->data + 8 * i), header->blocks);

		CHECK_FOR_INTERRUPTS();
		bf_list_make_block(header, view->data, index, &i, block);
		bits += bf_blocks_popcount(block, 1);
	}
	return bits;
}
