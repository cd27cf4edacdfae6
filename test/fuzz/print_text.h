/*-------------------------------------------------------------------------
 *
 * print_text.h
 *		A writer of the text form other than the server's: fields as in
 *		docs/format.md, white space as the caller chooses.
 *
 * Does not depend on the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PRINT_TEXT_H
#define PRINT_TEXT_H

#include <inttypes.h>

#include "core/text.h"
#include "fuzz.h"

/* More than all fields and the white space between them take. */
#define PRINT_TEXT_ROOM(base64_len)	((base64_len) + BF_MAX_NAME + 1024)

/* Between tokens: one of these, chosen by the next bits. */
static const char *const print_text_spaces[] = {"", " ", "\t\n", "\r \f\v"};

typedef struct PrintText
{
	char	   *text;
	size_t		len;
	uint64_t	spaces;			/* two bits per gap */
} PrintText;

static inline void
print_text_bytes(PrintText *out, const char *bytes, size_t len)
{
	memcpy(out->text + out->len, bytes, len);
	out->len += len;
}

/* A token and white space behind it. */
static inline void
print_text_token(PrintText *out, const char *token)
{
	const char *space = print_text_spaces[out->spaces & 3];

	out->spaces = out->spaces >> 2 | out->spaces << 62;
	print_text_bytes(out, token, strlen(token));
	print_text_bytes(out, space, strlen(space));
}

static inline void
print_text_field(PrintText *out, const char *key, const char *value)
{
	print_text_token(out, ",");
	print_text_token(out, key);
	print_text_token(out, "=");
	print_text_token(out, value);
}

/*
 * Write the text form of header, checksum and base64, which may hold white
 * space.  Returns its length; the buffer needs PRINT_TEXT_ROOM().
 */
static inline size_t
print_text(const BfHeader *header, uint32_t crc, const char *base64, size_t base64_len,
		   uint64_t spaces, char *buffer)
{
	static const char *const families[] = {
		"none", "integer", "text", "bpchar", "float", "boolean", "date", "time",
		"timestamp", "timestamptz", "uuid", "bytea", "oid", "\"char\""
	};
	static const char *const forms[] = {"", "sparse", "dense", "unsized"};
	PrintText	out = {buffer, 0, spaces};
	char		number[64];

	print_text_token(&out, "");
	print_text_token(&out, header->type == BF_COUNTING ? "counting_bloomfilter" : "bloomfilter");
	print_text_token(&out, "(");
	print_text_token(&out, "1");
	print_text_token(&out, ",");
	if (header->family == BF_FAMILY_OWN)
	{
		print_text_bytes(&out, header->name, header->name_len);
		print_text_token(&out, "");
		snprintf(number, sizeof(number), "%016" PRIx64, header->environment);
		print_text_field(&out, "env", number);
	}
	else
		print_text_token(&out, families[header->family]);
	snprintf(number, sizeof(number), "%" PRIu64, header->capacity);
	print_text_field(&out, "n", number);
	snprintf(number, sizeof(number), "%.17g", header->rate);
	print_text_field(&out, "p", number);
	snprintf(number, sizeof(number), "%" PRIu32, header->blocks);
	print_text_field(&out, "blocks", number);
	snprintf(number, sizeof(number), "%d", header->hashes);
	print_text_field(&out, "k", number);
	snprintf(number, sizeof(number), "%" PRId64, header->seed);
	print_text_field(&out, "seed", number);
	print_text_token(&out, ",");
	print_text_token(&out, forms[header->representation]);
	snprintf(number, sizeof(number), "%08" PRIx32, crc);
	print_text_field(&out, "crc", number);
	if (base64_len > 0)
	{
		print_text_token(&out, ",");
		print_text_bytes(&out, base64, base64_len);
	}
	print_text_token(&out, ")");
	return out.len;
}

#endif							/* PRINT_TEXT_H */
