/*-------------------------------------------------------------------------
 *
 * scan.h
 *		Scanning a filter index: ambeginscan, amrescan, amgetbitmap and
 *		amendscan.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_SCAN_H
#define BF_INDEX_SCAN_H

#include "access/genam.h"
#include "nodes/tidbitmap.h"

/* ambeginscan */
extern IndexScanDesc bf_index_begin_scan(Relation index, int nkeys, int norderbys);

/* amrescan */
extern void bf_index_rescan(IndexScanDesc scan, ScanKey keys, int nkeys, ScanKey orderbys,
							int norderbys);

/* amgetbitmap: whole pages, which may hold rows that match */
extern int64 bf_index_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap);

/* amendscan */
extern void bf_index_end_scan(IndexScanDesc scan);

#endif							/* BF_INDEX_SCAN_H */
