/*-------------------------------------------------------------------------
 *
 * stable.h
 *		Columns whose equal values may have different hashes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_STABLE_H
#define BF_INDEX_STABLE_H

#include "utils/relcache.h"

/*
 * Raise an error (0A000) if the server's hash function of a column gives
 * different hashes to values that are equal, or may do so later: then rows would
 * not be found.  Functions of other operator classes are trusted.
 */
extern void bf_index_require_stable(Relation index);

#endif							/* BF_INDEX_STABLE_H */
