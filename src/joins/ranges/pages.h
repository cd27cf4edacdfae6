/*-------------------------------------------------------------------------
 *
 * pages.h
 *		Reads the table of a sequential scan in its place: the pages that may
 *		have a match, or all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_PAGES_H
#define BF_JOIN_PAGES_H

#include "access/heapam.h"
#include "access/relscan.h"
#include "executor/instrument.h"
#include "nodes/execnodes.h"
#include "storage/bufmgr.h"

#include "joins/ranges/maps.h"

/*
 * Returns a SeqScan's rows, with its conditions and its output.  Without maps, the
 * reader moves the SeqScan's own scan, and the SeqScan can go on from there at any
 * row.  With maps, it reads only runs of pages, by a scan of its own.  In a
 * parallel scan each process then takes pages from the shared counter, as SeqScan
 * does, and does not read the pages that its own maps exclude.  So processes need
 * not agree: each process decides alone whether to skip.
 */
typedef struct BfPageReader
{
	ScanState  *child;			/* the SeqScan */
	bool		by_maps;
	int			nmaps;			/* a page is read if it is in all maps */
	BfRangeMap *maps;
	BlockNumber npages;
	BlockNumber next;			/* next to examine, if not shared */
	TableScanDesc scan;			/* NULL before the first run */
	bool		in_run;
	ParallelBlockTableScanDesc shared;	/* or NULL */
	ParallelBlockTableScanWorkerData worker;
	BlockNumber claimed;		/* a page that was taken, to be examined next; or none */
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
extern void bf_pages_begin(BfPageReader *reader, BlockNumber npages);

/*
 * End the reader's own scan; before a rescan of the child, too.  Then the reader
 * has no maps.
 */
extern void bf_pages_end(BfPageReader *reader);

/* ---------- rows one by one ---------- */

/* The next row by the maps; EXPLAIN counts it as the child's. */
extern TupleTableSlot *bf_pages_next_row(BfPageReader *reader);

/* ---------- all rows of a page ---------- */

/*
 * Does the child read a heap, by an MVCC snapshot?  Only then are the visible rows
 * of a page known as soon as it is read.
 */
extern bool bf_pages_has_pages(const ScanState *child);

/*
 * Called before and after the functions below, as the server does around a node.
 * rows: that the child has returned since, for EXPLAIN.
 */
extern void bf_pages_enter(BfPageReader *reader);
extern void bf_pages_leave(BfPageReader *reader, double rows);

/*
 * The scan at a page that has visible rows which were not taken yet: those from
 * *first on, in rs_vistuples.  NULL: there are no more.
 */
extern HeapScanDesc bf_pages_rest(BfPageReader *reader, int *first);

/* Make a tuple refer to a row of the page. */
static inline void
bf_page_tuple(HeapScanDesc scan, int index, HeapTuple tuple)
{
	Page		page = BufferGetPage(scan->rs_cbuf);
	ItemId		item = PageGetItemId(page, scan->rs_vistuples[index]);

	tuple->t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple->t_len = ItemIdGetLength(item);
}

/*
 * Take rows from first on; so many of them are dropped without bf_pages_row().
 * The table's statistics count them.
 */
extern void bf_pages_take(HeapScanDesc scan, int first, int rows, int dropped);

/*
 * The child's output for a row of the page that was taken.  NULL: the row does not
 * fulfil the child's conditions.
 */
extern TupleTableSlot *bf_pages_row(BfPageReader *reader, int index);

#endif							/* BF_JOIN_PAGES_H */
