/*-------------------------------------------------------------------------
 *
 * batch.h
 *		Many values at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_BATCH_H
#define BF_BATCH_H

#include "object.h"

/*
 * These test and add one value, after settling its family: one that the caller
 * names, or BF_FAMILY_NONE.  Return -1 with an exception set; the former else 0
 * or 1.
 */
extern int	bf_test_value(BfObject *self, PyObject *value, BfFamily wanted);
extern int	bf_add_value(BfObject *self, PyObject *value, BfFamily wanted);

/* The same that tells the hash of a value that the filter accepts. */
extern int	bf_hash_for(BfObject *self, PyObject *value, BfFamily wanted, uint64_t *hash);

/*
 * Test all values of an array, writing 0 or 1 for each into a buffer of as many
 * bytes.  Returns 0, or -1 with an exception set.
 */
extern int	bf_test_array(BfObject *self, PyObject *array, PyObject *found, BfFamily wanted);

/*
 * Add all values of an array.  Returns 0, or -1 with an exception set: the
 * values before the one that is to blame may have been added.
 */
extern int	bf_add_array(BfObject *self, PyObject *array, BfFamily wanted);

/*
 * The same of whatever can be iterated over, value by value.  The former returns
 * a list of bools.
 */
extern PyObject *bf_test_each(BfObject *self, PyObject *values, BfFamily wanted);
extern int	bf_add_each(BfObject *self, PyObject *values, BfFamily wanted);

#endif							/* BF_BATCH_H */
