/*-------------------------------------------------------------------------
 *
 * format.c
 *		The stored form of a filter: reading, writing and validating it.
 *
 * No input is trusted: every length is checked before it is used.  A payload
 * is accepted only if all of it is valid, otherwise refused with a reason.
 *
 *-------------------------------------------------------------------------
 */
#include "core/format.h"

#include <string.h>

#include "core/sizing.h"

/* Indexed by BfFamily. */
static const char *const family_names[] = {
	NULL, "integer", "text", "bpchar", "float", "boolean", "date", "time",
	"timestamp", "timestamptz", "uuid", "bytea", "oid", "\"char\"", NULL
};

static uint16_t
load_u16(const uint8_t *src)
{
	return (uint16_t) (src[0] | src[1] << 8);
}

static uint32_t
load_u32(const uint8_t *src)
{
	return load_u16(src) | (uint32_t) load_u16(src + 2) << 16;
}

static void
store_u16(uint8_t *dst, uint16_t value)
{
	dst[0] = (uint8_t) value;
	dst[1] = (uint8_t) (value >> 8);
}

static void
store_u32(uint8_t *dst, uint32_t value)
{
	store_u16(dst, (uint16_t) value);
	store_u16(dst + 2, (uint16_t) (value >> 16));
}

static size_t
padded_name_length(size_t name_len)
{
	return (name_len + 7) & ~(size_t) 7;
}

/* The offset at which a type's representations are stored. */
static int
representations_before(BfFilterType type)
{
	return type == BF_COUNTING ? BF_COUNTING_REPRESENTATIONS : 0;
}

size_t
bf_header_length(const BfHeader *header)
{
	return BF_HEADER_BYTES + padded_name_length(header->name_len);
}

size_t
bf_data_length(const BfHeader *header)
{
	if (header->representation == BF_DENSE)
		return (size_t) header->blocks * bf_block_bytes(header->type);
	return (size_t) header->count * bf_listed_bytes(header->type);
}

void
bf_header_write(const BfHeader *header, uint8_t *payload)
{
	size_t		length = bf_header_length(header);
	uint64_t	rate_bits;

	memcpy(&rate_bits, &header->rate, sizeof(rate_bits));

	memset(payload, 0, length);
	payload[BF_OFF_VERSION] = BF_FORMAT_VERSION;
	payload[BF_OFF_REPRESENTATION] = (uint8_t) (header->representation +
												representations_before(header->type));
	store_u16(payload + BF_OFF_HEADER_LENGTH, (uint16_t) length);
	payload[BF_OFF_HASHES] = (uint8_t) header->hashes;
	payload[BF_OFF_HASH_ID] = BF_HASH_XXH3;
	store_u16(payload + BF_OFF_FAMILY, (uint16_t) header->family);
	store_u32(payload + BF_OFF_BLOCKS, header->blocks);
	bf_store_u64(payload + BF_OFF_ENVIRONMENT, header->environment);
	bf_store_u64(payload + BF_OFF_SEED, (uint64_t) header->seed);
	bf_store_u64(payload + BF_OFF_CAPACITY, header->capacity);
	bf_store_u64(payload + BF_OFF_RATE, rate_bits);
	bf_store_u64(payload + BF_OFF_COUNT, header->count);
	if (header->name_len > 0)
		memcpy(payload + BF_HEADER_BYTES, header->name, header->name_len);
}

/* Check the fields that do not depend on the representation. */
static const char *
check_common_fields(const uint8_t *payload, const BfHeader *header)
{
	if (payload[BF_OFF_VERSION] != BF_FORMAT_VERSION)
		return "unknown format version";
	if (payload[BF_OFF_HASH_ID] != BF_HASH_XXH3)
		return "unknown hash function";
	if (load_u16(payload + BF_OFF_FLAGS) != 0)
		return "unknown flags";
	if (load_u16(payload + BF_OFF_RESERVED1) != 0 ||
		bf_load_u64(payload + BF_OFF_RESERVED2) != 0)
		return "reserved bytes are not zero";
	if (header->family > BF_FAMILY_LAST)
		return "unknown element type";
	/* written so that a NaN fails */
	if (!(header->rate >= BF_MIN_RATE && header->rate < 1))
		return "false positive rate out of range";
	return NULL;
}

static const char *
check_representation(const BfHeader *header)
{
	switch (header->representation)
	{
		case BF_UNSIZED:
			if (header->type == BF_COUNTING)
				return "unknown representation";
			if (header->blocks != 0 || header->hashes != 0 || header->capacity != 0)
				return "an unsized filter has no capacity, blocks or hashes";
			if (header->count > BF_MAX_LIST)
				return "too many hashes in an unsized filter";
			break;
		case BF_SPARSE:
		case BF_DENSE:
			if (header->blocks < 1 || header->blocks > bf_max_blocks(header->type))
				return "number of blocks out of range";
			if (header->hashes < 1 || header->hashes > BF_MAX_HASHES)
				return "number of hashes out of range";
			/* the largest capacity is a float8's exact integer */
			if (header->capacity < 1 || header->capacity > UINT64_C(1) << 53)
				return "capacity out of range";
			if (header->representation == BF_SPARSE && header->count > header->blocks)
				return "more hashes than a sparse filter of this size holds";
			if (header->representation == BF_DENSE && header->count != 0)
				return "a dense filter has no list of hashes";
			break;
		default:
			return "unknown representation";
	}
	if (header->family == BF_FAMILY_NONE &&
		(header->representation == BF_DENSE || header->count != 0))
		return "values without an element type";
	return NULL;
}

/*
 * A filter of an own-hash family has a type name and an environment; a filter
 * of any other family has neither.
 */
static const char *
check_name(const uint8_t *payload, size_t header_length, BfHeader *header)
{
	const char *name = (const char *) payload + BF_HEADER_BYTES;
	size_t		room = header_length - BF_HEADER_BYTES;
	size_t		i;

	header->name = NULL;
	header->name_len = 0;
	if (header->family != BF_FAMILY_OWN)
	{
		if (room != 0)
			return "header length out of range";
		if (header->environment != 0)
			return "an environment where the element type needs none";
		return NULL;
	}

	if (BF_ENVIRONMENT_BYTE_ORDER(header->environment) > BF_BIG_ENDIAN)
		return "unknown byte order";
	if (BF_ENVIRONMENT_CHAR(header->environment) > BF_UNSIGNED_CHAR)
		return "unknown signedness of char";
	if (BF_ENVIRONMENT_RESERVED(header->environment) != 0)
		return "reserved bits are not zero";

	header->name_len = bf_type_name_length(name, room);
	if (header->name_len == 0 || padded_name_length(header->name_len) != room)
		return "malformed name of the element type";
	for (i = header->name_len; i < room; i++)
		if (name[i] != '\0')
			return "malformed name of the element type";
	header->name = name;
	return NULL;
}

const char *
bf_header_read(BfFilterType type, const uint8_t *payload, size_t len, BfHeader *header)
{
	size_t		header_length;
	uint64_t	rate_bits;
	const char *reason;

	if (len < BF_HEADER_BYTES)
		return "shorter than a header";
	header_length = load_u16(payload + BF_OFF_HEADER_LENGTH);
	if (header_length < BF_HEADER_BYTES || header_length > len ||
		header_length > BF_HEADER_BYTES + BF_MAX_NAME)
		return "header length out of range";

	rate_bits = bf_load_u64(payload + BF_OFF_RATE);
	memcpy(&header->rate, &rate_bits, sizeof(header->rate));
	header->type = type;
	header->representation = payload[BF_OFF_REPRESENTATION] - representations_before(type);
	header->hashes = payload[BF_OFF_HASHES];
	header->family = load_u16(payload + BF_OFF_FAMILY);
	header->blocks = load_u32(payload + BF_OFF_BLOCKS);
	header->environment = bf_load_u64(payload + BF_OFF_ENVIRONMENT);
	header->seed = (int64_t) bf_load_u64(payload + BF_OFF_SEED);
	header->capacity = bf_load_u64(payload + BF_OFF_CAPACITY);
	header->count = bf_load_u64(payload + BF_OFF_COUNT);

	if ((reason = check_common_fields(payload, header)) != NULL ||
		(reason = check_representation(header)) != NULL ||
		(reason = check_name(payload, header_length, header)) != NULL)
		return reason;
	if (len - header_length != bf_data_length(header))
		return "length does not match the header";
	return NULL;
}

/* Check a list of hashes and, in a counting filter, their counts. */
static const char *
check_list(const BfHeader *header, const uint8_t *hashes)
{
	const uint8_t *counts = hashes + 8 * header->count;
	uint64_t	i;

	for (i = 1; i < header->count; i++)
		if (bf_load_u64(hashes + 8 * (i - 1)) >= bf_load_u64(hashes + 8 * i))
			return "hashes are not in ascending order";
	for (i = 0; header->type == BF_COUNTING && i < header->count; i++)
		if (counts[i] < 1 || counts[i] > BF_MAX_COUNT)
			return "count of a hash out of range";
	return NULL;
}

const char *
bf_validate(BfFilterType type, const uint8_t *payload, size_t len, BfHeader *header)
{
	const char *reason = bf_header_read(type, payload, len, header);

	if (reason != NULL || header->representation == BF_DENSE)
		return reason;
	return check_list(header, payload + bf_header_length(header));
}

const char *
bf_filter_type_name(BfFilterType type)
{
	return type == BF_COUNTING ? "counting_bloomfilter" : "bloomfilter";
}

const char *
bf_wire_magic(BfFilterType type)
{
	return type == BF_COUNTING ? BF_COUNTING_WIRE_MAGIC : BF_WIRE_MAGIC;
}

const char *
bf_family_name(BfFamily family)
{
	return family_names[family];
}

const char *
bf_family_cast_type(BfFamily family)
{
	/* of the integer types only bigint holds all values */
	return family == BF_FAMILY_INTEGER ? "bigint" : family_names[family];
}

BfFamily
bf_family_by_name(const char *name, size_t len)
{
	int			family;

	for (family = BF_FAMILY_INTEGER; family < BF_FAMILY_OWN; family++)
		if (strlen(family_names[family]) == len &&
			memcmp(family_names[family], name, len) == 0)
			return (BfFamily) family;
	return BF_FAMILY_NONE;
}
