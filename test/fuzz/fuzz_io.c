/*-------------------------------------------------------------------------
 *
 * fuzz_io.c
 *		The functions behind text, binary and bytea form.
 *
 * The first byte of the input says what the rest is:
 *		0		the binary form, as it is
 *		1		a payload, to which magic and checksum are added
 *		2		text, as it is
 *		3		text, in which the checksum is made right
 *		4		a payload, to be read from a text form written here
 *		5..9	the same of a counting filter
 *
 * Binary form is accepted if and only if magic, validator and checksum agree,
 * through bytea and receive alike.  What is accepted is what the next output
 * gives, comes back from each form unchanged, and is validated.  Errors are
 * those for bad input.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/shortest_dec.h"
#include "fmgr.h"
#include "lib/stringinfo.h"

#include "compat.h"
#include "core/format.h"
#include "core/text.h"
#include "base64_model.h"
#include "fuzz.h"
#include "mutate_payload.h"
#include "print_text.h"
#include "server.h"

#define DECLARE_FORMS(type) \
	extern Datum type##_in(PG_FUNCTION_ARGS); \
	extern Datum type##_out(PG_FUNCTION_ARGS); \
	extern Datum type##_recv(PG_FUNCTION_ARGS); \
	extern Datum type##_send(PG_FUNCTION_ARGS); \
	extern Datum type##_from_bytea(PG_FUNCTION_ARGS); \
	extern Datum type##_to_bytea(PG_FUNCTION_ARGS)

#define FORMS(type) \
	{type##_in, type##_out, type##_recv, type##_send, type##_from_bytea, type##_to_bytea}

DECLARE_FORMS(bloomfilter);
DECLARE_FORMS(counting_bloomfilter);

/* By BfFilterType. */
static const struct Forms
{
	PGFunction	in;
	PGFunction	out;
	PGFunction	recv;
	PGFunction	send;
	PGFunction	from_bytea;
	PGFunction	to_bytea;
}			all_forms[] = {FORMS(bloomfilter), FORMS(counting_bloomfilter)};

/* The type of the filters of this input, what it starts with, its functions. */
static BfFilterType type;
static const char *magic;
static const struct Forms *forms;

#define KINDS	5

/* ---------- calls ---------- */

typedef struct Call
{
	PGFunction	function;
	Datum		argument;
	Datum		result;
} Call;

static void
call(void *argument)
{
	Call	   *this = argument;
	LOCAL_FCINFO(fcinfo, 1);

	InitFunctionCallInfoData(*fcinfo, NULL, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = this->argument;
	fcinfo->args[0].isnull = false;
	this->result = this->function(fcinfo);
}

/* For what cannot fail. */
static Datum
result_of(PGFunction function, Datum argument)
{
	Call		this = {function, argument, 0};

	REQUIRE(server_try(call, &this) == 0);
	return this.result;
}

/* NULL if the function refuses, for which there is one SQLSTATE. */
static struct varlena *
accepted(PGFunction function, Datum argument, int refusal)
{
	Call		this = {function, argument, 0};
	int			error = server_try(call, &this);

	REQUIRE(error == 0 || error == refusal);
	return error == 0 ? (struct varlena *) DatumGetPointer(this.result) : NULL;
}

static struct varlena *
from_text(const char *text, size_t len)
{
	return accepted(forms->in, CStringGetDatum(pnstrdup(text, len)),
					ERRCODE_INVALID_TEXT_REPRESENTATION);
}

/* A varlena with these contents; from 127 bytes on with a long header. */
static struct varlena *
make_varlena(const uint8_t *bytes, size_t len)
{
	struct varlena *made = palloc(VARHDRSZ + len);
	bool		packed = len + VARHDRSZ_SHORT <= VARATT_SHORT_MAX;

	if (packed)
		SET_VARSIZE_SHORT(made, VARHDRSZ_SHORT + len);
	else
		SET_VARSIZE(made, VARHDRSZ + len);
	memcpy(VARDATA_ANY(made), bytes, len);
	return made;
}

static struct varlena *
from_bytea(const uint8_t *wire, size_t len)
{
	return accepted(forms->from_bytea, PointerGetDatum(make_varlena(wire, len)),
					ERRCODE_INVALID_BINARY_REPRESENTATION);
}

static struct varlena *
from_message(const uint8_t *wire, size_t len)
{
	StringInfoData message;
	struct varlena *filter;

	message.data = palloc(len > 0 ? len : 1);
	memcpy(message.data, wire, len);
	message.len = message.maxlen = (int) len;
	message.cursor = 0;
	filter = accepted(forms->recv, PointerGetDatum(&message),
					  ERRCODE_INVALID_BINARY_REPRESENTATION);
	/* the server refuses a value that leaves something unread */
	REQUIRE(filter == NULL || message.cursor == message.len);
	return filter;
}

/* ---------- what must hold ---------- */

static uint32_t
crc32c(const uint8_t *bytes, size_t len)
{
	static uint32_t table[256];
	uint32_t	crc = UINT32_MAX;
	size_t		i;
	int			bit;

	if (table[1] == 0)
		for (i = 0; i < 256; i++)
			for (table[i] = (uint32_t) i, bit = 0; bit < 8; bit++)
				table[i] = table[i] >> 1 ^ ((table[i] & 1) != 0 ? 0x82F63B78 : 0);
	for (i = 0; i < len; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xFF];
	return ~crc;
}

static bool
same_contents(const struct varlena *a, const void *bytes, size_t len)
{
	return VARSIZE_ANY_EXHDR(a) == len && memcmp(VARDATA_ANY(a), bytes, len) == 0;
}

static void
require_same(const struct varlena *a, const struct varlena *b)
{
	REQUIRE(a != NULL && b != NULL);
	REQUIRE(same_contents(a, VARDATA_ANY(b), VARSIZE_ANY_EXHDR(b)));
}

/* One line of ASCII, which no encoding of a database can change. */
static void
check_characters(const char *text)
{
	for (; *text != '\0'; text++)
		REQUIRE(*text >= ' ' && *text <= '~');
}

/* The rate is what the server's own float8out would write of it. */
static void
check_rate(const char *text, double rate)
{
	char		field[DOUBLE_SHORTEST_DECIMAL_LEN + 8] = ", p=";

	double_to_shortest_decimal_buf(rate, field + 4);
	strcat(field, ",");
	REQUIRE(strstr(text, field) != NULL);
}

/* A filter goes through every form unchanged. */
static void
check_filter(struct varlena *filter)
{
	const uint8_t *payload = (const uint8_t *) VARDATA_ANY(filter);
	size_t		len = VARSIZE_ANY_EXHDR(filter);
	Datum		datum = PointerGetDatum(filter);
	struct varlena *packed = make_varlena(payload, len);
	struct varlena *wire;
	char	   *text;
	BfHeader	header;

	REQUIRE(bf_validate(type, payload, len, &header) == NULL);

	wire = (struct varlena *) DatumGetPointer(result_of(forms->to_bytea, datum));
	require_same(wire, (struct varlena *) DatumGetPointer(result_of(forms->send, datum)));
	require_same(filter, from_bytea((uint8_t *) VARDATA_ANY(wire), VARSIZE_ANY_EXHDR(wire)));

	text = DatumGetCString(result_of(forms->out, datum));
	REQUIRE(strcmp(text, DatumGetCString(result_of(forms->out, PointerGetDatum(packed)))) == 0);
	check_characters(text);
	check_rate(text, header.rate);
	require_same(filter, from_text(text, strlen(text)));
}

/* No bit of magic or checksum is there for nothing. */
static void
check_around(const uint8_t *wire, size_t len)
{
	uint8_t    *changed = palloc(len);
	int			i;

	memcpy(changed, wire, len);
	for (i = 0; i < 8; i++)
	{
		uint8_t    *byte = i < 4 ? changed + i : changed + len - i + 3;

		*byte ^= 1 << len % 8;
		REQUIRE(from_bytea(changed, len) == NULL);
		*byte ^= 1 << len % 8;
	}
}

static void
check_wire(const uint8_t *wire, size_t len)
{
	struct varlena *filter = from_bytea(wire, len);
	struct varlena *received = from_message(wire, len);
	BfHeader	header;
	bool		right = len >= 8 && memcmp(wire, magic, 4) == 0 &&
		bf_validate(type, wire + 4, len - 8, &header) == NULL;

	if (right)
	{
		FuzzInput	end = {wire + len - 4, 4};

		right = fuzz_take(&end, 4) == crc32c(wire + 4, len - 8);
	}
	REQUIRE((filter != NULL) == right);
	REQUIRE((received != NULL) == right);
	if (!right)
		return;
	require_same(filter, received);
	REQUIRE(same_contents(filter, wire + 4, len - 8));
	check_around(wire, len);
	check_filter(filter);
}

static void
check_payload(const uint8_t *payload, size_t len)
{
	uint8_t    *wire = palloc(len + 8);
	uint32_t	crc = crc32c(payload, len);
	int			i;

	memcpy(wire, magic, 4);
	memcpy(wire + 4, payload, len);
	for (i = 0; i < 4; i++)
		wire[4 + len + i] = (uint8_t) (crc >> (8 * i));
	check_wire(wire, len + 8);
}

static void
check_text(const char *text, size_t len)
{
	struct varlena *filter = from_text(text, len);
	BfText		parsed;

	if (filter == NULL)
		return;
	REQUIRE(bf_text_parse(type, text, strnlen(text, len), &parsed) == NULL);
	check_filter(filter);
}

static void
check_text_with_checksum(const char *text, size_t len)
{
	BfText		parsed;
	BfHeader   *header = &parsed.header;
	size_t		header_length;
	uint8_t    *payload;
	int			data;
	char	   *mended;

	len = strnlen(text, len);
	if (bf_text_parse(type, text, len, &parsed) != NULL)
		return;
	header_length = bf_header_length(header);
	payload = palloc(header_length + len + 3);
	data = (int) base64_model_decode(parsed.base64, parsed.base64_len, payload + header_length);
	if (data < 0)
	{
		REQUIRE(from_text(text, len) == NULL);
		return;
	}
	header->count = header->representation == BF_DENSE ? 0 : data / bf_listed_bytes(type);
	bf_header_write(header, payload);
	mended = palloc(PRINT_TEXT_ROOM(parsed.base64_len));
	len = print_text(header, crc32c(payload, header_length + data),
					 parsed.base64, parsed.base64_len, len, mended);
	check_text(mended, len);
}

/* Text written from a right payload must be read, and must be that payload. */
static void
check_printed(const uint8_t *payload, size_t len)
{
	BfHeader	header;
	size_t		header_length;
	size_t		room = len / 3 * 4 + 4;
	char	   *base64 = palloc(room);
	char	   *text = palloc(PRINT_TEXT_ROOM(room));
	struct varlena *filter;
	int			base64_len;

	if (bf_validate(type, payload, len, &header) != NULL)
		return;
	header_length = bf_header_length(&header);
	base64_len = (int) base64_model_encode(payload + header_length, len - header_length, base64);
	filter = from_text(text, print_text(&header, crc32c(payload, len), base64, base64_len, len, text));
	REQUIRE(filter != NULL);
	REQUIRE(same_contents(filter, payload, len));
	check_filter(filter);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	server_start();
	type = data[0] < KINDS ? BF_PLAIN : BF_COUNTING;
	magic = type == BF_COUNTING ? "PGCB" : "PGBF";
	forms = &all_forms[type];
	switch (data[0] % KINDS)
	{
		case 0:
			check_wire(data + 1, size - 1);
			break;
		case 1:
			check_payload(data + 1, size - 1);
			break;
		case 2:
			check_text((const char *) data + 1, size - 1);
			break;
		case 3:
			check_text_with_checksum((const char *) data + 1, size - 1);
			break;
		case 4:
			check_printed(data + 1, size - 1);
			break;
	}
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	/* a payload, behind the byte that says so */
	if (size > 1 && (data[0] % KINDS == 1 || data[0] % KINDS == 4) && seed % 16 != 0)
		return 1 + mutate_payload(data + 1, size - 1, max_size - 1, seed);
	return LLVMFuzzerMutate(data, size, max_size);
}
