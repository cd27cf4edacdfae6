/* hashlog.h: declarations of hashlog.c */
#ifndef BF_HASHLOG_H
#define BF_HASHLOG_H

/*
 * A set of 64-bit hashes.  Adding is cheap, however large the set is; reading
 * between additions is expensive, because it sorts.  Takes 8 to 16 bytes per
 * distinct hash, up to 18 while hashes repeat, and at least 1 MB.
 */
typedef struct BfHashLog BfHashLog;

/* Create an empty log with room for this many hashes; free a log. */
extern BfHashLog *bf_hashlog_create(MemoryContext mcxt, uint64_t expected);
extern void bf_hashlog_free(BfHashLog *log);

/* Append hashes, in any order, with repetitions. */
extern void bf_hashlog_append(BfHashLog *log, const uint64_t *hashes, int n);

/*
 * The number of distinct hashes; and their number when they were last counted,
 * which takes no work.
 */
extern uint64_t bf_hashlog_count(BfHashLog *log);
extern uint64_t bf_hashlog_counted(const BfHashLog *log);

extern bool bf_hashlog_contains(BfHashLog *log, uint64_t hash);

/*
 * Reads all distinct hashes in ascending order, some at a time.  No hash may
 * be appended meanwhile.
 */
typedef struct BfHashLogScan
{
	const BfHashLog *log;
	int			partition;
	const void *page;
} BfHashLogScan;

extern void bf_hashlog_scan_begin(BfHashLogScan *scan, BfHashLog *log);

/* The next hashes; *n is zero at the end. */
extern const uint64_t *bf_hashlog_scan_next(BfHashLogScan *scan, int *n);

#endif							/* BF_HASHLOG_H */
