/*-------------------------------------------------------------------------
 *
 * lineage.c
 *		The partitioned tables above a partition.
 *
 * The server has no cache of pg_inherits, and a thousand partitions have the
 * same tables above them.  So each row is read once for a statement; that of a
 * table above once more when it is locked, since from then on it stays
 * attached, or detached, until the query has ended.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_inherits.h"
#include "common/hashfn.h"
#include "storage/lmgr.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "joins/choice/lineage.h"

typedef struct Lineage
{
	Oid			table;
	char		status;			/* simplehash.h's */
	bool		is_locked;		/* and read since */
	Oid			parent;			/* InvalidOid: none, or about to be detached */
	TransactionId attached_by;	/* invalid: the table is no partition */
} Lineage;

#define SH_PREFIX			lineage
#define SH_ELEMENT_TYPE		Lineage
#define SH_KEY_TYPE			Oid
#define SH_KEY				table
#define SH_HASH_KEY(tb, key)	murmurhash32(key)
#define SH_EQUAL(tb, a, b)	((a) == (b))
#define SH_SCOPE			static inline
#define SH_DEFINE
#define SH_DECLARE
#include "lib/simplehash.h"

static void
read_lineage(Lineage *lineage)
{
	Relation	inherits = table_open(InheritsRelationId, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	tuple;

	lineage->parent = InvalidOid;
	lineage->attached_by = InvalidTransactionId;
	ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(lineage->table));
	scan = systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, NULL, 1, &key);
	tuple = systable_getnext(scan);
	if (HeapTupleIsValid(tuple))
	{
		const FormData_pg_inherits *row = (Form_pg_inherits) GETSTRUCT(tuple);

		if (!row->inhdetachpending)
			lineage->parent = row->inhparent;
		lineage->attached_by = HeapTupleHeaderGetXmin(tuple->t_data);
	}
	systable_endscan(scan);
	table_close(inherits, AccessShareLock);
}

static Lineage *
find_lineage(BfJoinStatement *statement, Oid table)
{
	Lineage    *result;
	bool		found;

	if (statement->lineages == NULL)
		statement->lineages = lineage_create(CurrentMemoryContext, 64, NULL);
	result = lineage_insert(statement->lineages, table, &found);
	if (!found)
	{
		result->is_locked = false;
		read_lineage(result);
	}
	return result;
}

List *
bf_join_ancestors(BfJoinStatement *statement, Oid partition)
{
	List	   *result = NIL;
	Oid			table = partition;

	while (OidIsValid(table = find_lineage(statement, table)->parent))
		result = lappend_oid(result, table);
	return result;
}

static bool
names_any(const PlannedStmt *stmt, List *tables)
{
	ListCell   *lc;

	foreach(lc, stmt->rtable)
	{
		const RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		if (rte->rtekind == RTE_RELATION && list_member_oid(tables, rte->relid))
			return true;
	}
	return false;
}

/* False, too, if it was attached or detached between the first look and the lock. */
static bool
lock_ancestor(BfJoinStatement *statement, Oid table)
{
	Lineage    *lineage = find_lineage(statement, table);
	const Lineage before = *lineage;

	if (lineage->is_locked)
		return true;
	if (!ConditionalLockRelationOid(table, AccessShareLock))
		return false;
	read_lineage(lineage);
	lineage->is_locked = lineage->parent == before.parent &&
		lineage->attached_by == before.attached_by;
	return lineage->is_locked;
}

bool
bf_join_lock_ancestors(BfJoinStatement *statement, Oid partition)
{
	List	   *ancestors = bf_join_ancestors(statement, partition);
	ListCell   *lc;

	if (!names_any(statement->stmt, ancestors))
		return false;
	foreach(lc, ancestors)
		if (!lock_ancestor(statement, lfirst_oid(lc)))
			return false;
	return !get_rel_relispartition(llast_oid(ancestors));
}

TransactionId
bf_join_attached_by(BfJoinStatement *statement, Oid partition)
{
	TransactionId result = InvalidTransactionId;
	Oid			table = partition;

	while (OidIsValid(table))
	{
		const Lineage *lineage = find_lineage(statement, table);

		if (TransactionIdFollows(lineage->attached_by, result))
			result = lineage->attached_by;
		table = lineage->parent;
	}
	return result;
}
