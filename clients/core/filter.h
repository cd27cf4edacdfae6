/*-------------------------------------------------------------------------
 *
 * filter.h
 *		Filters outside the server: the core of the clients in all languages.
 *
 * The formats and algorithms are those of src/core, which is compiled together
 * with this.  This adds a filter that owns its memory, and every error that
 * the server would raise, in the same words.  Requires only C11 and its
 * library.
 *
 *		bf_clients_init();					once, before anything else
 *		filter = bf_filter_create(1000, 0.01, 0, &error);
 *		if (bf_filter_adopt(filter, BF_FAMILY_INTEGER, NULL, &error))
 *			bf_filter_add_hash(filter, bf_filter_hash_word8(filter, 42), &error);
 *		if (bf_filter_accepts(filter, BF_FAMILY_INTEGER, NULL, &error))
 *			found = bf_filter_contains_hash(filter, bf_filter_hash_word8(filter, 42));
 *		bf_filter_free(filter);
 *
 * Before you test or add values, call bf_filter_accepts() or
 * bf_filter_adopt(), and hash the values with the function for their family: a
 * value of another type has another hash, and its test would give a false
 * negative.
 *
 * Functions that can fail return false or NULL, set *error, and leave the
 * filter unchanged.  Numbers are written and read in the C locale, whatever
 * the program's locale is.  Several threads may read a filter at the same
 * time; while values are added to it, or while it is passed to a function that
 * does not declare it "const", only one thread may use it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_FILTER_H
#define BF_FILTER_H

#include "core/blocks.h"
#include "core/data.h"
#include "core/format.h"
#include "core/hash.h"
#include "hashtree.h"

/* ---------- errors ---------- */

/* The SQLSTATEs of the server's errors. */
#define BF_ERROR_TEXT			"22P02" /* invalid_text_representation */
#define BF_ERROR_BINARY			"22P03" /* invalid_binary_representation */
#define BF_ERROR_PARAMETER		"22023" /* invalid_parameter_value */
#define BF_ERROR_MISMATCH		"42804" /* datatype_mismatch */
#define BF_ERROR_UNSUPPORTED	"0A000" /* feature_not_supported */
#define BF_ERROR_LIMIT			"54000" /* program_limit_exceeded */
#define BF_ERROR_MEMORY			"53200" /* out_of_memory */

/* UTF-8, zero-terminated; detail and hint may be empty. */
typedef struct BfError
{
	char		sqlstate[6];
	char		message[BF_MAX_NAME + 256];
	char		detail[2 * BF_MAX_NAME + 512];
	char		hint[BF_MAX_NAME + 256];
} BfError;

/* ---------- filters ---------- */

/*
 * Clients may read these fields, but must not write them.  While there is a
 * tree, header.count may be too small; use bf_filter_count().
 */
typedef struct BfFilter
{
	BfHeader	header;			/* the filter owns the header's name */
	uint8_t    *data;			/* dense: blocks, on cache lines' boundaries;
								 * else the list, unless it is in the tree */
	BfHashTree *tree;			/* the list while hashes are added, or NULL */
	void	   *storage;		/* the allocated memory that contains data */
} BfFilter;

/* Call this once, when the client is loaded. */
extern void bf_clients_init(void);

/*
 * An empty filter for so many distinct values (rounded up) at this false
 * positive rate, like bloom_create().
 */
extern BfFilter *bf_filter_create(double expected_items, double rate, int64_t seed,
								  BfError *error);

/*
 * Read the binary form: the result of bloomfilter::bytea, or of a binary
 * cursor.
 */
extern BfFilter *bf_filter_from_bytes(const uint8_t *bytes, size_t len, BfError *error);

/* Read the text form, as shown by bloomfilter::text, psql or pg_dump. */
extern BfFilter *bf_filter_from_text(const char *text, size_t len, BfError *error);

/*
 * Read any form: text; binary; the binary form in base64; or the binary form
 * as the server writes a bytea ("\x5047...").  White space is allowed around
 * all but the binary form.  A counting_bloomfilter is refused: see counting.h.
 */
extern BfFilter *bf_filter_parse(const uint8_t *input, size_t len, BfError *error);

/* An independent copy. */
extern BfFilter *bf_filter_copy(const BfFilter *filter, BfError *error);

/* filter may be NULL. */
extern void bf_filter_free(BfFilter *filter);

/* The length of the binary form; and write it, so many bytes. */
extern size_t bf_filter_bytes_length(const BfFilter *filter);
extern void bf_filter_write_bytes(const BfFilter *filter, uint8_t *dst);

/*
 * Room for the text form; and write it, not terminated.  Returns its length,
 * or 0 if there is no memory.
 */
extern size_t bf_filter_text_room(const BfFilter *filter);
extern size_t bf_filter_write_text(BfFilter *filter, char *dst, BfError *error);

/* ---------- values ---------- */

/*
 * Can values of the family be tested?  If not, *error gets the reason.  Its
 * detail calls the value's type by type_name or, if that is NULL, by the
 * family's name.  An own-hash filter accepts no values, since only the server
 * can hash them.
 */
extern bool bf_filter_accepts(const BfFilter *filter, BfFamily family,
							  const char *type_name, BfError *error);

/*
 * The same before values are added.  If the filter has no family yet, it gets
 * this family.
 */
extern bool bf_filter_adopt(BfFilter *filter, BfFamily family, const char *type_name,
							BfError *error);

/* Integers; times and timestamps in microseconds. */
static inline uint64_t
bf_filter_hash_word8(const BfFilter *filter, int64_t value)
{
	return bf_hash_word8(value, bf_xxh3, (uint64_t) filter->header.seed);
}

/* Dates in days since 2000-01-01, and OIDs. */
static inline uint64_t
bf_filter_hash_word4(const BfFilter *filter, uint32_t value)
{
	return bf_hash_word4(value, bf_xxh3, (uint64_t) filter->header.seed);
}

static inline uint64_t
bf_filter_hash_float8(const BfFilter *filter, double value)
{
	return bf_hash_float8(value, bf_xxh3, (uint64_t) filter->header.seed);
}

/* uuid and bytea; booleans and "char" as one byte. */
static inline uint64_t
bf_filter_hash_bytes(const BfFilter *filter, const void *bytes, size_t len)
{
	return bf_xxh3(bytes, len, (uint64_t) filter->header.seed);
}

/*
 * Text, which must be UTF-8 without zero bytes; this is not checked.  Pass a
 * bpchar, char(n), without its trailing blanks: bf_length_without_blanks().
 */
static inline uint64_t
bf_filter_hash_text(const BfFilter *filter, const char *utf8, size_t len)
{
	if (bf_strips_blanks(&filter->header))
		len = bf_length_without_blanks(utf8, len);
	return bf_xxh3(utf8, len, (uint64_t) filter->header.seed);
}

/* ---------- hashes ---------- */

/* Is the hash in the list? */
extern bool bf_filter_list_contains(const BfFilter *filter, uint64_t hash);

/* Does the filter contain the hash, or all its bits? */
static inline bool
bf_filter_contains_hash(const BfFilter *filter, uint64_t hash)
{
	if (filter->header.representation == BF_DENSE)
		return bf_block_contains(filter->data + bf_block_offset(hash, filter->header.blocks),
								 hash, filter->header.hashes);
	return bf_filter_list_contains(filter, hash);
}

/*
 * The same for many hashes: found gets 0 or 1 for each.  Returns how many were
 * found.  Faster than testing them one by one, above all if the filter is
 * larger than the cache: pass some hundreds or thousands at a time.
 */
extern size_t bf_filter_contains_hashes(const BfFilter *filter, const uint64_t *hashes,
										int n, uint8_t *found);

/*
 * Add the hash, or hashes, of values whose family was adopted.  After an error
 * for want of memory, some of several hashes may have been added.
 */
extern bool bf_filter_add_hash(BfFilter *filter, uint64_t hash, BfError *error);
extern bool bf_filter_add_hashes(BfFilter *filter, const uint64_t *hashes, int n,
								 BfError *error);

/*
 * The same for very many hashes at a time; faster if they are added to a list.
 * The order of the hashes in the array changes.
 */
extern bool bf_filter_add_many(BfFilter *filter, uint64_t *hashes, int n, BfError *error);

/* ---------- whole filters ---------- */

/* Turn a into the union, or the intersection, of a and b. */
extern bool bf_filter_unite(BfFilter *a, BfFilter *b, BfError *error);
extern bool bf_filter_intersect(BfFilter *a, BfFilter *b, BfError *error);

/* A filter with 1/factor of the blocks, like bloom_shrink(). */
extern BfFilter *bf_filter_shrink(BfFilter *filter, int32_t factor, BfError *error);

/* Sets *equal: are the binary forms the same? */
extern bool bf_filter_equal(BfFilter *a, BfFilter *b, bool *equal, BfError *error);

/*
 * The name of the values' type for people to read; NULL if the filter has none
 * yet.  The result may be in the buffer.
 */
extern const char *bf_filter_element_type(const BfFilter *filter, char buffer[BF_MAX_NAME + 1]);

/* The number of hashes in the list; 0 if the filter is dense. */
extern uint64_t bf_filter_count(const BfFilter *filter);

/* Is the filter without hashes and bits?  Reads blocks up to the first bit. */
extern bool bf_filter_is_empty(const BfFilter *filter);

/* Bytes of memory that the filter takes. */
extern size_t bf_filter_memory(const BfFilter *filter);

/*
 * The columns of bloom_info() that are not in the header.  The first three are
 * 0 for unsized filters, for which bloom_info() returns NULLs.
 */
typedef struct BfInfo
{
	uint64_t	bits;			/* in all blocks */
	uint64_t	bits_set;		/* for a list, in the dense filter */
	double		fill;			/* bits_set / bits */
	int64_t		items;			/* distinct values: estimated; a list: exact */
	double		rate;			/* current false positive rate */
	uint64_t	bytes;			/* size of the value in a table */
} BfInfo;

extern bool bf_filter_info(BfFilter *filter, BfInfo *info, BfError *error);

/*
 * Write some of the blocks, BF_BLOCK_BYTES each; for a list, those of the
 * dense filter.  Not for unsized filters.
 */
extern bool bf_filter_write_blocks(BfFilter *filter, uint32_t first, uint32_t count,
								   uint8_t *dst, BfError *error);

/*
 * The number of bits set in each block; for a list, in those of the dense
 * filter.
 */
extern bool bf_filter_count_blocks(BfFilter *filter, uint16_t *bits_set, BfError *error);

#endif							/* BF_FILTER_H */
