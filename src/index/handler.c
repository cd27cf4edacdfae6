/*-------------------------------------------------------------------------
 *
 * handler.c
 *		The access method "bloomfilter": an index of Bloom filters.
 *
 * It answers column = value and column = ANY (array), and of keys what GIN answers, by
 * a list of pages that may have a match: whole pages, so there are only bitmap scans.
 * An index is of one of two scopes: it has a
 * filter of each range of the table's pages, or one of the table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/amapi.h"
#include "catalog/pg_class_d.h"
#include "fmgr.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "index/cost.h"
#include "index/file/hash.h"
#include "index/file/keys.h"
#include "index/file/options.h"
#include "index/file/table.h"
#include "index/handler.h"
#include "index/read/match.h"
#include "index/read/scan.h"
#include "index/validate.h"
#include "index/write/build.h"
#include "index/write/insert.h"
#include "index/write/table_build.h"
#include "index/write/table_insert.h"
#include "index/upkeep/vacuum.h"

BF_SQL_FUNCTION(bloomfilter_index_handler);

/* Called whenever the server has to do with an index. */
static void (*watch) (void);

/* ---------- what depends on the index's scope ---------- */

static IndexBuildResult *
build(Relation heap, Relation index, IndexInfo *info)
{
	if (bf_index_scope_asked(index) == BF_SCOPE_TABLE)
		return bf_table_build(heap, index, info);
	return bf_index_build(heap, index, info);
}

static void
build_empty(Relation index)
{
	if (bf_index_scope_asked(index) == BF_SCOPE_TABLE)
		bf_table_build_empty(index);
	else
		bf_index_build_empty(index);
}

static bool
insert(Relation index, Datum *values, bool *isnull, ItemPointer tid, Relation heap,
	   IndexUniqueCheck unique pg_attribute_unused(), bool unchanged pg_attribute_unused(),
	   IndexInfo *info)
{
	if (bf_is_table_filter(index))
		bf_table_insert(index, values, isnull, info);
	else
		bf_index_insert(index, values, isnull, tid, heap, info);
	return false;
}

/* ---------- the access method ---------- */

/*
 * NULLs are not indexed, but each column is by itself: so conditions may leave
 * out any column (amoptionalkey), and even all of them.
 */
static const IndexAmRoutine routine = {
	.type = T_IndexAmRoutine,
	.amstrategies = 0,			/* each class of keys has its own */
	.amsupport = BF_SUPPORT_FUNCTIONS,
	.amcanmulticol = true,
	.amoptionalkey = true,
	.amsearcharray = true,
	.amstorage = true,
	BF_AM_SUMMARIZING
	.amkeytype = InvalidOid,
	.ambuild = build,
	.ambuildempty = build_empty,
	.aminsert = insert,
	.ambulkdelete = bf_index_bulk_delete,
	.amvacuumcleanup = bf_index_vacuum_cleanup,
	.amcostestimate = bf_index_cost,
	.amoptions = bf_index_options,
	.ambuildphasename = bf_index_phase_name,
	.amvalidate = bf_index_validate,
	.amadjustmembers = bf_index_adjust_members,
	.ambeginscan = bf_index_begin_scan,
	.amrescan = bf_index_rescan,
	.amgetbitmap = bf_index_get_bitmap,
	.amendscan = bf_index_end_scan
};

void
bf_index_init(void (*watch_definitions) (void))
{
	watch = watch_definitions;
	bf_index_options_init();
	bf_match_init();
}

bool
bf_is_filter_index(Relation relation)
{
	return relation->rd_rel->relkind == RELKIND_INDEX &&
		relation->rd_indam->amgetbitmap == bf_index_get_bitmap;
}

bool
bf_is_range_filter_index(Relation relation)
{
	return bf_is_filter_index(relation) && !bf_is_table_filter(relation);
}

bool
bf_is_partitioned_filter_index(Relation relation)
{
	return relation->rd_rel->relkind == RELKIND_PARTITIONED_INDEX &&
		relation->rd_indam->amgetbitmap == bf_index_get_bitmap;
}

bool
bf_index_has_values(Relation index, int column)
{
	return !bf_index_has_keys(index, column);
}

Oid
bf_index_hash_function(Oid family, Oid type)
{
	return get_opfamily_proc(family, type, type, BF_HASH_PROC);
}

Datum
bloomfilter_index_handler(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	watch();
	BF_RETURN_AM_ROUTINE(routine);
}
