/*-------------------------------------------------------------------------
 *
 * io.c
 *		Text, binary and bytea forms of filters of both types.
 *
 * pg_dump writes text, and foreign servers are sent text; its syntax is
 * described in core/text.c.  It is ASCII, and so independent of encodings.
 * Binary and bytea are the payload of core/format.h between a magic and a
 * checksum.  All three forms contain the same CRC-32C of the payload, and
 * every input is checked by bf_validate().
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "port/pg_crc32c.h"

#include "compat.h"
#include "core/base64.h"
#include "core/text.h"
#include "core/wire.h"
#include "type/sql/functions.h"

/* How much of a bad text an error message repeats. */
#define SHOWN_TEXT	64

static uint32_t
payload_crc(const uint8_t *header, Size header_len, const uint8_t *data, Size data_len)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, header, header_len);
	COMP_CRC32C(crc, data, data_len);
	FIN_CRC32C(crc);
	return crc;
}

uint32_t
bf_wire_checksum(const uint8_t *bytes, size_t len)
{
	return payload_crc(bytes, len, NULL, 0);
}

/*
 * Open a filter for output.  An aggregate's state may contain more hashes than
 * any stored filter; no input function would accept these.
 */
static void
open_for_output(BfFilterType type, BfView *view, Datum filter)
{
	bf_view_open(type, view, filter);
	if (view->header.count > BF_MAX_LIST)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("more than %llu distinct values in a bloomfilter without expected_items",
						(unsigned long long) BF_MAX_LIST),
				 errhint("Give expected_items.")));
}

/* ---------- text ---------- */

/*
 * Base64 is encoded and decoded in pieces of so many bytes and characters,
 * with some milliseconds of work each, to check for interrupts between them.
 */
#define PIECE_BYTES	(3 * 1024 * 1024)
#define PIECE_CHARS	(PIECE_BYTES / 3 * 4)

/* Encode to dst, which has room for bf_base64_length(len). */
static void
encode_base64(const uint8_t *src, Size len, char *dst)
{
	while (len > 0)
	{
		Size		piece = Min(len, PIECE_BYTES);

		CHECK_FOR_INTERRUPTS();
		bf_base64_encode(src, piece, dst);
		src += piece;
		len -= piece;
		dst += bf_base64_length(piece);
	}
}

/*
 * Decode to dst, which has room for bf_base64_room(len), and set the number of
 * bytes written.  Returns false if the base64 is malformed.
 */
static bool
decode_base64(const char *src, Size len, uint8_t *dst, Size *written)
{
	BfBase64Reader reader;

	bf_base64_begin(&reader, dst);
	while (len > 0)
	{
		Size		piece = Min(len, PIECE_CHARS);

		CHECK_FOR_INTERRUPTS();
		if (!bf_base64_read(&reader, src, piece))
			return false;
		src += piece;
		len -= piece;
	}
	*written = reader.dst - dst;
	return bf_base64_end(&reader);
}

/*
 * Make the filter that a parsed text describes.  Returns NULL and sets the
 * reason if there is no such filter.
 */
static struct varlena *
filter_from_text(BfText *text, const char **reason)
{
	BfHeader   *header = &text->header;
	Size		header_len = bf_header_length(header);
	struct varlena *flat;
	uint8_t    *payload;
	Size		data_len;

	flat = palloc(VARHDRSZ + header_len + bf_base64_room(text->base64_len));
	payload = (uint8_t *) VARDATA(flat);
	if (!decode_base64(text->base64, text->base64_len, payload + header_len, &data_len))
	{
		*reason = "malformed base64";
		return NULL;
	}
	header->count = header->representation == BF_DENSE ? 0 :
		(uint64_t) data_len / bf_listed_bytes(header->type);
	bf_header_write(header, payload);
	SET_VARSIZE(flat, VARHDRSZ + header_len + data_len);

	*reason = bf_validate(header->type, payload, header_len + data_len, header);
	if (*reason == NULL &&
		payload_crc(payload, header_len, payload + header_len, data_len) != text->crc)
		*reason = "wrong checksum";
	return *reason == NULL ? flat : NULL;
}

static Datum
input(BfFilterType type, FunctionCallInfo fcinfo)
{
	char	   *string = PG_GETARG_CSTRING(0);
	BfText		text;
	struct varlena *flat = NULL;
	const char *reason = bf_text_parse(type, string, strlen(string), &text);

	if (reason == NULL)
		flat = filter_from_text(&text, &reason);
	if (reason != NULL)
	{
		const char *hint = bf_text_hint(type, string, strlen(string));

		ereturn(fcinfo->context, (Datum) 0,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"%s%s\"", bf_filter_type_name(type),
						pnstrdup(string, pg_mbcliplen(string, (int) strlen(string), SHOWN_TEXT)),
						strlen(string) > SHOWN_TEXT ? "..." : ""),
				 errdetail("It cannot be read: %s.", reason),
				 hint != NULL ? errhint("%s", hint) : 0));
	}
	PG_RETURN_POINTER(flat);
}

static Datum
output(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfView		view;
	BfHeader   *header = &view.header;
	uint8_t		header_bytes[BF_HEADER_BYTES + BF_MAX_NAME];
	Size		data_len;
	char	   *text;
	Size		len;

	open_for_output(type, &view, PG_GETARG_DATUM(0));
	bf_header_write(header, header_bytes);
	data_len = bf_data_length(header);

	text = palloc(BF_TEXT_ROOM + bf_base64_length(data_len) + 2);
	len = bf_text_write(header, payload_crc(header_bytes, bf_header_length(header),
											view.data, data_len), text);
	encode_base64(view.data, data_len, text + len);
	len += bf_base64_length(data_len);
	text[len++] = ')';
	text[len] = '\0';
	bf_view_close(&view);
	PG_RETURN_CSTRING(text);
}

/* ---------- binary and bytea ---------- */

/* Make a filter from its binary form, or raise an error. */
static struct varlena *
filter_from_wire(BfFilterType type, const uint8_t *wire, Size len)
{
	struct varlena *flat;
	BfHeader	header;
	Size		payload_len = len - BF_WIRE_AROUND;
	const char *reason = bf_wire_validate(type, wire, len, bf_wire_checksum, &header);

	if (reason != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("invalid binary representation of type %s", bf_filter_type_name(type)),
				 errdetail("It cannot be read: %s.", reason)));

	flat = palloc(VARHDRSZ + payload_len);
	SET_VARSIZE(flat, VARHDRSZ + payload_len);
	memcpy(VARDATA(flat), wire + BF_WIRE_MAGIC_BYTES, payload_len);
	return flat;
}

/* The binary form, which is also the result of the cast to bytea. */
static Datum
to_bytea(BfFilterType type, FunctionCallInfo fcinfo)
{
	BfView		view;
	Size		header_len;
	Size		data_len;
	Size		size;
	bytea	   *result;
	uint8_t    *payload;

	open_for_output(type, &view, PG_GETARG_DATUM(0));
	header_len = bf_header_length(&view.header);
	data_len = bf_data_length(&view.header);
	size = VARHDRSZ + BF_WIRE_AROUND + header_len + data_len;
	result = palloc(size);
	SET_VARSIZE(result, size);

	payload = (uint8_t *) VARDATA(result) + BF_WIRE_MAGIC_BYTES;
	bf_header_write(&view.header, payload);
	memcpy(payload + header_len, view.data, data_len);
	bf_wire_finish(type, (uint8_t *) VARDATA(result), header_len + data_len, bf_wire_checksum);
	bf_view_close(&view);
	PG_RETURN_BYTEA_P(result);
}

static Datum
receive(BfFilterType type, FunctionCallInfo fcinfo)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int			len = buf->len - buf->cursor;

	PG_RETURN_POINTER(filter_from_wire(type, (const uint8_t *) pq_getmsgbytes(buf, len), len));
}

static Datum
from_bytea(BfFilterType type, FunctionCallInfo fcinfo)
{
	const bytea *wire = PG_GETARG_BYTEA_PP(0);

	PG_RETURN_POINTER(filter_from_wire(type, (const uint8_t *) VARDATA_ANY(wire),
									   VARSIZE_ANY_EXHDR(wire)));
}

BF_SQL_OF_BOTH(in, input);
BF_SQL_OF_BOTH(out, output);
BF_SQL_OF_BOTH(recv, receive);
BF_SQL_OF_BOTH(send, to_bytea);
BF_SQL_OF_BOTH(from_bytea, from_bytea);
BF_SQL_OF_BOTH(to_bytea, to_bytea);
