/*-------------------------------------------------------------------------
 *
 * bf_view.c
 *		Read access to a filter, whatever form its datum has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "bf_blocks.h"
#include "bf_expanded.h"
#include "bf_hash.h"
#include "bf_view.h"

void
bf_report_corrupt(const char *reason)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored bloomfilter is corrupt"),
			 errdetail_internal("%s", reason)));
}

void
bf_stored_header_read(const uint8_t *payload, Size len, BfHeader *header)
{
	const char *reason = bf_header_read(payload, len, header);

	if (reason != NULL)
		bf_report_corrupt(reason);
}

void
bf_view_open(BfView *view, Datum filter)
{
	struct varlena *flat;

	view->allocated = NULL;
	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(filter)))
	{
		BfExpanded *expanded = bf_expanded_get(filter);

		bf_expanded_flush(expanded);
		view->header = expanded->header;
		if (expanded->header.representation == BF_DENSE)
			view->data = expanded->body->blocks;
		else
		{
			view->allocated = palloc_extended(Max(bf_data_length(&view->header), 1),
											  MCXT_ALLOC_HUGE);
			bf_hashset_read_sorted(&expanded->body->set, view->allocated);
			view->data = view->allocated;
		}
		return;
	}

	flat = PG_DETOAST_DATUM_PACKED(filter);
	if ((Pointer) flat != DatumGetPointer(filter))
		view->allocated = flat;
	bf_stored_header_read((const uint8_t *) VARDATA_ANY(flat),
						  VARSIZE_ANY_EXHDR(flat), &view->header);
	view->data = (const uint8_t *) VARDATA_ANY(flat) + bf_header_length(&view->header);
}

void
bf_view_close(BfView *view)
{
	if (view->allocated != NULL)
		pfree(view->allocated);
}

bool
bf_list_contains(const uint8_t *hashes, uint64_t count, uint64_t hash)
{
	uint64_t	low = 0;
	uint64_t	high = count;

	while (low < high)
	{
		uint64_t	middle = low + (high - low) / 2;
		uint64_t	candidate = bf_load_u64(hashes + 8 * middle);

		if (candidate == hash)
			return true;
		if (candidate < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool
bf_view_contains(const BfView *view, uint64_t hash)
{
	const BfHeader *header = &view->header;

	if (header->representation != BF_DENSE)
		return bf_list_contains(view->data, header->count, hash);
	return bf_block_contains(view->data + bf_block_offset(hash, header->blocks),
							 hash, header->hashes);
}

Size
bf_flat_size(const BfHeader *header)
{
	return VARHDRSZ + bf_header_length(header) + bf_data_length(header);
}

struct varlena *
bf_flat_create(const BfHeader *header, uint8_t **data)
{
	Size		size = bf_flat_size(header);
	struct varlena *flat = palloc(size);

	SET_VARSIZE(flat, size);
	bf_header_write(header, (uint8_t *) VARDATA(flat));
	*data = (uint8_t *) VARDATA(flat) + bf_header_length(header);
	return flat;
}

/*
 * Make a block from the list of hashes, where those that fall into it begin
 * at *next_hash, which is moved past them.
 */
static void
make_block(const BfView *view, uint32_t index, uint64_t *next_hash, uint8_t *block)
{
	const BfHeader *header = &view->header;

	memset(block, 0, BF_BLOCK_BYTES);
	for (; *next_hash < header->count; (*next_hash)++)
	{
		uint64_t	hash = bf_load_u64(view->data + 8 * *next_hash);

		if (bf_block_index(hash, header->blocks) != index)
			break;
		bf_block_add(block, hash, header->hashes);
	}
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
		return scan->view->data + (size_t) block * BF_BLOCK_BYTES;

	make_block(scan->view, block, &scan->next_hash, scan->made);
	return scan->made;
}

uint64_t
bf_view_bits_set(const BfView *view)
{
	const BfHeader *header = &view->header;
	uint64_t	bits = 0;
	uint8_t		block[BF_BLOCK_BYTES];
	uint64_t	i = 0;

	if (header->representation == BF_DENSE)
		return bf_blocks_popcount(view->data, header->blocks);

	/* only the blocks that a hash falls into */
	while (i < header->count)
	{
		uint32_t	index = bf_block_index(bf_load_u64(view->data + 8 * i), header->blocks);

		CHECK_FOR_INTERRUPTS();
		make_block(view, index, &i, block);
		bits += bf_blocks_popcount(block, 1);
	}
	return bits;
}

static char *
describe_parameters(const BfHeader *header)
{
	if (header->representation == BF_UNSIZED)
		return psprintf("no size yet, seed %lld", (long long) header->seed);
	return psprintf("%u blocks, %d hashes, seed %lld (expected_items %llu, false_positive_rate %g)",
					header->blocks, header->hashes, (long long) header->seed,
					(unsigned long long) header->capacity, header->rate);
}

void
bf_require_combinable(const BfHeader *a, const BfHeader *b)
{
	if (!bf_families_combine(a, b))
		bf_report_family_mismatch(a, b);
	if (a->seed != b->seed || a->blocks != b->blocks || a->hashes != b->hashes)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bloomfilters of different parameters cannot be combined"),
				 errdetail("One has %s, the other %s.",
						   describe_parameters(a), describe_parameters(b)),
				 errhint("Create both with the same expected_items, false_positive_rate and seed.")));
}

void
bf_combine_headers(BfHeader *a, const BfHeader *b)
{
	if (a->family == BF_FAMILY_NONE)
	{
		a->family = b->family;
		a->environment = b->environment;
		a->name = b->name;
		a->name_len = b->name_len;
	}
	a->capacity = Max(a->capacity, b->capacity);
	a->rate = Min(a->rate, b->rate);
}
