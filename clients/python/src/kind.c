/*-------------------------------------------------------------------------
 *
 * kind.c
 *		The kinds of values that Python knows, the families they can be of, and
 *		the hashes of their canonical bytes.
 *
 * Free of Python's interpreter, so that batches can be hashed without it.
 *
 *-------------------------------------------------------------------------
 */
#include "kind.h"

#include <string.h>

#include "core/hash.h"

/* From numpy's epoch to the server's. */
#define DAYS_1970_TO_2000		10957
#define MICROSECONDS_1970_TO_2000	(DAYS_1970_TO_2000 * INT64_C(86400000000))

/*
 * What the server can hold: the limits of its datatype/timestamp.h.  Beyond
 * them lie the numbers that stand for the infinities.
 */
#define MIN_DATE		INT64_C(-2451545)
#define END_DATE		(INT64_C(2147483494) - 2451545)
#define MIN_TIMESTAMP	INT64_C(-211813488000000000)
#define END_TIMESTAMP	INT64_C(9223371331200000000)

const BfProblem bf_integer_out_of_range = {"22003", "bigint out of range", NULL};
const BfProblem bf_oid_out_of_range = {"22003", "OID out of range", NULL};
const BfProblem bf_not_utf8 = {"22021", "a str with surrogates is no text in UTF-8",
	"They stand for bytes that were not UTF-8 (errors='surrogateescape')."
};
const BfProblem bf_no_time = {"22004", "NaT is no value", BF_HINT_MISSING};
const BfProblem bf_below_microseconds = {
	"22008", "no timestamp has fractions of a microsecond",
	"Round the value to microseconds, as it was when it was stored."
};

static const BfProblem date_out_of_range = {"22008", "date out of range", NULL};
static const BfProblem timestamp_out_of_range = {"22008", "timestamp out of range", NULL};
static const BfProblem zero_in_text = {
	"22021", "text cannot contain the character U+0000", NULL
};
static const BfProblem no_char = {
	"22P02", "a value of type \"char\" is one byte, or one character of ASCII", NULL
};
static const BfProblem no_uuid = {"22P02", "a uuid has 16 bytes", NULL};

/* Indexed by BfKind. */
static const struct
{
	const char *name;
	BfFamily	family;
	unsigned	others;			/* 1 << family, for those it can be as well */
}			kinds[] =
{
	{"int", BF_FAMILY_INTEGER, 1u << BF_FAMILY_OID},
	{"bool", BF_FAMILY_BOOLEAN, 0},
	{"float", BF_FAMILY_FLOAT, 0},
	{"str", BF_FAMILY_TEXT, 1u << BF_FAMILY_BPCHAR | 1u << BF_FAMILY_CHAR},
	{"bytes", BF_FAMILY_BYTEA, 1u << BF_FAMILY_UUID | 1u << BF_FAMILY_CHAR},
	{"uuid.UUID", BF_FAMILY_UUID, 0},
	{"datetime.date", BF_FAMILY_DATE, 0},
	{"datetime.time", BF_FAMILY_TIME, 0},
	{"datetime.datetime without a time zone", BF_FAMILY_TIMESTAMP, 0},
	{"datetime.datetime with a time zone", BF_FAMILY_TIMESTAMPTZ, 0},
	{"datetime64 in days", BF_FAMILY_DATE, 0},
	{"datetime64", BF_FAMILY_TIMESTAMP, 1u << BF_FAMILY_TIMESTAMPTZ},
};

BfFamily
bf_kind_family(BfKind kind, BfFamily wanted)
{
	if (wanted == BF_FAMILY_NONE || wanted == kinds[kind].family)
		return kinds[kind].family;
	return (kinds[kind].others >> wanted & 1) ? wanted : BF_FAMILY_NONE;
}

const char *
bf_kind_name(BfKind kind)
{
	return kinds[kind].name;
}

uint64_t
bf_hash_bool(bool value, uint64_t seed)
{
	uint8_t		byte = value;

	return bf_xxh3(&byte, sizeof(byte), seed);
}

uint64_t
bf_hash_double(double value, uint64_t seed)
{
	return bf_hash_float8(value, bf_xxh3, seed);
}

bool
bf_hash_int(BfFamily family, int64_t value, uint64_t seed, uint64_t *hash,
			const BfProblem **problem)
{
	if (family != BF_FAMILY_OID)
	{
		*hash = bf_hash_word8(value, bf_xxh3, seed);
		return true;
	}
	if (value < 0 || value > UINT32_MAX)
	{
		*problem = &bf_oid_out_of_range;
		return false;
	}
	*hash = bf_hash_word4((uint32_t) value, bf_xxh3, seed);
	return true;
}

uint64_t
bf_hash_time(int64_t microseconds, uint64_t seed)
{
	return bf_hash_word8(microseconds, bf_xxh3, seed);
}

bool
bf_hash_date(int64_t days, uint64_t seed, uint64_t *hash, const BfProblem **problem)
{
	if (days < MIN_DATE || days >= END_DATE)
	{
		*problem = &date_out_of_range;
		return false;
	}
	*hash = bf_hash_word4((uint32_t) days, bf_xxh3, seed);
	return true;
}

bool
bf_hash_timestamp(int64_t microseconds, uint64_t seed, uint64_t *hash,
				  const BfProblem **problem)
{
	if (microseconds < MIN_TIMESTAMP || microseconds >= END_TIMESTAMP)
	{
		*problem = &timestamp_out_of_range;
		return false;
	}
	*hash = bf_hash_word8(microseconds, bf_xxh3, seed);
	return true;
}

bool
bf_hash_datetime64(BfKind kind, BfUnit unit, int64_t value, uint64_t seed, uint64_t *hash,
				   const BfProblem **problem)
{
	bool		is_date = kind == BF_PY_DATE64;
	int64_t		epoch = is_date ? DAYS_1970_TO_2000 : MICROSECONDS_1970_TO_2000;
	bool		fits;

	/* what numpy writes for a missing value */
	if (value == INT64_MIN)
	{
		*problem = &bf_no_time;
		return false;
	}
	fits = !__builtin_mul_overflow(value, unit.multiply, &value);
	if (fits && value % unit.divide != 0)
	{
		*problem = &bf_below_microseconds;
		return false;
	}
	fits = fits && !__builtin_sub_overflow(value / unit.divide, epoch, &value);
	if (!fits)
	{
		*problem = is_date ? &date_out_of_range : &timestamp_out_of_range;
		return false;
	}
	return is_date ? bf_hash_date(value, seed, hash, problem) :
		bf_hash_timestamp(value, seed, hash, problem);
}

bool
bf_hash_utf8(BfFamily family, bool strip_blanks, const char *utf8, size_t len, uint64_t seed,
			 uint64_t *hash, const BfProblem **problem)
{
	/* no text of the server's has one */
	if (memchr(utf8, '\0', len) != NULL)
	{
		*problem = &zero_in_text;
		return false;
	}
	if (family == BF_FAMILY_CHAR)
		return bf_hash_bytes(family, utf8, len, seed, hash, problem);
	if (strip_blanks)
		len = bf_length_without_blanks(utf8, len);
	*hash = bf_xxh3(utf8, len, seed);
	return true;
}

bool
bf_hash_bytes(BfFamily family, const void *bytes, size_t len, uint64_t seed, uint64_t *hash,
			  const BfProblem **problem)
{
	if ((family == BF_FAMILY_UUID && len != 16) || (family == BF_FAMILY_CHAR && len != 1))
	{
		*problem = family == BF_FAMILY_UUID ? &no_uuid : &no_char;
		return false;
	}
	*hash = bf_xxh3(bytes, len, seed);
	return true;
}
