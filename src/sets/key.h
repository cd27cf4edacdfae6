/*-------------------------------------------------------------------------
 *
 * key.h
 *		The index by which the rows of a set are found.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_SETS_KEY_H
#define BF_SETS_KEY_H

#include "postgres.h"

#include "utils/relcache.h"

/* The index of a set's table: unique, of the column "segment"; or InvalidOid. */
extern Oid	bf_set_find_index(Relation table);

#endif							/* BF_SETS_KEY_H */
