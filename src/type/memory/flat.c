/*-------------------------------------------------------------------------
 *
 * flat.c
 *		A filter as one varlena: the payload of core/format.h behind a length.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"

#include "type/memory/flat.h"

void
bf_report_corrupt(const char *reason)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored bloomfilter is corrupt"),
			 errdetail_internal("%s", reason)));
}

void
bf_stored_header_read(BfFilterType type, const uint8_t *payload, Size len, BfHeader *header)
{
	const char *reason = bf_header_read(type, payload, len, header);

	if (reason != NULL)
		bf_report_corrupt(reason);
}

void *
bf_flat_open(BfFilterType type, Datum filter, BfHeader *header, const uint8_t **data)
{
	struct varlena *flat = PG_DETOAST_DATUM_PACKED(filter);
	const uint8_t *payload = (const uint8_t *) VARDATA_ANY(flat);
	const char *reason = bf_validate(type, payload, VARSIZE_ANY_EXHDR(flat), header);

	if (reason != NULL)
		bf_report_corrupt(reason);
	*data = payload + bf_header_length(header);
	return (Pointer) flat != DatumGetPointer(filter) ? flat : NULL;
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
