/*-------------------------------------------------------------------------
 *
 * format.h
 *		The stored form of a filter: its header, its element families, and the
 *		validator that every input passes.
 *
 * A stored filter is a varlena whose contents (the "payload") are
 *
 *		0		header, 64 bytes, all integers little-endian
 *		64		own-hash families only: the type's qualified name, padded
 *				with zero bytes to a multiple of 8
 *		..		dense: blocks of 64 bytes; sparse and unsized: hashes of 8
 *				bytes each, ascending, no two equal
 *
 * For a counting_bloomfilter only the data differ:
 *
 *		..		dense: blocks of 256 bytes, see counters.h; sparse: hashes as
 *				above, and after all of them their counts, one byte each
 *
 * docs/format.md describes every field for other programs.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_FORMAT_H
#define BF_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/block.h"
#include "core/counters.h"
#include "core/name.h"

#define BF_FORMAT_VERSION	1
#define BF_HEADER_BYTES		64

/* XXH3 with the rotated split block of block.h; the only one so far. */
#define BF_HASH_XXH3		1

/*
 * Largest number of hashes in a list: 512 MiB of hashes, as large as the
 * blocks of the largest filter.  The text form takes four thirds of that,
 * which fits in the server's maximum of 1 GiB for a value.
 */
#define BF_MAX_LIST			(UINT64_C(1) << 26)

/* The bytes around a payload in binary and bytea form. */
#define BF_WIRE_MAGIC		"PGBF"
#define BF_COUNTING_WIRE_MAGIC	"PGCB"
#define BF_WIRE_MAGIC_BYTES	4
#define BF_WIRE_CRC_BYTES	4

/* Offsets of the header's fields. */
#define BF_OFF_VERSION			0	/* uint8 */
#define BF_OFF_REPRESENTATION	1	/* uint8 */
#define BF_OFF_HEADER_LENGTH	2	/* uint16, with the padded name */
#define BF_OFF_HASHES			4	/* uint8 */
#define BF_OFF_HASH_ID			5	/* uint8 */
#define BF_OFF_FLAGS			6	/* uint16, zero */
#define BF_OFF_FAMILY			8	/* uint16 */
#define BF_OFF_RESERVED1		10	/* uint16, zero */
#define BF_OFF_BLOCKS			12	/* uint32 */
#define BF_OFF_ENVIRONMENT		16	/* uint64 */
#define BF_OFF_SEED				24	/* int64 */
#define BF_OFF_CAPACITY			32	/* uint64 */
#define BF_OFF_RATE				40	/* IEEE 754 binary64 */
#define BF_OFF_COUNT			48	/* uint64 */
#define BF_OFF_RESERVED2		56	/* uint64, zero */

/* The types of filters.  They differ only in having bits or counters. */
typedef enum BfFilterType
{
	BF_PLAIN,					/* bloomfilter */
	BF_COUNTING					/* counting_bloomfilter: counters, not bits */
} BfFilterType;

typedef enum BfRepresentation
{
	BF_SPARSE = 1,				/* at most as many hashes as blocks */
	BF_DENSE = 2,				/* blocks */
	BF_UNSIZED = 3				/* hashes, capacity not known yet; only plain */
} BfRepresentation;

/*
 * A counting filter's representation is stored with this added, as 4 or 5, so
 * that neither type is ever read as the other.
 */
#define BF_COUNTING_REPRESENTATIONS	3

/* What a filter's values are, and how they are hashed.  Frozen. */
typedef enum BfFamily
{
	BF_FAMILY_NONE = 0,			/* no value was ever added */
	BF_FAMILY_INTEGER = 1,
	BF_FAMILY_TEXT = 2,
	BF_FAMILY_BPCHAR = 3,
	BF_FAMILY_FLOAT = 4,
	BF_FAMILY_BOOLEAN = 5,
	BF_FAMILY_DATE = 6,
	BF_FAMILY_TIME = 7,
	BF_FAMILY_TIMESTAMP = 8,
	BF_FAMILY_TIMESTAMPTZ = 9,
	BF_FAMILY_UUID = 10,
	BF_FAMILY_BYTEA = 11,
	BF_FAMILY_OID = 12,
	BF_FAMILY_CHAR = 13,
	BF_FAMILY_OWN = 14			/* the type's own extended hash function */
} BfFamily;

#define BF_FAMILY_LAST	BF_FAMILY_OWN

/*
 * Does a filter of this family accept values of that family?  (Values of
 * own-hash types must also be of the same type in the same environment.)
 */
static inline bool
bf_family_takes(BfFamily filter, BfFamily value)
{
	return filter == value || filter == BF_FAMILY_NONE ||
		(filter == BF_FAMILY_TEXT && value == BF_FAMILY_BPCHAR) ||
		(filter == BF_FAMILY_BPCHAR && value == BF_FAMILY_TEXT);
}

/*
 * What the hash of an own-hash type depends on besides the value, packed as
 * stored.  A part is zero if the hash does not depend on it; all parts are
 * zero in all other families.
 *
 *		bits 0..1	byte order
 *		bits 2..3	signedness of char
 *		bits 4..7	zero
 *		bits 8..15	the database encoding's number, plus one
 *		bits 16..63	tag of the database's locale and of the type's definition
 */
#define BF_LITTLE_ENDIAN	1
#define BF_BIG_ENDIAN		2
#define BF_SIGNED_CHAR		1
#define BF_UNSIGNED_CHAR	2

#define BF_ENVIRONMENT_BYTE_ORDER(env)	((int) ((env) & 3))
#define BF_ENVIRONMENT_CHAR(env)		((int) ((env) >> 2 & 3))
#define BF_ENVIRONMENT_RESERVED(env)	((int) ((env) >> 4 & 15))
#define BF_ENVIRONMENT_ENCODING(env)	((int) ((env) >> 8 & 255))
#define BF_ENVIRONMENT_TAG(env)			((uint64_t) (env) >> 16)

#define BF_ENVIRONMENT(byte_order, char_sign, encoding, tag) \
	((uint64_t) (byte_order) | (uint64_t) (char_sign) << 2 | \
	 (uint64_t) (encoding) << 8 | (uint64_t) (tag) << 16)

/* The header, decoded. */
typedef struct BfHeader
{
	BfFilterType type;
	BfRepresentation representation;
	int			hashes;			/* k: bits per value; 0 when unsized */
	uint32_t	blocks;			/* 0 when unsized */
	BfFamily	family;
	uint64_t	environment;
	int64_t		seed;
	uint64_t	capacity;		/* n; 0 when unsized */
	double		rate;			/* p */
	uint64_t	count;			/* hashes in the list; 0 when dense */
	const char *name;			/* own-hash families: see name.h; not
								 * terminated */
	size_t		name_len;		/* without padding; 0 for other families */
} BfHeader;

/* Does this filter ignore trailing blanks of text? */
static inline bool
bf_strips_blanks(const BfHeader *header)
{
	return header->family == BF_FAMILY_BPCHAR;
}

/* Size of a block, and largest number of blocks, of a filter of this type. */
static inline size_t
bf_block_bytes(BfFilterType type)
{
	return type == BF_COUNTING ? BF_COUNTER_BLOCK_BYTES : BF_BLOCK_BYTES;
}

static inline uint32_t
bf_max_blocks(BfFilterType type)
{
	return type == BF_COUNTING ? BF_MAX_COUNTER_BLOCKS : BF_MAX_BLOCKS;
}

/* Bytes per hash in a list. */
static inline size_t
bf_listed_bytes(BfFilterType type)
{
	return sizeof(uint64_t) + (type == BF_COUNTING ? 1 : 0);
}

/* Bytes of the header with the padded name, and of the data after it. */
extern size_t bf_header_length(const BfHeader *header);
extern size_t bf_data_length(const BfHeader *header);

/* Write the header and the padded name, bf_header_length() bytes. */
extern void bf_header_write(const BfHeader *header, uint8_t *payload);

/*
 * Decode the header, and check its fields against each other and against the
 * payload's length.  Reads only the header, at most BF_HEADER_BYTES +
 * BF_MAX_NAME bytes.  header->name points into the payload.  Returns NULL, or
 * the reason why this is not a filter of the type.
 */
extern const char *bf_header_read(BfFilterType type, const uint8_t *payload, size_t len,
								  BfHeader *header);

/* Like bf_header_read(), but checks the data after the header too. */
extern const char *bf_validate(BfFilterType type, const uint8_t *payload, size_t len,
							   BfHeader *header);

/* The type's name, and the magic at the start of its binary form. */
extern const char *bf_filter_type_name(BfFilterType type);
extern const char *bf_wire_magic(BfFilterType type);

/* The family's name as users see it; not for BF_FAMILY_OWN and _NONE. */
extern const char *bf_family_name(BfFamily family);

/*
 * The type to which a user casts a value so that it is of the family.  Not for
 * BF_FAMILY_OWN and BF_FAMILY_NONE.
 */
extern const char *bf_family_cast_type(BfFamily family);

/* The family with that name; BF_FAMILY_NONE if there is none. */
extern BfFamily bf_family_by_name(const char *name, size_t len);

#endif							/* BF_FORMAT_H */
