/*-------------------------------------------------------------------------
 *
 * direct.c
 *		Reading and replacing rows of a set without the executor.
 *
 * Starting the executor takes several times as long as reading two rows, or
 * replacing one: an addition takes 12 microseconds of the processor, and 31 by
 * statements.  So it is left out where it would check only what depends on the
 * caller, the privileges, and do nothing but what is done here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/index.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "sets/direct.h"
#include "sets/layout.h"

/* Would a statement reach all rows, and nobody else watch what it does? */
static bool
has_rights(const BfSet *set, AclMode needed)
{
	return OidIsValid(set->index) && ExecutorCheckPerms_hook == NULL &&
		pg_class_aclmask(set->table, GetUserId(), needed, ACLMASK_ALL) == needed &&
		check_enable_rls(set->table, InvalidOid, true) != RLS_ENABLED;
}

/* ---------- reading ---------- */

/* The newest command's snapshot, as SPI takes it. */
static void
push_snapshot(void)
{
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
}

/* The row of the segment, which lies in a copy of its tuple, or NULL. */
static bytea *
read_row(const BfSet *set, Relation table, int32 segment, HeapTuple *tuple)
{
	ScanKeyData key;
	SysScanDesc scan;
	Datum		value;
	bool		isnull;

	ScanKeyInit(&key, set->segment_column, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(segment));
	scan = systable_beginscan(table, set->index, true, GetActiveSnapshot(), 1, &key);
	*tuple = heap_copytuple(systable_getnext(scan));
	systable_endscan(scan);
	if (!HeapTupleIsValid(*tuple))
		return NULL;
	value = heap_getattr(*tuple, set->filter_column, RelationGetDescr(table), &isnull);
	if (isnull)
		bf_set_report_damage(set, segment, "is null");
	return DatumGetByteaPP(value);
}

bool
bf_set_read_directly(const BfSet *set, bool read_only, const int32 *segments, int n, bytea **rows)
{
	Relation	table;
	HeapTuple	tuple;
	int			i;

	if (!has_rights(set, ACL_SELECT))
		return false;
	if (!read_only)
		push_snapshot();
	table = table_open(set->table, AccessShareLock);
	for (i = 0; i < n; i++)
		rows[i] = read_row(set, table, segments[i], &tuple);
	table_close(table, NoLock);
	if (!read_only)
		PopActiveSnapshot();
	return true;
}

/* ---------- replacing ---------- */

/*
 * Is there a column that UPDATE computes, or that must not be NULL?  From 18 on
 * it may be so in rows that were there before.
 */
static bool
has_other_rules(const BfSet *set, TupleDesc descriptor)
{
	int			i;

	for (i = 0; i < descriptor->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(descriptor, i);
		bool		is_own = column->attnum == set->segment_column ||
			column->attnum == set->filter_column;

		if (column->attgenerated != '\0' || (column->attnotnull && !is_own))
			return true;
	}
	return false;
}

/* Is a row's replacement all that an UPDATE of the column does? */
static bool
is_plain(const BfSet *set, Relation table)
{
	TupleDesc	descriptor = RelationGetDescr(table);
	List	   *indexes = RelationGetIndexList(table);
	bool		one_index = list_length(indexes) == 1 && linitial_oid(indexes) == set->index;

	list_free(indexes);
	return one_index && table->trigdesc == NULL && table->rd_rules == NULL &&
		!table->rd_rel->relispartition && !has_other_rules(set, descriptor) &&
		(descriptor->constr == NULL || descriptor->constr->num_check == 0);
}

/* A snapshot that may expire keeps no version, up to 16. */
bool
bf_set_begin_change(const BfSet *set, int32 segment, BfSetChange *change)
{
	if (BF_SNAPSHOTS_EXPIRE || XactReadOnly || IsInParallelMode() || !has_rights(set, ACL_SELECT | ACL_UPDATE))
		return false;
	change->set = set;
	change->table = table_open(set->table, RowExclusiveLock);
	if (!is_plain(set, change->table))
	{
		table_close(change->table, NoLock);
		return false;
	}
	push_snapshot();
	change->head = read_row(set, change->table, BF_SET_HEAD, &change->tuple);
	change->row = read_row(set, change->table, segment, &change->tuple);
	return true;
}

/* For a version that found no room on the page of the old one. */
static void
insert_into_index(const BfSetChange *change, TupleTableSlot *slot)
{
	Relation	index = index_open(change->set->index, RowExclusiveLock);
	IndexInfo  *info = BuildIndexInfo(index);
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	FormIndexDatum(info, slot, NULL, values, nulls);
	index_insert(index, values, nulls, &slot->tts_tid, change->table, UNIQUE_CHECK_YES, true, info);
	index_close(index, NoLock);
}

bool
bf_set_replace_directly(const BfSetChange *change, bytea *row)
{
	Relation	table = change->table;
	int			column = change->set->filter_column;
	Datum		value = PointerGetDatum(row);
	bool		isnull = false;
	TupleTableSlot *slot = table_slot_create(table, NULL);
	BfUpdateIndexes needs_index;
	LockTupleMode mode;
	TM_FailureData failure;
	TM_Result	result;

	CheckCmdReplicaIdentity(table, CMD_UPDATE);
	ExecForceStoreHeapTuple(heap_modify_tuple_by_cols(change->tuple, RelationGetDescr(table),
													  1, &column, &value, &isnull), slot, false);
	result = BF_TABLE_TUPLE_UPDATE(table, &change->tuple->t_self, slot, GetCurrentCommandId(true),
								   GetActiveSnapshot(), &failure, &mode, &needs_index);
	if (result == TM_Ok && needs_index)
		insert_into_index(change, slot);
	ExecDropSingleTupleTableSlot(slot);
	return result == TM_Ok;
}

void
bf_set_end_change(BfSetChange *change)
{
	table_close(change->table, NoLock);
	PopActiveSnapshot();
}
