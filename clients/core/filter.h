/*-------------------------------------------------------------------------
 *
 * filter.h
 *		Filters outside the server: what clients in all languages are made
 *		of.
 *
 * The bits are those of src/core, which is compiled with this; here is a
 * filter that owns its memory, and every error that the server would raise, in
 * the same words.  C11 and its library, nothing else.
 *
 *		bf_clients_init();					once, before anything else
 *		filter = bf_filter_create(1000, 0.01, 0, &error);
 *		if (bf_filter_adopt(filter, BF_FAMILY_INTEGER, NULL, &error))
 *			bf_filter_add_hash(filter, bf_filter_hash_word8(filter, 42), &error);
 *		if (bf_filter_accepts(filter, BF_FAMILY_INTEGER, NULL, &error))
 *			found = bf_filter_contains_hash(filter, bf_filter_hash_word8(filter, 42));
 *		bf_filter_free(filter);
 *
 * Whoever tests or adds values asks bf_filter_accepts() or bf_filter_adopt()
 * first, and hashes them as their family is: a value of another type has
 * another hash, which would be a false "no".
 *
 * Functions that can fail return false or NULL, say why in *error, and leave
 * the filter as it was.  Numbers are written and read in the C locale, whatever
 * the program's is.  A filter may be read by several threads at a time; one
 * that is being added to, or passed to a function that takes it without
 * "const", by one only.
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

/* The SQLSTATEs that the server has for them. */
#define BF_ERROR_TEXT			"22P02" /* invalid_text_representation */
#define BF_ERROR_BINARY			"22P03" /* invalid_binary_representation */
#define BF_ERROR_PARAMETER		"22023" /* invalid_parameter_value */
#define BF_ERROR_MISMATCH		"42804" /* datatype_mismatch */
#define BF_ERROR_UNSUPPORTED	"0A000" /* feature_not_supported */
#define BF_ERROR_LIMIT			"54000" /* program_limit_exceeded */
#define BF_ERROR_MEMORY			"53200" /* out_of_memory */

/* UTF-8, terminated; an empty detail or hint is none. */
typedef struct BfError
{
	char		sqlstate[6];
	char		message[BF_MAX_NAME + 256];
	char		detail[2 * BF_MAX_NAME + 512];
	char		hint[BF_MAX_NAME + 256];
} BfError;

/* ---------- filters ---------- */

/*
 * To be read by clients, never written.  header.count may be too small while
 * there is a tree; bf_filter_count() is right.
 */
typedef struct BfFilter
{
	BfHeader	header;			/* its name is this filter's own */
	uint8_t    *data;			/* dense: blocks, on cache lines' boundaries;
								 * else the list, unless it is in the tree */
	BfHashTree *tree;			/* a list that is being added to */
	void	   *storage;		/* what data is within */
} BfFilter;

/* To be called once, when the client is loaded. */
extern void bf_clients_init(void);

/*
 * An empty filter for so many distinct values, rounded up, at that false
 * positive rate: bloom_create().
 */
extern BfFilter *bf_filter_create(double expected_items, double rate, int64_t seed,
								  BfError *error);

/* From the binary form: what bloomfilter::bytea or a binary cursor gives. */
extern BfFilter *bf_filter_from_bytes(const uint8_t *bytes, size_t len, BfError *error);

/* From the text form: what bloomfilter::text, psql or pg_dump show. */
extern BfFilter *bf_filter_from_text(const char *text, size_t len, BfError *error);

/*
 * From any form that is met with: text, binary, the binary form in base64 or as
 * the server writes a bytea ("\x5047..."), white space around all but the second.
 * A counting_bloomfilter is refused: see counting.h.
 */
extern BfFilter *bf_filter_parse(const uint8_t *input, size_t len, BfError *error);

/* An independent copy. */
extern BfFilter *bf_filter_copy(const BfFilter *filter, BfError *error);

/* NULL is allowed. */
extern void bf_filter_free(BfFilter *filter);

/* The binary form: its length, and to write so many bytes. */
extern size_t bf_filter_bytes_length(const BfFilter *filter);
extern void bf_filter_write_bytes(const BfFilter *filter, uint8_t *dst);

/*
 * The text form: room for it, and to write it, not terminated.  Returns its
 * length, or 0 if there is no memory.
 */
extern size_t bf_filter_text_room(const BfFilter *filter);
extern size_t bf_filter_write_text(BfFilter *filter, char *dst, BfError *error);

/* ---------- values ---------- */

/*
 * Can values of the family be tested?  Else *error says why not, and calls the
 * value's type by the name that is given, or else by that of the family.  An
 * own-hash filter takes none, since only the server can hash its values.
 */
extern bool bf_filter_accepts(const BfFilter *filter, BfFamily family,
							  const char *type_name, BfError *error);

/*
 * The same before values are added: the family becomes that of a filter that
 * has none yet.
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
 * Text, which must be UTF-8 without zero bytes: nothing here looks.  A bpchar,
 * char(n), comes without its trailing blanks: bf_length_without_blanks().
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

/* Is the hash, or are its bits, in the filter? */
static inline bool
bf_filter_contains_hash(const BfFilter *filter, uint64_t hash)
{
	if (filter->header.representation == BF_DENSE)
		return bf_block_contains(filter->data + bf_block_offset(hash, filter->header.blocks),
								 hash, filter->header.hashes);
	return bf_filter_list_contains(filter, hash);
}

/*
 * The same of many: 0 or 1 for each, in found, and how many there are.  Faster
 * than one by one, most of all where the filter is larger than the cache: give
 * some hundreds or thousands at a time.
 */
extern size_t bf_filter_contains_hashes(const BfFilter *filter, const uint64_t *hashes,
										int n, uint8_t *found);

/*
 * Add the hash, or hashes, of values whose family was adopted.  If memory runs
 * out, some of several hashes may have been added.
 */
extern bool bf_filter_add_hash(BfFilter *filter, uint64_t hash, BfError *error);
extern bool bf_filter_add_hashes(BfFilter *filter, const uint64_t *hashes, int n,
								 BfError *error);

/*
 * The same of very many at a time, faster where they are added to a list.  The
 * hashes are put into another order.
 */
extern bool bf_filter_add_many(BfFilter *filter, uint64_t *hashes, int n, BfError *error);

/* ---------- whole filters ---------- */

/* Make a the union of both, or their intersection. */
extern bool bf_filter_unite(BfFilter *a, BfFilter *b, BfError *error);
extern bool bf_filter_intersect(BfFilter *a, BfFilter *b, BfError *error);

/* The filter of 1/factor of the blocks: bloom_shrink(). */
extern BfFilter *bf_filter_shrink(BfFilter *filter, int32_t factor, BfError *error);

/* Are the binary forms the same? */
extern bool bf_filter_equal(BfFilter *a, BfFilter *b, bool *equal, BfError *error);

/*
 * The name of its values' type, for people to read: NULL if it has none yet.
 * The buffer may be used for it.
 */
extern const char *bf_filter_element_type(const BfFilter *filter, char buffer[BF_MAX_NAME + 1]);

/* The number of hashes in the list, 0 if it is dense. */
extern uint64_t bf_filter_count(const BfFilter *filter);

/* Has it neither a hash nor a bit?  Looks at blocks up to the first bit only. */
extern bool bf_filter_is_empty(const BfFilter *filter);

/* Bytes of memory that the filter takes. */
extern size_t bf_filter_memory(const BfFilter *filter);

/*
 * What bloom_info() tells beside the header.  The first three are 0 for unsized
 * filters, where it has nulls.
 */
typedef struct BfInfo
{
	uint64_t	bits;			/* in all blocks */
	uint64_t	bits_set;		/* or that would be if it were dense */
	double		fill;			/* their ratio */
	int64_t		items;			/* estimated distinct values; of a list exact */
	double		rate;			/* false positive rate as it is filled now */
	uint64_t	bytes;			/* of the value in a table */
} BfInfo;

extern bool bf_filter_info(BfFilter *filter, BfInfo *info, BfError *error);

/*
 * Write some of the blocks, BF_BLOCK_BYTES each: of a list those that its hashes
 * would make.  Not of unsized filters.
 */
extern bool bf_filter_write_blocks(BfFilter *filter, uint32_t first, uint32_t count,
								   uint8_t *dst, BfError *error);

/* The number of bits set in each of all blocks, in the same sense. */
extern bool bf_filter_count_blocks(BfFilter *filter, uint16_t *bits_set, BfError *error);

#endif							/* BF_FILTER_H */
