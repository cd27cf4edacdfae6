/*-------------------------------------------------------------------------
 *
 * value.c
 *		Values on their way into a filter: are they of its family, are they
 *		values at all, and what is their hash?
 *
 *-------------------------------------------------------------------------
 */
#include "library.h"

#include <inttypes.h>
#include <stdio.h>

/*
 * What the server can hold: the limits of its datatype/timestamp.h.  Beyond
 * them lie the numbers that stand for the infinities.
 */
#define MIN_DATE		INT64_C(-2451545)
#define END_DATE		(INT64_C(2147483494) - 2451545)
#define MIN_TIMESTAMP	INT64_C(-211813488000000000)
#define END_TIMESTAMP	INT64_C(9223371331200000000)
#define MAX_TIME		INT64_C(86400000000)	/* 24:00 */

#define UUID_BYTES		16

#define REFUSE(code, message)	bf_refuse(error, code, message, NULL, NULL)

/* ---------- families ---------- */

static BfPassed
passed_as(pgbf_family family)
{
	switch (family)
	{
		case PGBF_INTEGER:
		case PGBF_BOOLEAN:
		case PGBF_DATE:
		case PGBF_TIME:
		case PGBF_TIMESTAMP:
		case PGBF_TIMESTAMPTZ:
		case PGBF_OID:
		case PGBF_CHAR:
			return BF_PASSED_NUMBER;
		case PGBF_FLOAT:
			return BF_PASSED_FLOAT;
		case PGBF_TEXT:
		case PGBF_BPCHAR:
		case PGBF_UUID:
		case PGBF_BYTEA:
			return BF_PASSED_BYTES;
		case PGBF_NONE:
		case PGBF_OWN:
			break;
	}
	return BF_PASSED_NOT;
}

static bool
refuse_family(pgbf_family family, BfPassed passed, pgbf_error *error)
{
	char		message[64];
	const char *hint = passed == BF_PASSED_NUMBER ? "Pass them to the functions for numbers." :
		passed == BF_PASSED_FLOAT ? "Pass them to the functions for floats." :
		"Pass them to the functions for bytes.";

	if (passed == BF_PASSED_NOT)
	{
		snprintf(message, sizeof(message), "there are no values of family %d", (int) family);
		return bf_refuse(error, PGBF_ERROR_PARAMETER, message, NULL,
						 "Name the family that the values are of.");
	}
	snprintf(message, sizeof(message), "values of type %s are passed in another way",
			 bf_family_name((BfFamily) family));
	return bf_refuse(error, PGBF_ERROR_MISMATCH, message, NULL, hint);
}

bool
bf_check_family(const BfFilter *filter, pgbf_family family, BfPassed passed, pgbf_error *error)
{
	BfError		failure;

	if (passed_as(family) != passed)
		return refuse_family(family, passed_as(family), error);
	return bf_filter_accepts(filter, (BfFamily) family, NULL, &failure) ||
		bf_report(&failure, error);
}

/* ---------- numbers ---------- */

static bool
in_range(int64_t value, int64_t min, int64_t max)
{
	return value >= min && value <= max;
}

/* Is there such a value? */
static bool
check_number(pgbf_family family, int64_t value, pgbf_error *error)
{
	switch (family)
	{
		case PGBF_BOOLEAN:
			return in_range(value, 0, 1) ||
				REFUSE(PGBF_ERROR_RANGE, "a boolean is passed as 0 or 1");
		case PGBF_DATE:
			return in_range(value, MIN_DATE, END_DATE - 1) ||
				value == INT32_MIN || value == INT32_MAX ||
				REFUSE(PGBF_ERROR_TIME, "date out of range");
		case PGBF_TIME:
			return in_range(value, 0, MAX_TIME) ||
				REFUSE(PGBF_ERROR_TIME, "time out of range");
		case PGBF_TIMESTAMP:
		case PGBF_TIMESTAMPTZ:
			return in_range(value, MIN_TIMESTAMP, END_TIMESTAMP - 1) ||
				value == INT64_MIN || value == INT64_MAX ||
				REFUSE(PGBF_ERROR_TIME, "timestamp out of range");
		case PGBF_OID:
			return in_range(value, 0, UINT32_MAX) ||
				REFUSE(PGBF_ERROR_RANGE, "OID out of range");
		case PGBF_CHAR:
			return in_range(value, 0, UINT8_MAX) ||
				REFUSE(PGBF_ERROR_RANGE, "a value of type \"char\" is one byte, passed as 0 to 255");
		default:
			return true;
	}
}

bool
bf_hash_number(const BfFilter *filter, pgbf_family family, int64_t value, uint64_t *hash,
			   pgbf_error *error)
{
	uint8_t		byte = (uint8_t) value;

	if (!check_number(family, value, error))
		return false;
	if (family == PGBF_DATE || family == PGBF_OID)
		*hash = bf_filter_hash_word4(filter, (uint32_t) value);
	else if (family == PGBF_BOOLEAN || family == PGBF_CHAR)
		*hash = bf_filter_hash_bytes(filter, &byte, sizeof(byte));
	else
		*hash = bf_filter_hash_word8(filter, value);
	return true;
}

/* ---------- bytes ---------- */

/* As the server says it, with the first byte that is wrong. */
static bool
check_text(const void *text, size_t length, pgbf_error *error)
{
	size_t		valid = bf_utf8_valid_length(text, length);
	char		message[64];

	if (valid == length)
		return true;
	snprintf(message, sizeof(message), "invalid byte sequence for encoding \"UTF8\": 0x%02x",
			 ((const uint8_t *) text)[valid]);
	return REFUSE(PGBF_ERROR_ENCODING, message);
}

bool
bf_hash_bytes(const BfFilter *filter, pgbf_family family, const void *bytes, size_t length,
			  uint64_t *hash, pgbf_error *error)
{
	bytes = bf_or_empty(bytes);
	switch (family)
	{
		case PGBF_UUID:
			if (length != UUID_BYTES)
				return REFUSE(PGBF_ERROR_TEXT, "a uuid has 16 bytes");
			break;
		case PGBF_BPCHAR:
			/* also in a filter of text, where blanks count */
			if (!check_text(bytes, length, error))
				return false;
			length = bf_length_without_blanks(bytes, length);
			break;
		case PGBF_TEXT:
			if (!check_text(bytes, length, error))
				return false;
			*hash = bf_filter_hash_text(filter, bytes, length);
			return true;
		default:
			break;
	}
	*hash = bf_filter_hash_bytes(filter, bytes, length);
	return true;
}
