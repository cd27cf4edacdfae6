/*-------------------------------------------------------------------------
 *
 * horizon.h
 *		Snapshots that may see versions of rows that an index does not know.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_HORIZON_H
#define BF_INDEX_HORIZON_H

#include "access/transam.h"
#include "utils/snapshot.h"

/*
 * May the snapshot see what transactions before the horizon deleted?  Not if
 * the horizon is invalid.
 */
extern bool bf_is_behind(Snapshot snapshot, FullTransactionId horizon);

/*
 * Was the snapshot taken before the transaction committed, which built an index
 * and left out versions of rows?  Not if the transaction is invalid.
 */
extern bool bf_is_before_build(Snapshot snapshot, FullTransactionId builder);

#endif							/* BF_INDEX_HORIZON_H */
