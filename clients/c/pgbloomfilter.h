/*-------------------------------------------------------------------------
 *
 * pgbloomfilter.h
 *		Filters of the PostgreSQL extension bloomfilter, for programs in C,
 *		C++ and every language that can call C.
 *
 * README.md beside this file describes each function: units, ownership,
 * errors, threads.  In short:
 *
 * - A filter is made by pgbf_create(), pgbf_parse() and the like, and freed by
 *	 pgbf_free().
 * - A function that fails returns false, NULL or -1, and says why in *error,
 *	 which may be NULL.  It leaves the filter as it was, unless the function's
 *	 comment says otherwise.
 * - Test functions return 0 for "no", 1 for "maybe", and -1 for an error.  An
 *	 error that is not looked at is therefore taken for a "maybe".
 * - Several threads may read a filter at a time.  A function that takes a
 *	 filter without "const" needs that filter for itself.
 *
 * C99 or C++11, and nothing but their standard headers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PGBLOOMFILTER_H
#define PGBLOOMFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define PGBF_VERSION	"1.0.0"

#if defined(__GNUC__)
#define PGBF_API	__attribute__((visibility("default")))
#else
#define PGBF_API
#endif

/* The version of the library that the program runs with. */
PGBF_API const char *pgbf_version(void);

/* ---------- types ---------- */

typedef struct pgbf_filter pgbf_filter;
typedef struct pgbf_counting_filter pgbf_counting_filter;

/* The SQLSTATEs of errors; the server has the same for the same errors. */
#define PGBF_ERROR_TEXT			"22P02" /* no text form of a filter; not a uuid */
#define PGBF_ERROR_BINARY		"22P03" /* no binary form of a filter */
#define PGBF_ERROR_PARAMETER	"22023" /* an argument has a wrong value */
#define PGBF_ERROR_RANGE		"22003" /* a number is out of its type's range */
#define PGBF_ERROR_TIME			"22008" /* a date or time is out of range */
#define PGBF_ERROR_ENCODING		"22021" /* text is not UTF-8, or has a zero byte */
#define PGBF_ERROR_MISMATCH		"42804" /* the filter holds values of other types */
#define PGBF_ERROR_UNSUPPORTED	"0A000" /* only the server can do this */
#define PGBF_ERROR_LIMIT		"54000" /* the filter would become too large */
#define PGBF_ERROR_MEMORY		"53200" /* out of memory */

/*
 * Terminated, and in UTF-8 unless a message repeats malformed input that is not.
 * An error without a detail or hint has "" there.
 */
typedef struct pgbf_error
{
	char		sqlstate[8];
	char		message[1280];
	char		detail[2560];
	char		hint[1280];
} pgbf_error;

/* Types of values.  The numbers are those of the format and never change. */
typedef enum pgbf_family
{
	PGBF_NONE = 0,				/* of a filter that no value was added to */
	PGBF_INTEGER = 1,			/* smallint, integer, bigint */
	PGBF_TEXT = 2,				/* text, varchar, name */
	PGBF_BPCHAR = 3,			/* char(n): trailing blanks do not count */
	PGBF_FLOAT = 4,				/* real, double precision */
	PGBF_BOOLEAN = 5,
	PGBF_DATE = 6,
	PGBF_TIME = 7,
	PGBF_TIMESTAMP = 8,
	PGBF_TIMESTAMPTZ = 9,
	PGBF_UUID = 10,
	PGBF_BYTEA = 11,
	PGBF_OID = 12,
	PGBF_CHAR = 13,				/* "char", one byte */
	PGBF_OWN = 14				/* any other type: the server hashes its values */
} pgbf_family;

typedef enum pgbf_representation
{
	PGBF_SPARSE = 1,			/* a list of hashes */
	PGBF_DENSE = 2,				/* bits */
	PGBF_UNSIZED = 3			/* a partial state of an aggregate */
} pgbf_representation;

/* What bloom_info() gives, with 0 in place of its NULLs. */
typedef struct pgbf_info
{
	int64_t		expected_items;
	double		target_rate;	/* false positive rate that was asked for */
	int64_t		seed;
	int64_t		bits;
	int64_t		bits_set;		/* of a list: if it were dense */
	double		fill;			/* bits_set / bits */
	int64_t		estimated_items;	/* distinct values; exact of a list */
	double		estimated_rate; /* false positive rate as filled now */
	int64_t		bytes;			/* in a table, uncompressed */
	int32_t		hashes;			/* bits per value */
	int32_t		representation; /* pgbf_representation */
	char		element_type[1032]; /* as bloom_info() calls it; "" for NULL */
} pgbf_info;

/* ---------- filters ---------- */

/* An empty filter for so many distinct values at that rate: bloom_create(). */
PGBF_API pgbf_filter *pgbf_create(double expected_items, double rate, int64_t seed,
								  pgbf_error *error);

/*
 * From the binary form, the text form, or any form: text, binary, or the latter
 * as hexadecimal digits behind \x or in base64.
 */
PGBF_API pgbf_filter *pgbf_from_bytes(const void *bytes, size_t length, pgbf_error *error);
PGBF_API pgbf_filter *pgbf_from_text(const char *text, size_t length, pgbf_error *error);
PGBF_API pgbf_filter *pgbf_parse(const void *input, size_t length, pgbf_error *error);

PGBF_API pgbf_filter *pgbf_copy(const pgbf_filter *filter, pgbf_error *error);

/* NULL is allowed. */
PGBF_API void pgbf_free(pgbf_filter *filter);

/*
 * The binary and the text form, to be given to pgbf_release().  Text ends in a
 * zero byte that is not part of its length.  length may be NULL for text.
 */
PGBF_API void *pgbf_to_bytes(const pgbf_filter *filter, size_t *length, pgbf_error *error);
PGBF_API char *pgbf_to_text(pgbf_filter *filter, size_t *length, pgbf_error *error);

/* NULL is allowed. */
PGBF_API void pgbf_release(void *memory);

/* The type of the filter's values. */
PGBF_API pgbf_family pgbf_get_family(const pgbf_filter *filter);

/* size is sizeof(pgbf_info): what the program was compiled with. */
PGBF_API bool pgbf_get_info(pgbf_filter *filter, pgbf_info *info, size_t size,
							pgbf_error *error);

/* ---------- values ---------- */

/*
 * Numbers are values of these families:
 *
 *		PGBF_INTEGER		any
 *		PGBF_BOOLEAN		0 or 1
 *		PGBF_DATE			days since 2000-01-01
 *		PGBF_TIME			microseconds since midnight, up to 24:00
 *		PGBF_TIMESTAMP		microseconds since 2000-01-01 00:00
 *		PGBF_TIMESTAMPTZ	microseconds since 2000-01-01 00:00 UTC
 *		PGBF_OID			0 to 2^32 - 1
 *		PGBF_CHAR			the byte, 0 to 255
 *
 * -infinity and infinity are INT32_MIN and INT32_MAX days, or INT64_MIN and
 * INT64_MAX microseconds.
 *
 * Bytes are values of these:
 *
 *		PGBF_TEXT			UTF-8 without a zero byte
 *		PGBF_BPCHAR			likewise; trailing blanks are taken off
 *		PGBF_BYTEA			any
 *		PGBF_UUID			16 bytes, in the order in which a uuid is written
 *
 * Floats are of PGBF_FLOAT; a real is passed as the double that equals it.
 */
PGBF_API bool pgbf_add_number(pgbf_filter *filter, pgbf_family family, int64_t value,
							  pgbf_error *error);
PGBF_API bool pgbf_add_float(pgbf_filter *filter, double value, pgbf_error *error);
PGBF_API bool pgbf_add_bytes(pgbf_filter *filter, pgbf_family family, const void *bytes,
							 size_t length, pgbf_error *error);

PGBF_API int pgbf_has_number(const pgbf_filter *filter, pgbf_family family, int64_t value,
							 pgbf_error *error);
PGBF_API int pgbf_has_float(const pgbf_filter *filter, double value, pgbf_error *error);
PGBF_API int pgbf_has_bytes(const pgbf_filter *filter, pgbf_family family, const void *bytes,
							size_t length, pgbf_error *error);

/* bloom_hash() of the value with the filter's seed. */
PGBF_API bool pgbf_hash_number(const pgbf_filter *filter, pgbf_family family, int64_t value,
							   int64_t *hash, pgbf_error *error);
PGBF_API bool pgbf_hash_float(const pgbf_filter *filter, double value, int64_t *hash,
							  pgbf_error *error);
PGBF_API bool pgbf_hash_bytes(const pgbf_filter *filter, pgbf_family family, const void *bytes,
							  size_t length, int64_t *hash, pgbf_error *error);

/*
 * Is the value of that hash in the filter?  The hash is bloom_hash() with the
 * filter's seed: the only way to test values of PGBF_OWN.  Returns 0 or 1.
 */
PGBF_API int pgbf_has_hash(const pgbf_filter *filter, int64_t hash);

/* ---------- many values ---------- */

/*
 * Faster than value by value.  bytes[offsets[i]] up to, not including,
 * bytes[offsets[i + 1]] is the i-th of count values in bytes: there are count +
 * 1 offsets, as in Apache Arrow.
 *
 * If adding fails, values before the one that is wrong may have been added.
 */
PGBF_API bool pgbf_add_number_array(pgbf_filter *filter, pgbf_family family,
									const int64_t *values, size_t count, pgbf_error *error);
PGBF_API bool pgbf_add_float_array(pgbf_filter *filter, const double *values, size_t count,
								   pgbf_error *error);
PGBF_API bool pgbf_add_bytes_array(pgbf_filter *filter, pgbf_family family, const void *bytes,
								   const int64_t *offsets, size_t count, pgbf_error *error);

/*
 * 0 or 1 for each, in found.  Returns how many are 1, or -1, and then found has
 * nothing to be read.
 */
PGBF_API int64_t pgbf_has_number_array(const pgbf_filter *filter, pgbf_family family,
									   const int64_t *values, size_t count, uint8_t *found,
									   pgbf_error *error);
PGBF_API int64_t pgbf_has_float_array(const pgbf_filter *filter, const double *values,
									  size_t count, uint8_t *found, pgbf_error *error);
PGBF_API int64_t pgbf_has_bytes_array(const pgbf_filter *filter, pgbf_family family,
									  const void *bytes, const int64_t *offsets, size_t count,
									  uint8_t *found, pgbf_error *error);
PGBF_API int64_t pgbf_has_hash_array(const pgbf_filter *filter, const int64_t *hashes,
									 size_t count, uint8_t *found);

/* ---------- whole filters ---------- */

/*
 * Make a the union of both, or their intersection.  b keeps its values, and is
 * not const because its memory may be arranged anew.  a may be b.
 */
PGBF_API bool pgbf_unite(pgbf_filter *a, pgbf_filter *b, pgbf_error *error);
PGBF_API bool pgbf_intersect(pgbf_filter *a, pgbf_filter *b, pgbf_error *error);

/* A new filter of 1/factor of the blocks: bloom_shrink(). */
PGBF_API pgbf_filter *pgbf_shrink(pgbf_filter *filter, int32_t factor, pgbf_error *error);

/* Are the binary forms the same?  Returns 1, 0 or -1. */
PGBF_API int pgbf_equal(pgbf_filter *a, pgbf_filter *b, pgbf_error *error);

/* ---------- counting filters ---------- */

/* Values of the type counting_bloomfilter, which are read and not changed. */
PGBF_API pgbf_counting_filter *pgbf_counting_from_bytes(const void *bytes, size_t length,
														pgbf_error *error);
PGBF_API pgbf_counting_filter *pgbf_counting_from_text(const char *text, size_t length,
													   pgbf_error *error);
PGBF_API pgbf_counting_filter *pgbf_counting_parse(const void *input, size_t length,
												   pgbf_error *error);

/* NULL is allowed. */
PGBF_API void pgbf_counting_free(pgbf_counting_filter *counting);

PGBF_API void *pgbf_counting_to_bytes(const pgbf_counting_filter *counting, size_t *length,
									  pgbf_error *error);
PGBF_API char *pgbf_counting_to_text(pgbf_counting_filter *counting, size_t *length,
									 pgbf_error *error);

/* A new filter of its values, without their counts: the cast to bloomfilter. */
PGBF_API pgbf_filter *pgbf_counting_to_filter(const pgbf_counting_filter *counting,
											  pgbf_error *error);

/*
 * How often was the value added, at most: 0 to 15, which stands for 15 or more.
 * 0 is certain.  -1 is an error.
 */
PGBF_API int pgbf_count_number(const pgbf_counting_filter *counting, pgbf_family family,
							   int64_t value, pgbf_error *error);
PGBF_API int pgbf_count_float(const pgbf_counting_filter *counting, double value,
							  pgbf_error *error);
PGBF_API int pgbf_count_bytes(const pgbf_counting_filter *counting, pgbf_family family,
							  const void *bytes, size_t length, pgbf_error *error);
PGBF_API int pgbf_count_hash(const pgbf_counting_filter *counting, int64_t hash);

#ifdef __cplusplus
}
#endif

#endif							/* PGBLOOMFILTER_H */
