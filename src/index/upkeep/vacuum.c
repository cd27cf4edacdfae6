/*-------------------------------------------------------------------------
 *
 * vacuum.c
 *		What VACUUM does with a filter index: ambulkdelete and amvacuumcleanup.
 *
 * Bits cannot be removed, so there is nothing to delete; at the end, groups that
 * are worn are rebuilt from the rows that are left (rebuild.c), groups get covers, and
 * covers are merged (cover.c); or the filter of the table is made anew
 * (table_rebuild.c).  CREATE INDEX
 * CONCURRENTLY asks ambulkdelete which rows are in the index; it is told of
 * none, and inserts all of them again that its new snapshot sees.  What was
 * deleted since the build it leaves out, and waits for the snapshots that see
 * that; but not for those of a standby.  So the index remembers where
 * transactions are now.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "access/transam.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "evidence/counts.h"
#include "index/file/attempt.h"
#include "index/file/directory.h"
#include "index/file/table.h"
#include "index/upkeep/rebuild.h"
#include "index/upkeep/table_rebuild.h"
#include "index/upkeep/vacuum.h"
#include "index/upkeep/warn.h"

static void
advance_standby_horizon(Relation index)
{
	FullTransactionId horizon = ReadNextFullTransactionId();

	if (bf_is_table_filter(index))
		bf_table_set_standby_horizon(index, horizon);
	else
		bf_meta_set_standby_horizon(index, horizon);
	bf_directory_forget(index);
}

IndexBulkDeleteResult *
bf_index_bulk_delete(IndexVacuumInfo *info, IndexBulkDeleteResult *stats,
					 IndexBulkDeleteCallback callback pg_attribute_unused(),
					 void *state pg_attribute_unused())
{
	if (!info->index->rd_index->indisvalid)
		advance_standby_horizon(info->index);
	return stats != NULL ? stats : palloc0(sizeof(IndexBulkDeleteResult));
}

static void
tell_rebuilt(const IndexVacuumInfo *info, const BfRebuilt *rebuilt)
{
	const char *name = RelationGetRelationName(info->index);

	if (rebuilt->rebuilt > 0)
		ereport(info->message_level,
				(errmsg_internal("index \"%s\": rebuilt %u of %u groups", name, rebuilt->rebuilt,
								 rebuilt->groups)));
	if (rebuilt->covers > 0)
		ereport(info->message_level,
				(errmsg_internal("index \"%s\": made %u covers of groups", name, rebuilt->covers)));
	if (rebuilt->items > 0)
		ereport(info->message_level,
				(errmsg_internal("index \"%s\": rebuilt its filter for %.0f items", name,
								 rebuilt->items)));
}

typedef struct Cleanup
{
	const IndexVacuumInfo *info;
	IndexBulkDeleteResult *stats;
} Cleanup;

/* Rebuild what is worn, and tell of it. */
static void
rebuild(void *state)
{
	const Cleanup *cleanup = state;
	const IndexVacuumInfo *info = cleanup->info;
	Relation	index = info->index;
	/* first, because catalogs are locked: VACUUM has locked the table itself */
	Relation	heap = table_open(index->rd_index->indrelid, AccessShareLock);
	BfRebuilt	rebuilt = bf_is_table_filter(index) ?
		bf_table_rebuild(index, heap, info->strategy) :
		bf_rebuild_worn_groups(index, heap, info->strategy);

	table_close(heap, AccessShareLock);
	if (rebuilt.given_up > 0)
		bf_count_rebuilt(RelationGetRelid(index), rebuilt.given_up);
	cleanup->stats->pages_newly_deleted = rebuilt.given_up;
	cleanup->stats->pages_deleted = cleanup->stats->pages_free = rebuilt.free;
	tell_rebuilt(info, &rebuilt);
}

/* Rebuild what is worn; if that is not possible, the filters stay as they are. */
static void
try_to_rebuild(const IndexVacuumInfo *info, IndexBulkDeleteResult *stats)
{
	Cleanup		cleanup = {info, stats};
	ErrorData  *error;

	if (!bf_can_attempt())
	{
		ereport(info->message_level,
				(errmsg_internal("index \"%s\": no filters are rebuilt beside parallel workers",
								 RelationGetRelationName(info->index))));
		return;
	}
	error = bf_attempt(rebuild, &cleanup);
	if (error != NULL)
		bf_warn_of_attempt(info->index, error);
}

IndexBulkDeleteResult *
bf_index_vacuum_cleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *stats)
{
	if (info->analyze_only)
		return stats;
	if (stats == NULL)
		stats = palloc0(sizeof(IndexBulkDeleteResult));
	/* nobody reads an index that is not valid */
	if (info->index->rd_index->indisvalid)
		try_to_rebuild(info, stats);
	stats->num_pages = RelationGetNumberOfBlocks(info->index);
	stats->num_index_tuples = info->num_heap_tuples;
	/* nobody counts the rows of a partial index: what the build counted stays */
	stats->estimated_count = info->estimated_count ||
		RelationGetIndexPredicate(info->index) != NIL;
	return stats;
}
