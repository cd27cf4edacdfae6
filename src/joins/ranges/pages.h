/*-------------------------------------------------------------------------
 *
 * pages.h
 *		Reads the pages of a sequential scan's table that may have a match.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PAGES_H
#define BF_JOIN_PAGES_H

#include "access/relscan.h"
#include "executor/instrument.h"
#include "nodes/execnodes.h"

#include "joins/ranges/summaries.h"

/*
 * Replaces a SeqScan's own scan: it has the same conditions and the same
 * output, but reads only runs of pages.  In a parallel scan each process
 * takes pages from the shared counter, as SeqScan does, and does not read the
 * pages that its own maps exclude.  So processes need not agree: each process
 * decides alone whether to skip.
 */
typedef struct BfPageReader
{
	ScanState  *child;			/* the SeqScan */
	int			nmaps;			/* a page is read if it is in all maps */
	BfRangeMap *maps;
	BlockNumber npages;
	BlockNumber next;			/* next to examine, if not shared */
	TableScanDesc scan;			/* NULL before the first run */
	bool		in_run;
	ParallelBlockTableScanDesc shared;	/* or NULL */
	ParallelBlockTableScanWorkerData worker;
	BlockNumber claimed;		/* a page that was taken and is not yet read */
	int64	   *skipped;		/* counts pages that are not read, for statistics */
} BfPageReader;

/*
 * Fields of the child's instrumentation that count what all processes skipped:
 * table scans do not use them otherwise, but those of other extensions may.
 * Only SeqScans skip pages.
 */
#define BF_SKIPPED_SCANS(instrument)	((instrument)->ntuples2)
#define BF_SKIPPED_PAGES(instrument)	((instrument)->nfiltered2)

/*
 * The number of pages of the child's table that all processes together are to
 * read.
 */
extern BlockNumber bf_pages_count(ScanState *child);

/*
 * Begin to read by the reader's maps, which are of so many pages.  The child must
 * not have read anything.
 */
extern void bf_pages_begin(BfPageReader *reader, ScanState *child, BlockNumber npages);

/* The next row of the child; EXPLAIN counts it as the child's. */
extern TupleTableSlot *bf_pages_next_row(BfPageReader *reader);

extern void bf_pages_end(BfPageReader *reader);

#endif							/* BF_JOIN_PAGES_H */
