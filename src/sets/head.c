/*-------------------------------------------------------------------------
 *
 * head.c
 *		The parameters of a set, as its row 0 has them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "compat.h"
#include "core/wire.h"
#include "sets/head.h"
#include "type/sql/functions.h"

static const uint8_t *
bytes_of(const bytea *row)
{
	return (const uint8_t *) VARDATA_ANY(row);
}

bool
bf_set_rows_equal(const bytea *a, const bytea *b)
{
	return VARSIZE_ANY_EXHDR(a) == VARSIZE_ANY_EXHDR(b) &&
		memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0;
}

const char *
bf_set_head_read(BfSetHead *head, bytea *row)
{
	const char *reason = bf_wire_validate(BF_PLAIN, bytes_of(row), VARSIZE_ANY_EXHDR(row),
										  bf_wire_checksum, &head->header);

	head->row = row;
	if (reason != NULL)
		return reason;
	if (head->header.representation != BF_SPARSE || head->header.count > 0)
		return "it is not the binary form of an empty filter";
	return NULL;
}

void
bf_set_head_make(BfSetHead *head, const BfHeader *header)
{
	Size		payload = bf_header_length(header);
	Size		size = VARHDRSZ + payload + BF_WIRE_AROUND;
	bytea	   *row = palloc0(size);
	const char *reason;

	SET_VARSIZE(row, size);
	bf_header_write(header, (uint8_t *) VARDATA(row) + BF_WIRE_MAGIC_BYTES);
	bf_wire_finish(BF_PLAIN, (uint8_t *) VARDATA(row), payload, bf_wire_checksum);
	reason = bf_set_head_read(head, row);
	if (reason != NULL)
		elog(ERROR, "head of a set cannot be read: %s", reason);
}

void
bf_set_head_adopt(BfSetHead *head, const BfSetHead *from, const BfElement *element)
{
	BfHeader	header = from->header;

	header.family = element->family;
	header.environment = element->environment;
	header.name = element->name;
	header.name_len = element->name_len;
	bf_set_head_make(head, &header);
}
