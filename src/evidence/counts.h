/*-------------------------------------------------------------------------
 *
 * counts.h
 *		What join filters did in each table, and scans of each filter index.
 *
 * Who counts does so in numbers of its own, which are added when a memory
 * context goes: at the end of a query, and also if it fails.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_COUNTS_H
#define BF_EVIDENCE_COUNTS_H

/*
 * Of one probe in one execution.  Without shared memory, what parallel workers
 * count is lost.
 */
typedef struct BfTableCounts
{
	int64		executions;		/* workers do not count them, nor the filters */
	int64		filters;
	int64		rows_tested;
	int64		rows_removed;
	int64		blocks_skipped;
	int64		partitions_skipped;
	int64		switched_off;	/* how often a process stopped testing for a time */
	int64		too_many_keys;	/* filters that a process did not get for that reason */
} BfTableCounts;

/* Of one scan, or of calls of a function that reads the index. */
typedef struct BfIndexCounts
{
	int64		lookups;
	int64		ranges_tested;
	int64		ranges_matched;
	int64		pages_returned;	/* of the table */
	int64		pages_rebuilt;	/* of the index */
} BfIndexCounts;

/*
 * Add the counts to those of a table (0: of rows that are not those of one
 * table) or of an index when the context is reset or deleted.  The counts lie in
 * that context.  Nothing is added if all are 0.
 */
extern void bf_count_for_table(MemoryContext context, Oid table, const BfTableCounts *counts);
extern void bf_count_for_index(MemoryContext context, Oid index, const BfIndexCounts *counts);

/* VACUUM has just made so many pages of an index anew, more than 0. */
extern void bf_count_rebuilt(Oid index, int64 pages);

#endif							/* BF_EVIDENCE_COUNTS_H */
