/*-------------------------------------------------------------------------
 *
 * direct.c
 *		Reading rows of a set by its index, without the executor.
 *
 * Starting the executor takes several times as long as reading two rows.  So
 * they are read without it where it would check only one thing that depends on
 * the caller: the privilege to read the table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/xact.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "sets/direct.h"

/* Would a statement read all rows, and nobody else watch what it reads? */
static bool
may_read_all(Oid table)
{
	return ExecutorCheckPerms_hook == NULL &&
		pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK &&
		check_enable_rls(table, InvalidOid, true) != RLS_ENABLED;
}

/* A copy of the row of the segment, or NULL. */
static bytea *
read_row(const BfSet *set, Relation table, Snapshot snapshot, int32 segment)
{
	bytea	   *row = NULL;
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	ScanKeyInit(&key, set->segment_column, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(segment));
	scan = systable_beginscan(table, set->index, true, snapshot, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		bool		isnull;
		Datum		value = heap_getattr(tuple, set->filter_column, RelationGetDescr(table), &isnull);

		if (isnull)
			bf_set_report_damage(set, segment, "is null");
		row = DatumGetByteaPCopy(value);
	}
	systable_endscan(scan);
	return row;
}

bool
bf_set_read_directly(const BfSet *set, bool read_only, const int32 *segments, int n, bytea **rows)
{
	Relation	table;
	int			i;

	if (!OidIsValid(set->index) || !may_read_all(set->table))
		return false;
	/* as SPI does it */
	if (!read_only)
	{
		CommandCounterIncrement();
		PushActiveSnapshot(GetTransactionSnapshot());
	}
	table = table_open(set->table, AccessShareLock);
	for (i = 0; i < n; i++)
		rows[i] = read_row(set, table, GetActiveSnapshot(), segments[i]);
	table_close(table, NoLock);
	if (!read_only)
		PopActiveSnapshot();
	return true;
}
