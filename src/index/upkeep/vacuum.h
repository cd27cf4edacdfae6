/*-------------------------------------------------------------------------
 *
 * vacuum.h
 *		What VACUUM does with a filter index: ambulkdelete and amvacuumcleanup.
 *
 *-------------------------------------------------------------------------
 */
#ifndef BF_INDEX_VACUUM_H
#define BF_INDEX_VACUUM_H

#include "access/genam.h"

/* ambulkdelete */
extern IndexBulkDeleteResult *bf_index_bulk_delete(IndexVacuumInfo *info,
												   IndexBulkDeleteResult *stats,
												   IndexBulkDeleteCallback callback, void *state);

/* amvacuumcleanup */
extern IndexBulkDeleteResult *bf_index_vacuum_cleanup(IndexVacuumInfo *info,
													  IndexBulkDeleteResult *stats);

#endif							/* BF_INDEX_VACUUM_H */
