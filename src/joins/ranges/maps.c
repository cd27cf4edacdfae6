/*-------------------------------------------------------------------------
 *
 * maps.c
 *		Which blocks of a table an index lets a scan skip.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/transam.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_class_d.h"
#include "storage/lmgr.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "index/handler.h"
#include "joins/ranges/maps.h"

static bool
is_of_kind(Relation index, BfJoinSkipKind kind)
{
	return kind == BF_JOIN_SKIP_LOOKUP ? bf_is_range_filter_index(index) :
		index->rd_rel->relam == BRIN_AM_OID;
}

/*
 * May the index be used now?  A cached plan may outlive the reasons for which
 * the index was known to have all rows, so these are checked again.
 */
static bool
is_usable(Relation index, Relation table, BfJoinSkipKind kind)
{
	Form_pg_index form;

	if (index->rd_rel->relkind != RELKIND_INDEX || !is_of_kind(index, kind))
		return false;
	form = index->rd_index;
	return form->indrelid == RelationGetRelid(table) && form->indisvalid && form->indisready &&
		(!form->indcheckxmin ||
		 TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
							   TransactionXmin));
}

/*
 * Nobody has locked the index of a kept plan, and this process has locked the
 * table: to wait for who builds the index again might be a deadlock.
 */
static Relation
open_usable(const BfJoinSkip *skip, Relation table)
{
	Relation	result;

	if (!ConditionalLockRelationOid(skip->index, AccessShareLock))
		return NULL;
	result = try_relation_open(skip->index, NoLock);
	if (result == NULL)
		UnlockRelationOid(skip->index, AccessShareLock);
	else if (!is_usable(result, table, skip->kind))
	{
		relation_close(result, AccessShareLock);
		result = NULL;
	}
	return result;
}

/*
 * A statement that reads the table alone does not keep anybody from dropping an
 * index.
 */
bool
bf_map_by_index(const BfJoinSkip *skip, Oid operator, const BfKeySet *set, Relation table,
				BlockNumber nblocks, Snapshot snapshot, BfRangeMap *map)
{
	Relation	index = open_usable(skip, table);
	bool		found;

	if (index == NULL)
		return false;
	found = skip->kind == BF_JOIN_SKIP_LOOKUP ?
		bf_lookup_map(index, skip, operator, set, nblocks, snapshot, map) :
		bf_summaries_map(index, skip, set, table, nblocks, snapshot, map);
	relation_close(index, AccessShareLock);
	return found;
}
