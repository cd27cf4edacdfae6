/*-------------------------------------------------------------------------
 *
 * entries.h
 *		What the entries of the store's tables consist of.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_EVIDENCE_ENTRIES_H
#define BF_EVIDENCE_ENTRIES_H

#include "evidence/periods.h"
#include "evidence/table.h"

/* The most counters that a table or an index has. */
#define BF_MOST_COUNTS	8

/* Of a table or of an index. */
typedef struct BfCountsEntry
{
	BfEntry		entry;
	int64		counts[BF_MOST_COUNTS];
	TimestampTz rebuilt;		/* when VACUUM last rebuilt a part of the index; 0: never */
} BfCountsEntry;

/* As much of a query's text as pg_stat_activity shows by default. */
#define BF_TRIAL_TEXT	1024

/* Of a role and a query. */
typedef struct BfTrialEntry
{
	BfEntry		entry;
	BfPeriods	periods;
	TimestampTz guarded_since;	/* 0: it is planned with filters */
	char		text[BF_TRIAL_TEXT];
} BfTrialEntry;

#endif							/* BF_EVIDENCE_ENTRIES_H */
