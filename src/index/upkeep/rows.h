/*-------------------------------------------------------------------------
 *
 * rows.h
 *		Reading all rows of a part of a table that somebody may see, beside
 *		writers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_ROWS_H
#define BF_INDEX_ROWS_H

#include "access/transam.h"
#include "nodes/execnodes.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "index/file/keys.h"
#include "index/file/table_hash.h"

/* The hashes of a row, and the page it is in. */
typedef void (*BfRowCallback) (BlockNumber heap_page, const BfRowHashes *row, void *state);

typedef struct BfRows
{
	Relation	heap;
	Relation	index;
	IndexInfo  *info;
	BufferAccessStrategy strategy;
	BfTableHasher *hasher;		/* if the index is one filter of the table */

	/*
	 * Snapshots with an older xmin may see versions of rows that were left
	 * out: only those of a standby can be so old.  Advances with each reading.
	 */
	FullTransactionId horizon;
} BfRows;

/* Can the rows of the table be read in this way? */
extern bool bf_rows_supports(Relation heap);

/*
 * Call the function for each version of a row that the index needs, in the
 * pages from first up to, but not including, end, which the table has: every
 * version, in the order of pages, but for those that nobody can see any more.
 * As VACUUM, sleeps if that is due.
 */
extern void bf_rows_read(BfRows *rows, BlockNumber first, BlockNumber end, BfRowCallback callback,
						 void *state);

#endif							/* BF_INDEX_ROWS_H */
