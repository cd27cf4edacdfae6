/*-------------------------------------------------------------------------
 *
 * blocks.h
 *		Reads the blocks of a sequential scan's table that may have a match.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_JOIN_BLOCKS_H
#define BF_JOIN_BLOCKS_H

#include "postgres.h"

#include "access/relscan.h"
#include "executor/instrument.h"
#include "nodes/execnodes.h"

#include "joins/execution/summaries.h"

/*
 * In place of a SeqScan's own scan: the same conditions and the same output, of
 * runs of blocks.  In a parallel scan each process takes blocks from the counter
 * that all share, as SeqScan does, and does not read those that its own maps
 * exclude.  So processes need not agree: any of them may skip, or not.
 */
typedef struct BfBlockReader
{
	ScanState  *child;			/* the SeqScan */
	int			nmaps;			/* a block is read if all of them have it */
	BfRangeMap *maps;
	BlockNumber nblocks;
	BlockNumber next;			/* not looked at yet; of a scan that is not shared */
	TableScanDesc scan;			/* NULL before the first run */
	bool		in_run;
	ParallelBlockTableScanDesc shared;	/* or NULL */
	ParallelBlockTableScanWorkerData worker;
	BlockNumber claimed;		/* a block that was taken and is still to be read */
} BfBlockReader;

/*
 * Where the child's instrumentation counts what all processes skipped: scans of
 * tables have no use for these fields, and those of blocks are of SeqScans only.
 */
#define BF_SKIPPED_SCANS(instrument)	((instrument)->ntuples2)
#define BF_SKIPPED_PAGES(instrument)	((instrument)->nfiltered2)

/* The blocks of the child's table that are to be read by somebody. */
extern BlockNumber bf_blocks_count(ScanState *child);

/* Begin to read by the reader's maps.  The child has not read anything. */
extern void bf_blocks_begin(BfBlockReader *reader, ScanState *child);

/* The next row of the child; counted as the child's in EXPLAIN. */
extern TupleTableSlot *bf_blocks_next_row(BfBlockReader *reader);

extern void bf_blocks_end(BfBlockReader *reader);

#endif							/* BF_JOIN_BLOCKS_H */
