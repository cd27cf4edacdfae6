/*-------------------------------------------------------------------------
 *
 * library.h
 *		What the sources of libpgbloomfilter share: its opaque types, and
 *		errors and values on their way to clients/core.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_LIBRARY_H
#define BF_LIBRARY_H

#include "../pgbloomfilter.h"

#include "counting.h"
#include "filter.h"

/* Values that are hashed before the first of them is tested or added. */
#define BF_BATCH	256

/*
 * A filter of clients/core goes by another name in the public header, and a
 * counting filter too.
 */
static inline BfFilter *
bf_inner(pgbf_filter *filter)
{
	return (BfFilter *) filter;
}

static inline const BfFilter *
bf_inner_const(const pgbf_filter *filter)
{
	return (const BfFilter *) filter;
}

static inline const BfCountingFilter *
bf_counting_inner(const pgbf_counting_filter *counting)
{
	return (const BfCountingFilter *) counting;
}

static inline pgbf_filter *
bf_outer(BfFilter *filter)
{
	return (pgbf_filter *) filter;
}

/* No bytes may be passed as NULL, but not on to functions of the C library. */
static inline const void *
bf_or_empty(const void *bytes)
{
	return bytes != NULL ? bytes : "";
}

/* Initialize clients/core, once.  Every function that makes a filter does. */
extern void bf_library_begin(void);

/* Copy an error to the caller's, which may be NULL.  Returns false. */
extern bool bf_report(const BfError *from, pgbf_error *to);

/* An error of these parts; the detail and the hint may be NULL.  Returns false. */
extern bool bf_refuse(pgbf_error *error, const char *sqlstate, const char *message,
					  const char *detail, const char *hint);

/* ---------- values ---------- */

/* Of which of the three kinds are values of the family passed? */
typedef enum BfPassed
{
	BF_PASSED_NOT,				/* of none: no such family, or PGBF_OWN */
	BF_PASSED_NUMBER,
	BF_PASSED_FLOAT,
	BF_PASSED_BYTES
} BfPassed;

/*
 * May values of the family, passed so, be tested against the filter?  Returns
 * false and reports why not.
 */
extern bool bf_check_family(const BfFilter *filter, pgbf_family family, BfPassed passed,
							pgbf_error *error);

/*
 * The hash of a value, whose family has been checked.  They return false if
 * there is no such value.
 */
extern bool bf_hash_number(const BfFilter *filter, pgbf_family family, int64_t value,
						   uint64_t *hash, pgbf_error *error);
extern bool bf_hash_bytes(const BfFilter *filter, pgbf_family family, const void *bytes,
						  size_t length, uint64_t *hash, pgbf_error *error);

/*
 * Is it UTF-8 without a zero byte, as text in the server is?  Returns the length
 * of what is, which is len if all of it is.
 */
extern size_t bf_utf8_valid_length(const uint8_t *s, size_t len);

/* The binary and the text form, in memory for pgbf_release(). */
extern void *bf_make_bytes(const BfFilter *filter, size_t *length, pgbf_error *error);
extern char *bf_make_text(BfFilter *filter, size_t *length, pgbf_error *error);

#endif							/* BF_LIBRARY_H */
