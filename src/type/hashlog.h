/*-------------------------------------------------------------------------
 *
 * hashlog.h
 *		Many hashes that are gathered first and looked at later.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_HASHLOG_H
#define BF_HASHLOG_H

#include "postgres.h"

/*
 * A set of 64-bit hashes that is cheap to add to, however large it is, and
 * dear to read while it is added to.  It takes 8 to 16 bytes per distinct
 * hash, up to 18 while hashes repeat, and 1 MB at least.
 */
typedef struct BfHashLog BfHashLog;

/* An empty one, with room for this many; a copy. */
extern BfHashLog *bf_hashlog_create(MemoryContext mcxt, uint64_t expected);
extern BfHashLog *bf_hashlog_copy(const BfHashLog *log, MemoryContext mcxt);
extern void bf_hashlog_free(BfHashLog *log);

/* Append hashes, in any order, with repetitions. */
extern void bf_hashlog_append(BfHashLog *log, const uint64_t *hashes, int n);

/*
 * The number of distinct hashes; and how many there were when they were last
 * counted, which costs nothing to know.
 */
extern uint64_t bf_hashlog_count(BfHashLog *log);
extern uint64_t bf_hashlog_counted(const BfHashLog *log);

extern bool bf_hashlog_contains(BfHashLog *log, uint64_t hash);

/*
 * Reading all distinct hashes in ascending order, some at a time.  Nothing
 * may be appended meanwhile.
 */
typedef struct BfHashLogScan
{
	const BfHashLog *log;
	int			partition;
	const void *page;
} BfHashLogScan;

extern void bf_hashlog_scan_begin(BfHashLogScan *scan, BfHashLog *log);

/* The next hashes; their number is zero at the end. */
extern const uint64_t *bf_hashlog_scan_next(BfHashLogScan *scan, int *n);

#endif							/* BF_HASHLOG_H */
