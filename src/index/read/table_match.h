/*-------------------------------------------------------------------------
 *
 * table_match.h
 *		Conditions against the filter of a table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_TABLE_MATCH_H
#define BF_INDEX_TABLE_MATCH_H

#include "access/skey.h"
#include "utils/rel.h"

/*
 * May a row match all conditions?  Speaks for rows of snapshots that are not
 * older than the filter.
 */
extern bool bf_table_may_match(Relation index, const ScanKeyData *keys, int nkeys);

#endif							/* BF_INDEX_TABLE_MATCH_H */
