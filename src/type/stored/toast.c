/*-------------------------------------------------------------------------
 *
 * toast.c
 *		Filters stored out of line: reading all or parts of them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/heaptoast.h"
#include "utils/memutils.h"

#include "type/memory/arrays.h"
#include "type/memory/flat.h"
#include "type/stored/toast.h"

bool
bf_toast_has_parts(const struct varlena *datum)
{
	struct varatt_external pointer;

	if (!VARATT_IS_EXTERNAL_ONDISK(datum))
		return false;
	VARATT_EXTERNAL_GET_POINTER(pointer, datum);
	return !VARATT_EXTERNAL_IS_COMPRESSED(pointer);
}

Size
bf_toast_payload_length(const struct varlena *pointer)
{
	struct varatt_external fields;

	VARATT_EXTERNAL_GET_POINTER(fields, pointer);
	return fields.va_rawsize - VARHDRSZ;
}

struct varlena *
bf_toast_slice(const struct varlena *pointer, Size offset, Size len)
{
	/* the server's function lacks a "const" */
	struct varlena *slice = detoast_attr_slice(unconstify(struct varlena *, pointer),
											   (int32) offset, (int32) len);

	if (VARSIZE_ANY_EXHDR(slice) != Min(len, bf_toast_payload_length(pointer) - offset))
		bf_report_corrupt("a part is missing or too long");
	return slice;
}

/*
 * The address within the chunk at which to put a filter with this start, so
 * that its blocks start on a cache line's boundary.  The chunk has room for
 * two lines more than the filter takes.
 */
static uint8_t *
place(char *chunk, const uint8_t *start)
{
	/* a wrong length in a damaged header only costs speed */
	Size		header_length = bf_load_u64(start + BF_OFF_HEADER_LENGTH) % BF_BLOCK_BYTES;

	return (uint8_t *) TYPEALIGN(BF_BLOCK_BYTES, chunk + header_length) - header_length;
}

static const uint8_t *
load_pieces(const struct varlena *pointer, char *chunk, Size len)
{
	uint8_t    *payload = NULL;
	Size		done;

	for (done = 0; done < len; done += BF_TOAST_PIECE)
	{
		struct varlena *piece = bf_toast_slice(pointer, done, BF_TOAST_PIECE);

		if (done == 0)
			payload = place(chunk, (const uint8_t *) VARDATA_ANY(piece));
		memcpy(payload + done, VARDATA_ANY(piece), VARSIZE_ANY_EXHDR(piece));
		pfree(piece);
	}
	return payload;
}

const uint8_t *
bf_toast_load(const struct varlena *pointer, MemoryContext mcxt, void **chunk)
{
	MemoryContext old;

	if (bf_toast_has_parts(pointer))
	{
		Size		len = bf_toast_payload_length(pointer);

		if (len < BF_HEADER_BYTES)
			bf_report_corrupt("the header is incomplete");
		*chunk = bf_allocate_unset_array(mcxt, len + 2 * BF_BLOCK_BYTES);
		return load_pieces(pointer, *chunk, len);
	}
	old = MemoryContextSwitchTo(mcxt);
	*chunk = detoast_attr(unconstify(struct varlena *, pointer));
	MemoryContextSwitchTo(old);
	/* LZ4 may decompress a damaged value to fewer bytes */
	if (VARSIZE(*chunk) - VARHDRSZ != bf_toast_payload_length(pointer))
		bf_report_corrupt("a part is missing");
	return (const uint8_t *) VARDATA(*chunk);
}
