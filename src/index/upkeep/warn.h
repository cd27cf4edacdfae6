/*-------------------------------------------------------------------------
 *
 * warn.h
 *		What VACUUM says of filters that it could not rebuild.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_WARN_H
#define BF_INDEX_WARN_H

#include "utils/rel.h"

/* Warn that an attempt to rebuild filters of the index has failed. */
extern void bf_warn_of_attempt(Relation index, const ErrorData *error);

#endif							/* BF_INDEX_WARN_H */
