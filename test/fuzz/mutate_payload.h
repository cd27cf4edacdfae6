/*-------------------------------------------------------------------------
 *
 * mutate_payload.h
 *		A mutator of stored filters.
 *
 * Random bytes hardly ever get past the header: this one knows where the
 * fields are and what their limits are, and mends some of them.
 *
 * Does not depend on the server.
 *
 *-------------------------------------------------------------------------
 */
#ifndef MUTATE_PAYLOAD_H
#define MUTATE_PAYLOAD_H

#include "core/format.h"
#include "fuzz.h"

static void
put_number(uint8_t *payload, unsigned offset, unsigned bytes, uint64_t value)
{
	for (; bytes > 0; bytes--, offset++, value >>= 8)
		payload[offset] = (uint8_t) value;
}

static const struct PayloadField
{
	unsigned	offset;
	unsigned	bytes;
	uint64_t	values[8];		/* around the limits */
} payload_fields[] = {
	{BF_OFF_VERSION, 1, {0, 1, 2}},
	{BF_OFF_REPRESENTATION, 1, {0, 1, 2, 3, 4, 5, 6}},
	{BF_OFF_HEADER_LENGTH, 2, {0, 63, 64, 65, 72, 1088, 1089, 1096}},
	{BF_OFF_HASHES, 1, {0, 1, 7, 8, 9, 16, 17, 255}},
	{BF_OFF_HASH_ID, 1, {0, 1, 2}},
	{BF_OFF_FLAGS, 2, {0, 1, 0x100}},
	{BF_OFF_FAMILY, 2, {0, 1, 2, 13, 14, 15, 0x10E}},
	{BF_OFF_RESERVED1, 2, {0, 1, 0x100}},
	{BF_OFF_BLOCKS, 4, {0, 1, 2, 20, 1 << 23, (1 << 23) + 1, 1 << 21, (1 << 21) + 1}},
	{BF_OFF_ENVIRONMENT, 8, {0, 1, 2, 3, 0x70D, 0x8, 0xC, UINT64_C(0xe86672fce4a30705)}},
	/* byte order, signedness of char, what is reserved beside them */
	{BF_OFF_ENVIRONMENT, 1, {0x5, 0xA, 0x6, 0x9, 0x10, 0x80, 0x40, 0x20}},
	{BF_OFF_SEED, 8, {0, 1, UINT64_MAX, UINT64_C(1) << 63}},
	{BF_OFF_CAPACITY, 8, {0, 1, 1000, UINT64_C(1) << 53, (UINT64_C(1) << 53) + 1, UINT64_MAX}},
	/* 0.01, 1e-6 and its neighbours, 1 and the one below, NaN, negative */
	{BF_OFF_RATE, 8, {UINT64_C(0x3f847ae147ae147b), UINT64_C(0x3eb0c6f7a0b5ed8d), UINT64_C(0x3eb0c6f7a0b5ed8c),
	UINT64_C(0x3eb0c6f7a0b5ed8e), UINT64_C(0x3ff0000000000000), UINT64_C(0x3fefffffffffffff),
	UINT64_C(0x7ff8000000000000), UINT64_C(0xbf847ae147ae147b)}},
	{BF_OFF_COUNT, 8, {0, 1, 2, 20, 21, 1 << 26, (1 << 26) + 1, UINT64_C(1) << 61}},
	{BF_OFF_RESERVED2, 8, {0, 1, UINT64_C(1) << 63}},
};

#define PAYLOAD_FIELDS	(sizeof(payload_fields) / sizeof(payload_fields[0]))

/* Names of types, and what is nearly one. */
static const char *const payload_names[] = {
	"pg_catalog.numeric", "pg_catalog.int4[][]", "\"A \"\"b\"\"\".\"c\\d\"[]", "\"a\".b",
	"U&\"gr\\00f6\\00dfe\".U&\"\\+01f418\\\\\"", "U&\"\\0041\".b", "U&\"\\d800\".b",
	"U&\"\\000a\"\"\".U&\"\\+10ffff\"[]", "U&\"\\00F6\".b", "U&\"\\+00ffff\".b", "U&\"\\+110000\".b",
	"\"A\x7f\".b", "\"A\x1f\".b", "\"A\xc3\xa9\".b", "U&\"\\007f\\007e\".b"
};

#define PAYLOAD_NAMES	(sizeof(payload_names) / sizeof(payload_names[0]))

/* Write one of them behind the header, and zero bytes as far as they belong. */
static inline void
put_name(uint8_t *payload, size_t size, uint64_t *random)
{
	const char *name = payload_names[fuzz_random(random, PAYLOAD_NAMES)];
	size_t		room = (strlen(name) + 7) / 8 * 8;

	if (BF_HEADER_BYTES + room > size)
		return;
	memset(payload + BF_HEADER_BYTES, 0, room);
	memcpy(payload + BF_HEADER_BYTES, name, strlen(name));
	put_number(payload, BF_OFF_FAMILY, 2, BF_FAMILY_OWN);
	put_number(payload, BF_OFF_HEADER_LENGTH, 2, BF_HEADER_BYTES + room);
}

static inline int
compare_hashes(const void *a, const void *b)
{
	uint64_t	left = bf_load_u64(a);
	uint64_t	right = bf_load_u64(b);

	return (left > right) - (left < right);
}

/* Give the fields that are hardest to guess values that fit the rest. */
static inline void
mend(uint8_t *payload, size_t size, uint64_t *random)
{
	size_t		header_length = BF_HEADER_BYTES;
	bool		counting = payload[BF_OFF_REPRESENTATION] > BF_COUNTING_REPRESENTATIONS;
	bool		dense = payload[BF_OFF_REPRESENTATION] ==
		BF_DENSE + (counting ? BF_COUNTING_REPRESENTATIONS : 0);
	size_t		listed = bf_listed_bytes(counting ? BF_COUNTING : BF_PLAIN);
	size_t		data;
	size_t		i;

	put_number(payload, BF_OFF_VERSION, 1, BF_FORMAT_VERSION);
	put_number(payload, BF_OFF_HASH_ID, 1, BF_HASH_XXH3);
	put_number(payload, BF_OFF_FLAGS, 2, 0);
	put_number(payload, BF_OFF_RESERVED1, 2, 0);
	put_number(payload, BF_OFF_RESERVED2, 8, 0);
	if (payload[BF_OFF_REPRESENTATION] == BF_UNSIZED)
	{
		put_number(payload, BF_OFF_HASHES, 1, 0);
		put_number(payload, BF_OFF_BLOCKS, 4, 0);
		put_number(payload, BF_OFF_CAPACITY, 8, 0);
	}
	if (payload[BF_OFF_FAMILY] != BF_FAMILY_OWN)
		put_number(payload, BF_OFF_ENVIRONMENT, 8, 0);
	else
		header_length += (bf_type_name_length((const char *) payload + 64, size - 64) + 7) / 8 * 8;
	if (header_length > size)
		return;
	put_number(payload, BF_OFF_HEADER_LENGTH, 2, header_length);
	data = size - header_length;
	if (dense)
	{
		put_number(payload, BF_OFF_BLOCKS, 4, data / (counting ? 256 : 64));
		put_number(payload, BF_OFF_COUNT, 8, 0);
	}
	else
	{
		put_number(payload, BF_OFF_COUNT, 8, data / listed);
		if (payload[BF_OFF_REPRESENTATION] != BF_UNSIZED && fuzz_random(random, 2) == 0)
			put_number(payload, BF_OFF_BLOCKS, 4, data / listed + fuzz_random(random, 2));
		if (fuzz_random(random, 2) == 0)
			qsort(payload + header_length, data / listed, 8, compare_hashes);
		/* counts, most of them in range */
		for (i = data / listed * 8; counting && i < data; i++)
			payload[header_length + i] = (uint8_t) (payload[header_length + i] % 16 +
													(fuzz_random(random, 20) > 0));
	}
}

static inline size_t
mutate_payload(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	uint64_t	random = seed;
	unsigned	changes = fuzz_random(&random, 4);

	if (changes == 0 || size < BF_HEADER_BYTES)
		size = LLVMFuzzerMutate(data, size, max_size);
	else if (size > BF_HEADER_BYTES && fuzz_random(&random, 3) == 0)
		size = BF_HEADER_BYTES + LLVMFuzzerMutate(data + BF_HEADER_BYTES, size - BF_HEADER_BYTES,
												  max_size - BF_HEADER_BYTES);
	if (size < BF_HEADER_BYTES)
		return size;
	for (; changes > 0; changes--)
	{
		const struct PayloadField *field = &payload_fields[fuzz_random(&random, PAYLOAD_FIELDS)];

		put_number(data, field->offset, field->bytes, field->values[fuzz_random(&random, 8)]);
	}
	if (fuzz_random(&random, 8) == 0)
		put_name(data, size, &random);
	if (fuzz_random(&random, 2) == 0)
		mend(data, size, &random);
	return size;
}

#endif							/* MUTATE_PAYLOAD_H */
