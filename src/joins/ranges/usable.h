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

#include "joins/skips.h"

/*
 * Open the index of a skip of the table, which must be locked.  NULL if the
 * index was dropped, is not of the skip's kind, is locked by who changes it, or
 * may not be used now.
 */
extern Relation bf_usable_open(const BfJoinSkip *skip, Relation table);

#endif							/* BF_JOIN_USABLE_H */
