/*-------------------------------------------------------------------------
 *
 * fuzz_format.c
 *		The validator of stored filters against docs/format.md.
 *
 * The input is a payload.  The validator must accept it as a filter of either
 * type if and only if the rules of the document for that type, written down here
 * a second time, hold; and what it accepts must decode to those fields and
 * encode to the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "core/format.h"
#include "fuzz.h"
#include "mutate_payload.h"

/* ---------- the rules, from the raw bytes ---------- */

/* What a filter of the type that is being looked at takes. */
static BfFilterType type;

#define FIRST_FORM	(type == BF_COUNTING ? 4u : 1u)
#define HASH_BYTES	(type == BF_COUNTING ? 9u : 8u)
#define BLOCK_BYTES	(type == BF_COUNTING ? 256u : 64u)
#define MOST_BLOCKS	(type == BF_COUNTING ? 1u << 21 : 1u << 23)

static uint64_t
number_at(const uint8_t *payload, unsigned offset, unsigned bytes)
{
	FuzzInput	input = {payload + offset, bytes};

	return fuzz_take(&input, bytes);
}

static double
rate_at(const uint8_t *payload)
{
	uint64_t	bits = number_at(payload, 40, 8);
	double		rate;

	memcpy(&rate, &bits, sizeof(rate));
	return rate;
}

/*
 * How the identifier of these characters is spelled.  Returns the length, 0 if
 * there is no such identifier.
 */
static size_t
spell(const uint32_t *codes, size_t n, char *out)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789$";
	bool		plain = n > 0 && codes[0] < 0x80 && memchr(letters, (int) codes[0], 27) != NULL;
	bool		ascii = true;
	size_t		len = 0;
	size_t		i;

	for (i = 0; i < n; i++)
	{
		if (codes[i] == 0 || codes[i] > 0x10FFFF || codes[i] >> 11 == 0xD800 >> 11)
			return 0;
		ascii &= codes[i] >= ' ' && codes[i] <= '~';
		plain &= codes[i] < 0x80 && memchr(letters, (int) codes[i], sizeof(letters) - 1) != NULL;
	}
	if (n == 0)
		return 0;
	if (!plain)
		len += (size_t) sprintf(out, "%s\"", ascii ? "" : "U&");
	for (i = 0; i < n; i++)
	{
		if (codes[i] > 0xFFFF)
			len += (size_t) sprintf(out + len, "\\+%06x", (unsigned) codes[i]);
		else if (codes[i] < ' ' || codes[i] > '~')
			len += (size_t) sprintf(out + len, "\\%04x", (unsigned) codes[i]);
		else if (codes[i] == '"' || (codes[i] == '\\' && !ascii))
			len += (size_t) sprintf(out + len, "%c%c", (char) codes[i], (char) codes[i]);
		else
			out[len++] = (char) codes[i];
	}
	if (!plain)
		out[len++] = '"';
	return len;
}

/* Hexadecimal digits of either case, as PostgreSQL takes them. */
static bool
hex_at(const uint8_t *s, size_t len, size_t at, size_t digits, uint32_t *code)
{
	for (*code = 0; digits > 0; digits--, at++)
	{
		static const char values[] = "0123456789abcdefABCDEF";
		const char *digit = at < len && s[at] != 0 ? strchr(values, s[at]) : NULL;

		if (digit == NULL)
			return false;
		*code = *code * 16 + (uint32_t) (digit - values) - (digit - values > 15 ? 6 : 0);
	}
	return true;
}

/*
 * Where the identifier that starts at the position ends; the same position if
 * there is none.  It is read in any way that PostgreSQL reads it, and then held
 * against the way in which it should be spelled.
 */
static size_t
identifier_end(const uint8_t *s, size_t len, size_t start)
{
	static uint32_t codes[2048];
	static char spelled[8 * 2048 + 8];
	bool		escapes = len - start > 3 && memcmp(s + start, "U&\"", 3) == 0;
	size_t		at = start + (escapes ? 2 : 0);
	size_t		n = 0;
	size_t		length;

	if (at >= len || s[at] != '"')
	{
		while (at < len && s[at] != '\0' &&
			   strchr(at == start ? "_abcdefghijklmnopqrstuvwxyz" :
					  "_abcdefghijklmnopqrstuvwxyz0123456789$", s[at]) != NULL)
			at++;
		return at;
	}
	for (at++; at < len && n < 2048; n++)
	{
		uint32_t	code;

		if (s[at] == '"' && (at + 1 == len || s[at + 1] != '"'))
		{
			length = spell(codes, n, spelled);
			at++;
			return length == at - start && memcmp(spelled, s + start, length) == 0 ? at : start;
		}
		if (s[at] == '"' || (escapes && s[at] == '\\' && at + 1 < len && s[at + 1] == '\\'))
		{
			codes[n] = s[at];
			at += 2;
		}
		else if (escapes && s[at] == '\\' && hex_at(s, len, at + 1, 4, &code))
		{
			codes[n] = code;
			at += 5;
		}
		else if (escapes && s[at] == '\\' && at + 1 < len && s[at + 1] == '+' &&
				 hex_at(s, len, at + 2, 6, &code))
		{
			codes[n] = code;
			at += 8;
		}
		else if (escapes && s[at] == '\\')
			break;
		else
			codes[n] = s[at++];
	}
	return start;
}

/* The longest type name at the start; 0 if there is none. */
static size_t
type_name_end(const uint8_t *s, size_t len)
{
	size_t		dot = identifier_end(s, len, 0);
	size_t		end;

	if (dot == 0 || dot == len || s[dot] != '.')
		return 0;
	end = identifier_end(s, len, dot + 1);
	if (end == dot + 1)
		return 0;
	while (len - end >= 2 && memcmp(s + end, "[]", 2) == 0)
		end += 2;
	return end <= 1024 ? end : 0;
}

/* Type name, padding and environment, where the type has them or not. */
static bool
own_hash_fields_hold(const uint8_t *payload, size_t header_length)
{
	uint64_t	environment = number_at(payload, 16, 8);
	size_t		room = header_length - 64;
	size_t		name;

	if (number_at(payload, 8, 2) != 14)
		return room == 0 && environment == 0;
	if (environment % 4 == 3 || environment / 4 % 4 == 3 || environment / 16 % 16 != 0)
		return false;
	name = type_name_end(payload + 64, room);
	if (name == 0 || room % 8 != 0 || room - name >= 8)
		return false;
	for (; name < room; name++)
		if (payload[64 + name] != 0)
			return false;
	return true;
}

/* 1: sparse, 2: dense, 3: unsized, which only bloomfilters are. */
static uint64_t
form_of(const uint8_t *payload)
{
	uint64_t	form = number_at(payload, 1, 1) - FIRST_FORM + 1;

	return form <= (type == BF_COUNTING ? 2 : 3) ? form : 0;
}

static bool
size_fields_hold(const uint8_t *payload)
{
	uint64_t	representation = form_of(payload);
	uint64_t	k = number_at(payload, 4, 1);
	uint64_t	blocks = number_at(payload, 12, 4);
	uint64_t	n = number_at(payload, 32, 8);
	uint64_t	count = number_at(payload, 48, 8);

	if (number_at(payload, 8, 2) == 0 && (representation == 2 || count != 0))
		return false;
	if (representation == 3)
		return k == 0 && blocks == 0 && n == 0 && count <= 1 << 26;
	return (representation == 1 ? count <= blocks : representation == 2 && count == 0) &&
		k >= 1 && k <= 16 && blocks >= 1 && blocks <= MOST_BLOCKS &&
		n >= 1 && n <= UINT64_C(1) << 53;
}

/* The header with its name, given that so many bytes of it can be read. */
static bool
header_holds(const uint8_t *payload, size_t readable)
{
	size_t		header_length;

	if (readable < 64)
		return false;
	header_length = number_at(payload, 2, 2);
	return header_length >= 64 && header_length <= 64 + 1024 && header_length <= readable &&
		number_at(payload, 0, 1) == 1 && number_at(payload, 5, 1) == 1 &&
		number_at(payload, 6, 2) == 0 && number_at(payload, 8, 2) <= 14 &&
		number_at(payload, 10, 2) == 0 && number_at(payload, 56, 8) == 0 &&
		rate_at(payload) >= 1e-6 && rate_at(payload) < 1 &&
		size_fields_hold(payload) && own_hash_fields_hold(payload, header_length);
}

/* How long a payload with this header must be. */
static size_t
length_of(const uint8_t *payload)
{
	size_t		data = form_of(payload) == 2 ?
		BLOCK_BYTES * number_at(payload, 12, 4) : HASH_BYTES * number_at(payload, 48, 8);

	return number_at(payload, 2, 2) + data;
}

/* Of a payload of the right length: hashes, and behind all of them the counts. */
static bool
list_holds(const uint8_t *payload, size_t size)
{
	size_t		list = number_at(payload, 2, 2);
	size_t		counts = list + 8 * number_at(payload, 48, 8);
	size_t		at;

	if (form_of(payload) == 2)
		return true;
	for (at = list; at + 16 <= counts; at += 8)
		if (number_at(payload, at, 8) >= number_at(payload, at + 8, 8))
			return false;
	for (at = counts; at < size; at++)
		if (payload[at] < 1 || payload[at] > 15)
			return false;
	return true;
}

/* ---------- checks ---------- */

/*
 * The name is ASCII, and what people are shown of it is what it stands for:
 * from that, identifier by identifier, it can be written again.
 */
static void
check_name(const BfHeader *header)
{
	char	   *readable = malloc(header->name_len);
	size_t		len = bf_type_name_readable(header->name, header->name_len, readable);
	char	   *again = malloc(BF_IDENTIFIER_ROOM(len) + len);
	size_t		written = 0;
	size_t		at = 0;
	size_t		i;

	REQUIRE(len > 0 && len <= header->name_len);
	for (i = 0; i < header->name_len; i++)
		REQUIRE(header->name[i] >= ' ' && header->name[i] <= '~');
	while (at < len)
	{
		char	   *identifier = malloc(len);
		size_t		n = 0;
		bool		quoted = readable[at] == '"';

		for (at += quoted; at < len; at++)
		{
			if (quoted ? readable[at] == '"' && (at + 1 == len || readable[at + 1] != '"') :
				readable[at] == '.' || readable[at] == '[')
				break;
			at += quoted && readable[at] == '"';
			identifier[n++] = readable[at];
		}
		at += quoted;
		written += bf_identifier_write(identifier, n, again + written);
		for (; at < len && strchr(".[]", readable[at]) != NULL; at++)
			again[written++] = readable[at];
		free(identifier);
	}
	REQUIRE(written == header->name_len && memcmp(again, header->name, written) == 0);
	free(again);
	free(readable);
}

static void
check_fields(const uint8_t *payload, const BfHeader *header)
{
	double		rate = rate_at(payload);

	REQUIRE(header->type == type);
	REQUIRE(header->representation == form_of(payload));
	REQUIRE((uint64_t) header->hashes == number_at(payload, 4, 1));
	REQUIRE(header->family == number_at(payload, 8, 2));
	REQUIRE(header->blocks == number_at(payload, 12, 4));
	REQUIRE(header->environment == number_at(payload, 16, 8));
	REQUIRE((uint64_t) header->seed == number_at(payload, 24, 8));
	REQUIRE(header->capacity == number_at(payload, 32, 8));
	REQUIRE(memcmp(&header->rate, &rate, sizeof(rate)) == 0);
	REQUIRE(header->count == number_at(payload, 48, 8));
	if (header->family == BF_FAMILY_OWN)
	{
		REQUIRE(header->name == (const char *) payload + 64);
		REQUIRE(header->name_len == type_name_end(payload + 64, number_at(payload, 2, 2) - 64));
		check_name(header);
	}
	else
		REQUIRE(header->name == NULL && header->name_len == 0);
}

/* The header, written again, is the same, and keeps to its length. */
static void
check_encoding(const uint8_t *payload, const BfHeader *header)
{
	size_t		length = bf_header_length(header);
	uint8_t    *copy = malloc(length);

	REQUIRE(length == number_at(payload, 2, 2));
	REQUIRE(length + bf_data_length(header) == length_of(payload));
	memset(copy, 0xA5, length);
	bf_header_write(header, copy);
	REQUIRE(memcmp(copy, payload, length) == 0);
	free(copy);
}

/*
 * The header alone, of a payload of any length: no byte behind the longest
 * header may be read, so that is all there is of this copy.
 */
static void
check_header(const uint8_t *payload, size_t readable, size_t length)
{
	size_t		prefix = length < 64 + 1024 ? length : 64 + 1024;
	uint8_t    *copy;
	BfHeader	header;
	bool		right;

	if (prefix > readable)
		return;
	copy = malloc(prefix > 0 ? prefix : 1);
	memcpy(copy, payload, prefix);
	right = header_holds(copy, prefix) && length == length_of(copy);
	REQUIRE((bf_header_read(type, copy, length, &header) == NULL) == right);
	if (right)
	{
		check_fields(copy, &header);
		check_encoding(copy, &header);
	}
	free(copy);
}

/* Returns whether the payload is a filter of the type. */
static bool
check_payload(const uint8_t *data, size_t size)
{
	BfHeader	header;
	bool		right = header_holds(data, size) && size == length_of(data) &&
		list_holds(data, size);

	REQUIRE((bf_validate(type, data, size, &header) == NULL) == right);
	if (right)
		check_fields(data, &header);

	check_header(data, size, size);
	if (size >= 64)
	{
		/* as if the data were there, however long */
		check_header(data, size, length_of(data));
		check_header(data, size, length_of(data) + 1);
		REQUIRE(bf_type_name_length((const char *) data + 64, size - 64) ==
				type_name_end(data + 64, size - 64));
	}
	return right;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool		is_plain;

	type = BF_PLAIN;
	is_plain = check_payload(data, size);
	type = BF_COUNTING;
	REQUIRE(!(check_payload(data, size) && is_plain));
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate_payload(data, size, max_size, seed);
}
