/*-------------------------------------------------------------------------
 *
 * kind.h
 *		The kinds of values that Python knows, the families they can be of, and
 *		the hashes of their canonical bytes.
 *
 * A value's type tells its family: int is integer, str is text, and so on.
 * Where it tells too little, the caller names the family.  Nothing is guessed:
 * a value that is not certainly of a family is refused, since asking a filter
 * for it as something else would be a false negative.
 *
 * Free of Python's interpreter, so that batches can be hashed without it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_KIND_H
#define BF_KIND_H

#include "core/format.h"

typedef enum BfKind
{
	BF_PY_INT,
	BF_PY_BOOL,
	BF_PY_FLOAT,
	BF_PY_STR,
	BF_PY_BYTES,
	BF_PY_UUID,
	BF_PY_DATE,
	BF_PY_TIME,
	BF_PY_DATETIME,				/* naive */
	BF_PY_DATETIME_TZ,			/* aware */
	BF_PY_DATE64,				/* numpy's datetime64 in days */
	BF_PY_DATETIME64			/* the same in a unit of time */
} BfKind;

/* Why a value has no hash. */
typedef struct BfProblem
{
	const char *sqlstate;
	const char *message;
	const char *hint;			/* or NULL */
} BfProblem;

/* How the numbers of a datetime64 become microseconds (or stay days). */
typedef struct BfUnit
{
	int64_t		multiply;		/* by this, and then */
	int64_t		divide;			/* by this, without a remainder */
} BfUnit;

/*
 * The family of a value of that kind: the one that the caller wants, if the
 * kind can be that, or its own if the caller wants none.  BF_FAMILY_NONE if it
 * cannot.
 */
extern BfFamily bf_kind_family(BfKind kind, BfFamily wanted);

/* The name of the kind's type, for messages. */
extern const char *bf_kind_name(BfKind kind);

/*
 * These hash a value.  Those that return false have set the problem instead.
 */
extern uint64_t bf_hash_bool(bool value, uint64_t seed);
extern uint64_t bf_hash_double(double value, uint64_t seed);

/* An integer, or an OID if the family is that. */
extern bool bf_hash_int(BfFamily family, int64_t value, uint64_t seed, uint64_t *hash,
						const BfProblem **problem);

/* Microseconds since midnight. */
extern uint64_t bf_hash_time(int64_t microseconds, uint64_t seed);

/* Days since 2000-01-01. */
extern bool bf_hash_date(int64_t days, uint64_t seed, uint64_t *hash,
						 const BfProblem **problem);

/* Microseconds since 2000-01-01 00:00, with and without a time zone. */
extern bool bf_hash_timestamp(int64_t microseconds, uint64_t seed, uint64_t *hash,
							  const BfProblem **problem);

/* A datetime64: so many units since 1970-01-01. */
extern bool bf_hash_datetime64(BfKind kind, BfUnit unit, int64_t value, uint64_t seed,
							   uint64_t *hash, const BfProblem **problem);

/* Text in UTF-8, which it must be; without trailing blanks if told so. */
extern bool bf_hash_utf8(BfFamily family, bool strip_blanks, const char *utf8, size_t len,
						 uint64_t seed, uint64_t *hash, const BfProblem **problem);

/* Bytes, as many as the family's values have. */
extern bool bf_hash_bytes(BfFamily family, const void *bytes, size_t len, uint64_t seed,
						  uint64_t *hash, const BfProblem **problem);

/* For values that are missing, and for floats that were ints before some were. */
#define BF_HINT_MISSING	"Leave missing values out. A column of pandas has dropna() for that."
#define BF_HINT_FLOAT	"Give it as an int: int(value). pandas makes floats of a column of " \
						"integers with missing values: dropna().astype('Int64') has the integers."

/* Problems that callers find themselves. */
extern const BfProblem bf_integer_out_of_range;
extern const BfProblem bf_oid_out_of_range;
extern const BfProblem bf_not_utf8;
extern const BfProblem bf_no_time;
extern const BfProblem bf_below_microseconds;

#endif							/* BF_KIND_H */
