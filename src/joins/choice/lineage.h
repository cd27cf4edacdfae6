/*-------------------------------------------------------------------------
 *
 * lineage.h
 *		The partitioned tables above a partition.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_LINEAGE_H
#define BF_JOIN_LINEAGE_H

#include "joins/rules/statement.h"

/*
 * The partitioned tables above a partition, from the nearest on, as
 * get_partition_ancestors() tells them: none above one that is about to be
 * detached.
 */
extern List *bf_join_ancestors(BfJoinStatement *statement, Oid partition);

/*
 * Lock the tables above a partition, whose keys are read.  False if the query
 * names the partition alone: then it has not locked them and would keep them
 * locked.  Where it names a table above, the server looks at the bounds of that
 * itself.  Whoever changes tables locks from the top down, so to wait here might
 * be a deadlock: then false, too, and where a partition on the way is about to be
 * detached: what is above that is not found, but would be locked.
 */
extern bool bf_join_lock_ancestors(BfJoinStatement *statement, Oid partition);

/*
 * The newest transaction that attached a partition, or one of the partitioned
 * tables above it.
 */
extern TransactionId bf_join_attached_by(BfJoinStatement *statement, Oid partition);

#endif							/* BF_JOIN_LINEAGE_H */
