/*-------------------------------------------------------------------------
 *
 * vacuum.c
 *		What VACUUM does with a filter index: ambulkdelete and amvacuumcleanup.
 *
 * Bits cannot be removed, so there is nothing to delete.  CREATE INDEX
 * CONCURRENTLY asks ambulkdelete which rows are in the index; it is told of
 * none, and inserts all of them again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "storage/bufmgr.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "index/write/vacuum.h"

IndexBulkDeleteResult *
bf_index_bulk_delete(IndexVacuumInfo *info pg_attribute_unused(), IndexBulkDeleteResult *stats,
					 IndexBulkDeleteCallback callback pg_attribute_unused(),
					 void *state pg_attribute_unused())
{
	return stats != NULL ? stats : palloc0(sizeof(IndexBulkDeleteResult));
}

IndexBulkDeleteResult *
bf_index_vacuum_cleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *stats)
{
	if (info->analyze_only)
		return stats;
	if (stats == NULL)
		stats = palloc0(sizeof(IndexBulkDeleteResult));
	stats->num_pages = RelationGetNumberOfBlocks(info->index);
	stats->num_index_tuples = info->num_heap_tuples;
	/* nobody counts the rows of a partial index: what the build counted stays */
	stats->estimated_count = info->estimated_count ||
		RelationGetIndexPredicate(info->index) != NIL;
	return stats;
}
