/*-------------------------------------------------------------------------
 *
 * direct.h
 *		Reading rows of a set by its index, without the executor.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETS_DIRECT_H
#define BF_SETS_DIRECT_H

#include "postgres.h"

#include "sets/set.h"

/*
 * Read the rows of n segments as BF_SET_READ does.  rows[i] is palloc'd, or
 * NULL if it is missing.  Returns false if only a statement can tell what the
 * caller may see, or there is no index.
 */
extern bool bf_set_read_directly(const BfSet *set, bool read_only, const int32 *segments, int n,
								 bytea **rows);

#endif							/* BF_SETS_DIRECT_H */
