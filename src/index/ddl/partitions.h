/*-------------------------------------------------------------------------
 *
 * partitions.h
 *		Indexes of partitions that differ from that of the partitioned table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_DDL_PARTITIONS_H
#define BF_INDEX_DDL_PARTITIONS_H

#include "utils/relcache.h"

/*
 * CREATE INDEX makes this index of a partitioned table.  Warn of indexes of
 * partitions that will belong to it, and that differ in scope or size.
 */
extern void bf_index_compare_partitions(Relation parent);

#endif							/* BF_INDEX_DDL_PARTITIONS_H */
