/*-------------------------------------------------------------------------
 *
 * usable.c
 *		Opening an index that tells which blocks of a table are skipped.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "access/transam.h"
#include "catalog/pg_class_d.h"
#include "storage/lmgr.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "joins/ranges/usable.h"

/*
 * May the index be used now?  A cached plan may outlive the reasons for which
 * the index was known to have all rows, so these are checked again.
 */
static bool
is_usable(Relation index, Relation table, bool (*is_kind) (Relation index))
{
	Form_pg_index form;

	if (index->rd_rel->relkind != RELKIND_INDEX || !is_kind(index))
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
Relation
bf_usable_open(Oid index, Relation table, bool (*is_kind) (Relation index))
{
	Relation	result;

	if (!ConditionalLockRelationOid(index, AccessShareLock))
		return NULL;
	result = try_relation_open(index, NoLock);
	if (result == NULL)
		UnlockRelationOid(index, AccessShareLock);
	else if (!is_usable(result, table, is_kind))
	{
		relation_close(result, AccessShareLock);
		result = NULL;
	}
	return result;
}
