/*-------------------------------------------------------------------------
 *
 * value.h
 *		From an object of Python's to its family and hash.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_VALUE_H
#define BF_VALUE_H

#include "python.h"

/* What a value is to be hashed for. */
typedef struct BfTarget
{
	BfFamily	wanted;			/* that the caller names, or BF_FAMILY_NONE */
	bool		strip_blanks;	/* the filter is one of bpchar */
	uint64_t	seed;
} BfTarget;

/*
 * Hash a value, and tell its family, which the filter may still not accept.
 * Runs whatever code the value's class has.  Returns 0, or -1 with an exception
 * set.
 */
extern int	bf_value_hash(const BfModule *module, const BfTarget *target, PyObject *value,
						  BfFamily *family, uint64_t *hash);

#endif							/* BF_VALUE_H */
