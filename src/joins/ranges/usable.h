/*-------------------------------------------------------------------------
 *
 * usable.h
 *		Opening an index that tells which blocks of a table are skipped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_USABLE_H
#define BF_JOIN_USABLE_H

#include "utils/relcache.h"

/*
 * Open an index of the table, which must be locked.  NULL if the index was
 * dropped, is not of this kind, is locked by who changes it, or may not be used
 * now.
 */
extern Relation bf_usable_open(Oid index, Relation table, bool (*is_kind) (Relation index));

#endif							/* BF_JOIN_USABLE_H */
