/*-------------------------------------------------------------------------
 *
 * replaced.h
 *		Keeping the counts of an index that REINDEX CONCURRENTLY replaces.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_DDL_REPLACED_H
#define BF_INDEX_DDL_REPLACED_H

/*
 * The relation is about to be dropped.  If it is an index that another has
 * replaced, that gets its counts.
 */
extern void bf_index_keep_counts(Oid relation);

#endif							/* BF_INDEX_DDL_REPLACED_H */
