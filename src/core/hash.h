/*-------------------------------------------------------------------------
 *
 * hash.h
 *		The canonical bytes of the fixed families' values, and their hash.
 *
 * The bytes that are hashed for a value of a fixed family do not depend on the
 * build, the machine, the encoding or the version; docs/format.md specifies
 * them.  The server makes them from its datums (type/hashing/element.h),
 * clients from their own numbers and strings.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_HASH_H
#define BF_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/block.h"

#if XXH_VERSION_NUMBER < 800
#error "bloomfilter needs xxHash 0.8.0 or newer, from where XXH3 is frozen"
#endif

/* A hash function over canonical bytes. */
typedef uint64_t (*BfHashBytes) (const void *bytes, size_t len, uint64_t seed);

/* The hash function of filters. */
static inline uint64_t
bf_xxh3(const void *bytes, size_t len, uint64_t seed)
{
	return XXH3_64bits_withSeed(bytes, len, seed);
}

/* Integers, and times of day and timestamps in microseconds. */
static BF_ALWAYS_INLINE uint64_t
bf_hash_word8(int64_t value, BfHashBytes hash, uint64_t seed)
{
	uint8_t		bytes[8];

	bf_store_u64(bytes, (uint64_t) value);
	return hash(bytes, sizeof(bytes), seed);
}

/* Dates in days since 2000-01-01, and OIDs. */
static BF_ALWAYS_INLINE uint64_t
bf_hash_word4(uint32_t value, BfHashBytes hash, uint64_t seed)
{
	uint8_t		bytes[4];

	bytes[0] = (uint8_t) value;
	bytes[1] = (uint8_t) (value >> 8);
	bytes[2] = (uint8_t) (value >> 16);
	bytes[3] = (uint8_t) (value >> 24);
	return hash(bytes, sizeof(bytes), seed);
}

/*
 * Floats.  Both zeros have the same hash, and so have all NaNs, because they
 * are equal.
 */
static BF_ALWAYS_INLINE uint64_t
bf_hash_float8(double value, BfHashBytes hash, uint64_t seed)
{
	int64_t		bits;

	if (value == 0)
		value = 0;
	memcpy(&bits, &value, sizeof(bits));
	if (value != value)
		bits = INT64_C(0x7FF8000000000000);
	return bf_hash_word8(bits, hash, seed);
}

/*
 * The length of text without its trailing blanks.  The text is in UTF-8 or in
 * another encoding that contains ASCII.
 */
static inline size_t
bf_length_without_blanks(const char *s, size_t len)
{
	while (len > 0 && s[len - 1] == ' ')
		len--;
	return len;
}

#endif							/* BF_HASH_H */
