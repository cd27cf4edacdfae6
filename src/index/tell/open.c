/*-------------------------------------------------------------------------
 *
 * open.c
 *		Opening an index that a function was asked about.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/pg_class_d.h"
#include "catalog/pg_inherits.h"
#include "miscadmin.h"
#include "storage/lockdefs.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"

#include "index/handler.h"
#include "index/tell/open.h"

static bool
is_partitioned(Relation index)
{
	return index->rd_rel->relkind == RELKIND_PARTITIONED_INDEX;
}

static void
report_other_relation(Relation relation)
{
	ereport(ERROR,
			(errcode(ERRCODE_WRONG_OBJECT_TYPE),
			 errmsg("\"%s\" is not a bloomfilter index", RelationGetRelationName(relation)),
			 errhint("The view bloom_indexes lists these indexes, and \\d those of a table.")));
}

static void
report_not_valid(Relation index)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("index \"%s\" is not valid", RelationGetRelationName(index)),
			 is_partitioned(index) ?
			 errhint("Attach an index of each partition with ALTER INDEX ... ATTACH PARTITION.") :
			 errhint("Rebuild the index with REINDEX.")));
}

bool
bf_index_is_here(Relation index)
{
	return !RELATION_IS_OTHER_TEMP(index) && (RelationIsPermanent(index) || !RecoveryInProgress());
}

void
bf_index_check_readable(Relation index)
{
	if (!index->rd_index->indisvalid)
		report_not_valid(index);
	if (is_partitioned(index) || bf_index_is_here(index))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 RELATION_IS_OTHER_TEMP(index) ?
			 errmsg("cannot read a temporary index of another session") :
			 errmsg("cannot read an unlogged index during recovery")));
}

/* Raised too if the relation became an index since its table was looked up. */
static void
report_missing(Oid oid)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_TABLE),
			 errmsg("index with OID %u does not exist", oid),
			 errhint("An index is given by its name; a value comes after it.")));
}

/* The index, and its table if it has one. */
static Relation
open_relations(Oid oid, Relation *heap)
{
	/* the table first, as everyone locks them */
	Oid			table = IndexGetRelation(oid, true);
	Relation	index;

	*heap = OidIsValid(table) ? table_open(table, AccessShareLock) : NULL;
	index = try_relation_open(oid, AccessShareLock);
	if (index == NULL)
		report_missing(oid);
	return index;
}

Relation
bf_index_open_any(Oid oid, Relation *heap)
{
	Relation	index = open_relations(oid, heap);

	if (!bf_is_filter_index(index) && !bf_is_partitioned_filter_index(index))
		report_other_relation(index);
	if (*heap == NULL)
		report_missing(oid);
	return index;
}

Relation
bf_index_open(Oid oid, Relation *heap)
{
	Relation	index = bf_index_open_any(oid, heap);
	AclResult	privilege = pg_class_aclcheck(RelationGetRelid(*heap), GetUserId(), ACL_SELECT);

	if (privilege != ACLCHECK_OK)
		aclcheck_error(privilege, OBJECT_TABLE, RelationGetRelationName(*heap));
	bf_index_check_readable(index);
	return index;
}

Relation
bf_index_open_part(Oid part, Relation *heap)
{
	Relation	index = open_relations(part, heap);

	bf_index_check_readable(index);
	return index;
}

void
bf_index_close(Relation index, Relation heap)
{
	relation_close(index, AccessShareLock);
	table_close(heap, AccessShareLock);
}

/* ---------- partitions ---------- */

/* Raise an error for a partition that has no index, as a foreign table. */
static void
check_partitions(Relation heap, const List *tables, const List *indexed)
{
	ListCell   *cell;

	foreach(cell, tables)
	{
		Oid			table = lfirst_oid(cell);

		if (get_rel_relkind(table) == RELKIND_PARTITIONED_TABLE || list_member_oid(indexed, table))
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("partition \"%s\" of table \"%s\" is not in the index",
						get_rel_name(table), RelationGetRelationName(heap)),
				 errdetail("A filter without its values would say \"no\" to them.")));
	}
}

List *
bf_index_parts(Relation heap, Relation index, bool complete)
{
	List	   *parts = NIL;
	List	   *indexed = NIL;
	List	   *tables;
	ListCell   *cell;

	if (!is_partitioned(index))
		return list_make1_oid(RelationGetRelid(index));
	/* tables before indexes, as everyone locks them */
	tables = find_all_inheritors(RelationGetRelid(heap), AccessShareLock, NULL);
	foreach(cell, find_all_inheritors(RelationGetRelid(index), AccessShareLock, NULL))
	{
		if (get_rel_relkind(lfirst_oid(cell)) != RELKIND_INDEX)
			continue;
		parts = lappend_oid(parts, lfirst_oid(cell));
		indexed = lappend_oid(indexed, IndexGetRelation(lfirst_oid(cell), false));
	}
	if (complete)
		check_partitions(heap, tables, indexed);
	return parts;
}
