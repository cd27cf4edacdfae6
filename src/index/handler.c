/*-------------------------------------------------------------------------
 *
 * handler.c
 *		The access method "bloomfilter": an index of Bloom filters.
 *
 * It answers = and = ANY by a list of pages that may have a match: whole pages,
 * so there are only bitmap scans.
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
#include "index/file/options.h"
#include "index/handler.h"
#include "index/read/match.h"
#include "index/read/scan.h"
#include "index/validate.h"
#include "index/write/build.h"
#include "index/write/insert.h"
#include "index/write/vacuum.h"

BF_SQL_FUNCTION(bloomfilter_index_handler);

/*
 * NULLs are not indexed, but each column is by itself: so conditions may leave
 * out any column (amoptionalkey), and even all of them.
 */
static const IndexAmRoutine routine = {
	.type = T_IndexAmRoutine,
	.amstrategies = BF_EQUAL_STRATEGY,
	.amsupport = BF_HASH_PROC,
	.amcanmulticol = true,
	.amoptionalkey = true,
	.amsearcharray = true,
	BF_AM_SUMMARIZING
	.amkeytype = InvalidOid,
	.ambuild = bf_index_build,
	.ambuildempty = bf_index_build_empty,
	.aminsert = bf_index_insert,
	.ambulkdelete = bf_index_bulk_delete,
	.amvacuumcleanup = bf_index_vacuum_cleanup,
	.amcostestimate = bf_index_cost,
	.amoptions = bf_index_options,
	.ambuildphasename = bf_index_phase_name,
	.amvalidate = bf_index_validate,
	.ambeginscan = bf_index_begin_scan,
	.amrescan = bf_index_rescan,
	.amgetbitmap = bf_index_get_bitmap,
	.amendscan = bf_index_end_scan
};

void
bf_index_init(void)
{
	bf_index_options_init();
	bf_match_init();
}

bool
bf_is_filter_index(Relation relation)
{
	return relation->rd_rel->relkind == RELKIND_INDEX &&
		relation->rd_indam->amgetbitmap == bf_index_get_bitmap;
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
	BF_RETURN_AM_ROUTINE(routine);
}
