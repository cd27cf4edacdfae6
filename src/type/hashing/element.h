/*-------------------------------------------------------------------------
 *
 * element.h
 *		From a value of any type to its 64-bit hash.
 *
 * The family of a type, and how its values are hashed, are determined once per
 * call site and kept in a BfElement.  Hashing a value is then a switch and an
 * inlined XXH3.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_ELEMENT_H
#define BF_ELEMENT_H

#include "fmgr.h"
#include "catalog/pg_collation_d.h"
#include "utils/date.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "compat.h"
#include "core/format.h"
#include "core/hash.h"
#include "type/hashing/generation.h"
#include "type/hashing/hasher.h"

/* How the canonical bytes of a value are made. */
typedef enum BfHashKind
{
	BF_KIND_INT2,
	BF_KIND_INT4,
	BF_KIND_INT8,				/* also time, timestamp, timestamptz */
	BF_KIND_WORD4,				/* date, oid: four bytes */
	BF_KIND_BYTE,				/* boolean, "char" */
	BF_KIND_FLOAT4,
	BF_KIND_FLOAT8,
	BF_KIND_UUID,
	BF_KIND_BYTEA,
	BF_KIND_TEXT,
	BF_KIND_BPCHAR,
	BF_KIND_NAME,
	BF_KIND_CSTRING,			/* a literal without a type */
	BF_KIND_OWN
} BfHashKind;

/* A type of values, ready to be hashed; all zeros before initialization. */
typedef struct BfElement
{
	uint64		generation;		/* when initialized; 0: not initialized */
	Oid			typid;			/* as the caller passed it, not its base type */
	BfFamily	family;
	BfHashKind	kind;
	bool		to_utf8;		/* text that is not ASCII needs a conversion */
	/* own-hash families only */
	BfHasher   *hasher;
	uint64_t	environment;
	char	   *name;			/* padded as in a filter's header */
	size_t		name_len;
} BfElement;

/*
 * Is the element initialized, and would initializing it again give the same?
 * Check this for every value.  If the element is not current, initialize it
 * again and discard everything derived from it.
 */
static inline bool
bf_element_is_current(const BfElement *element)
{
	return element->generation == bf_generation;
}

/*
 * Determine how values of the type are hashed.  Raises an error if they cannot
 * be.  Allocates in mcxt, which must be the same for all calls for an element.
 */
extern void bf_element_init(BfElement *element, Oid typid, Oid collation,
							MemoryContext mcxt);

/* Initialize the element for a call's argument, in the call site's fn_mcxt. */
extern void bf_element_init_from_arg(BfElement *element, FunctionCallInfo fcinfo,
									 int argno);

/*
 * The same for types that are hashed by canonical bytes.  Never raises an
 * error: returns false for all other types, and if hashing might raise an
 * error.
 */
extern bool bf_element_init_plain(BfElement *element, Oid typid, Oid collation);

/*
 * Hash text of a SQL_ASCII database as it is instead of refusing what is not
 * ASCII: for hashes that never leave the database.
 */
extern void bf_element_keep_bytes(BfElement *element);

/*
 * Is this one of our filter types, and which one?  They are identified by
 * their input functions.
 */
extern bool bf_is_filter(Oid typid, BfFilterType *type);

/*
 * Hash a value of a kind with variable length.  With strip_blanks, trailing
 * blanks of text are ignored.
 */
extern uint64_t bf_hash_variable(const BfElement *element, bool strip_blanks,
								 Datum value, BfHashBytes hash, uint64_t seed);

/*
 * A hash for bloom_shard(); trailing blanks of text are ignored.  It is
 * computed by another hash function (XXH64), so that it is independent of the
 * hashes in filters of every seed.
 */
extern uint64_t bf_shard_hash(const BfElement *element, Datum value);

/*
 * Hash a value's canonical bytes.  The caller passes a constant hash function,
 * which is inlined for each width.
 */
static pg_attribute_always_inline uint64_t
bf_hash_with(const BfElement *element, bool strip_blanks, Datum value,
			 BfHashBytes hash, uint64_t seed)
{
	uint8_t		byte;

	switch (element->kind)
	{
		case BF_KIND_INT2:
			return bf_hash_word8(DatumGetInt16(value), hash, seed);
		case BF_KIND_INT4:
			return bf_hash_word8(DatumGetInt32(value), hash, seed);
		case BF_KIND_INT8:
			return bf_hash_word8(DatumGetInt64(value), hash, seed);
		case BF_KIND_WORD4:
			return bf_hash_word4(DatumGetUInt32(value), hash, seed);
		case BF_KIND_BYTE:
			byte = DatumGetUInt8(value);
			return hash(&byte, 1, seed);
		case BF_KIND_FLOAT4:
			return bf_hash_float8(DatumGetFloat4(value), hash, seed);
		case BF_KIND_FLOAT8:
			return bf_hash_float8(DatumGetFloat8(value), hash, seed);
		case BF_KIND_UUID:
			return hash(DatumGetUUIDP(value)->data, UUID_LEN, seed);
		default:
			return bf_hash_variable(element, strip_blanks, value, hash, seed);
	}
}

/* The hash of a value in a filter with this seed. */
static inline uint64_t
bf_hash_value(const BfElement *element, bool strip_blanks, Datum value,
			  uint64_t seed)
{
	return bf_hash_with(element, strip_blanks, value, bf_xxh3, seed);
}

#endif							/* BF_ELEMENT_H */
