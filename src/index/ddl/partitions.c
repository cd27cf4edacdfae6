/*-------------------------------------------------------------------------
 *
 * partitions.c
 *		Indexes of partitions that differ from that of the partitioned table.
 *
 * CREATE INDEX on a partitioned table makes no index of a partition that has one
 * of the same columns and operator classes: that becomes a part of the new one,
 * with its own storage parameters.  A difference is no error, because others in
 * the server are none, and a dump of such indexes must be restored.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/attmap.h"
#include "access/genam.h"
#include "access/table.h"
#include "catalog/index.h"
#include "catalog/pg_inherits.h"
#include "fmgr.h"
#include "utils/rel.h"
#include "utils/relcache.h"

#include "compat.h"
#include "index/ddl/partitions.h"
#include "index/file/options.h"

static bool
has_other_parameters(Relation index, Relation parent)
{
	return bf_index_scope_asked(index) != bf_index_scope_asked(parent) ||
		bf_index_rate(index) != bf_index_rate(parent) ||
		bf_index_expected_items(index) != bf_index_expected_items(parent);
}

/* Will the server take it as the partition of the new index? */
static bool
matches(Relation index, Relation parent, AttrMap *map)
{
	return CompareIndexInfo(BuildIndexInfo(index), BuildIndexInfo(parent),
							index->rd_indcollation, parent->rd_indcollation,
							index->rd_opfamily, parent->rd_opfamily, map);
}

static void
warn(Relation index, Relation parent)
{
	ereport(WARNING,
			(errmsg("index \"%s\" becomes a partition of index \"%s\" with storage parameters of its own",
					RelationGetRelationName(index), RelationGetRelationName(parent)),
			 errdetail("They differ in scope, false_positive_rate or expected_items."),
			 errhint("Create another index like it if it is still needed. Then give it the same parameters with ALTER INDEX, and rebuild it with REINDEX.")));
}

/* The first that matches, as the server looks for it. */
static void
compare_partition(Relation partition, Relation heap, Relation parent)
{
	AttrMap    *map = BF_ATTRMAP_BY_NAME(RelationGetDescr(partition), RelationGetDescr(heap));
	List	   *indexes = RelationGetIndexList(partition);
	bool		found = false;
	ListCell   *cell;

	foreach(cell, indexes)
	{
		Relation	index;

		if (has_superclass(lfirst_oid(cell)))
			continue;
		index = index_open(lfirst_oid(cell), AccessShareLock);
		found = matches(index, parent, map);
		if (found && has_other_parameters(index, parent))
			warn(index, parent);
		index_close(index, NoLock);
		if (found)
			break;
	}
	list_free(indexes);
	free_attrmap(map);
}

void
bf_index_compare_partitions(Relation parent)
{
	Relation	heap = table_open(parent->rd_index->indrelid, NoLock);
	ListCell   *cell;

	/* CREATE INDEX ON ONLY takes none */
	if (parent->rd_index->indisvalid)
		foreach(cell, find_inheritance_children(RelationGetRelid(heap), AccessShareLock))
		{
			Relation	partition = table_open(lfirst_oid(cell), NoLock);

			compare_partition(partition, heap, parent);
			table_close(partition, NoLock);
		}
	table_close(heap, NoLock);
}
